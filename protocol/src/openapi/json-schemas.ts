/**
 * Builds the JSON Schemas of the API description: those with a name stand once, under `components`, and every
 * field has its text.
 */

import { z } from "zod";
import type { Words } from "../values/words.ts";
import { components, fieldWordsOf, findComponentDescription } from "../contract/described.ts";
import { allowedPackages } from "../project/system-package.ts";
import { componentPath, isAnyJson, tidySchema, type Json } from "./tidy-schema.ts";

/**
 * Carries the texts of an object's fields through the JSON Schema that zod writes, up to {@link describe}.
 */
const wordsKey = "x-words";

export class JsonSchemas {
  readonly language: keyof Words;
  readonly #components = new Map<string, Json>();

  constructor(language: keyof Words) {
    this.language = language;
  }

  /** Returns the components, sorted by name. */
  components(): Record<string, Json> {
    return Object.fromEntries([...this.#components].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  add(name: string, schema: Json): Json {
    this.#components.set(name, schema);
    return { $ref: componentPath + name };
  }

  /** Returns the JSON Schema of `schema`; the named schemas in it move to the components. */
  of(schema: z.ZodType, io: "input" | "output"): Json {
    const {
      $schema: _,
      $defs = {},
      ...root
    } = z.toJSONSchema(schema, {
      io,
      metadata: components,
      unrepresentable: "any",
      override: ({ zodSchema, jsonSchema }) => {
        const words = fieldWordsOf(zodSchema);
        if (words !== undefined) Object.assign(jsonSchema, { [wordsKey]: words });
      },
    }) as Json & { $defs?: Record<string, Json> };
    for (const [name, definition] of Object.entries($defs))
      if (!isAnyJson(name)) this.#addComponent(name, definition);
    const { id, ...plain } = root;
    if (typeof id !== "string") return describe(tidySchema(plain), this.language);
    this.#addComponent(id, plain);
    return { $ref: componentPath + id };
  }

  /**
   * Returns what stands as text on the wire (query, form), by field: as the number, truth value or text that
   * it is read as.
   */
  textFields(schema: z.ZodType): { properties: Record<string, Json>; required: string[] } {
    const input = this.of(schema, "input") as {
      properties?: Record<string, Json>;
      required?: string[];
    };
    const output = this.of(schema, "output") as { properties?: Record<string, Json> };
    const properties = Object.entries(input.properties ?? {}).map(([name, whole]): [string, Json] => {
      const written = withoutNull(whole);
      const read = withoutNull(output.properties?.[name] ?? {});
      if (read["type"] === "integer" || read["type"] === "number") return [name, read];
      const standard = "default" in read ? { default: read["default"] } : {};
      const isBoolean = JSON.stringify(written["enum"]) === '["true","false"]';
      return [
        name,
        isBoolean
          ? { type: "boolean", description: written["description"], ...standard }
          : { ...written, ...standard },
      ];
    });
    return { properties: Object.fromEntries(properties), required: input.required ?? [] };
  }

  #addComponent(name: string, definition: Json): void {
    if (this.#components.has(name)) return;
    const { id: _, ...schema } = definition;
    const { text, example } = findComponentDescription(name) ?? {};
    this.add(name, {
      ...describe(tidySchema(schema), this.language),
      ...(text === undefined ? {} : { description: text[this.language] }),
      ...(example === undefined ? {} : { examples: [example] }),
    });
  }
}

/** Gives each field below `schema` its text. */
function describe(schema: Json, language: keyof Words): Json {
  const { [wordsKey]: words, ...result } = schema as Json & { [wordsKey]?: Record<string, Words> };
  if (isRecord(schema["properties"])) {
    result["properties"] = Object.fromEntries(
      Object.entries(schema["properties"]).map(([name, property]) => {
        const description = words?.[name]?.[language];
        return [
          name,
          {
            ...describe(property as Json, language),
            ...(description === undefined ? {} : { description }),
          },
        ];
      }),
    );
  }
  if (isRecord(schema["items"])) result["items"] = describe(schema["items"], language);
  for (const keyword of ["anyOf", "oneOf", "allOf"]) {
    const parts = schema[keyword];
    if (Array.isArray(parts)) result[keyword] = parts.map((part: Json) => describe(part, language));
  }
  return result;
}

/** Returns the schema of a form field without null, for which an empty text stands in a form. */
function withoutNull({ anyOf, ...whole }: Json): Json {
  const types = whole["type"];
  const rest = Array.isArray(types) ? { ...whole, type: types.find((type) => type !== "null") } : whole;
  const variants = Array.isArray(anyOf) ? (anyOf as Json[]).filter(({ type }) => type !== "null") : [];
  const [only] = variants;
  return only === undefined || variants.length > 1
    ? { ...rest, ...(anyOf === undefined ? {} : { anyOf }) }
    : { ...only, ...rest };
}

function isRecord(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the components with the names of all system packages that may be asked for here. */
export function withPackages(
  components: Record<string, Json>,
  more: readonly string[],
): Record<string, Json> {
  const { SystemPackage: systemPackage } = components;
  return systemPackage === undefined
    ? components
    : { ...components, SystemPackage: { ...systemPackage, enum: allowedPackages(more) } };
}
