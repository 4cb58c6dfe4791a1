/**
 * The JSON Schemas of the API description: those with a name stand once, under `components`, and every field
 * has its text.
 */

import { z } from "zod";
import { account, activityEntry, projectEvent } from "../nouns/account.ts";
import { scope } from "../contract/access.ts";
import { components, componentWordsOf, fieldWordsOf } from "../contract/described.ts";
import type { Words } from "../contract/app-error.ts";
import { id } from "../values/id.ts";
import { apiKey, newKey } from "../nouns/key.ts";
import { logEvent, logGap, logLine } from "../nouns/log.ts";
import { metricPoint, metrics } from "../nouns/metric.ts";
import { projectPatch } from "../project/project-config.ts";
import { lastExit, project, projectError, timestamp, usage } from "../nouns/project.ts";
import { panelSession, person, signedIn } from "../nouns/session.ts";
import { systemPackage } from "../project/system-package.ts";
import { componentExamples } from "./examples.ts";
import { componentTexts, fieldText } from "./field-texts.ts";
import { componentPath, isAnyJson, tidySchema, type Json } from "./tidy-schema.ts";

for (const [name, schema] of Object.entries({
  Account: account,
  ActivityEntry: activityEntry,
  ApiKey: apiKey,
  Id: id,
  LastExit: lastExit,
  LogEvent: logEvent,
  LogGap: logGap,
  LogLine: logLine,
  MetricPoint: metricPoint,
  Metrics: metrics,
  NewKey: newKey,
  PanelSession: panelSession,
  Person: person,
  Project: project,
  ProjectError: projectError,
  ProjectEvent: projectEvent,
  ProjectPatch: projectPatch,
  Scope: scope,
  SignedIn: signedIn,
  SystemPackage: systemPackage,
  Timestamp: timestamp,
  Usage: usage,
} satisfies Record<string, z.ZodType>)) {
  components.add(schema, { id: name, ...(schema === projectPatch ? { minProperties: 1 } : {}) });
}

/** Carries the texts of an object's fields through the JSON Schema that zod writes, up to {@link describe}. */
const wordsKey = "x-words";

export class JsonSchemas {
  readonly #components = new Map<string, Json>();

  /** Sorted by name. */
  components(): Record<string, Json> {
    return Object.fromEntries([...this.#components].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  add(name: string, schema: Json): Json {
    this.#components.set(name, schema);
    return { $ref: componentPath + name };
  }

  /**
   * JSON Schema of `schema`; the named schemas in it move to the components. `owner`: where the texts of its
   * own fields are found.
   */
  of(schema: z.ZodType, io: "input" | "output", owner: string): Json {
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
    if (typeof id !== "string") return describe(tidySchema(plain), owner);
    this.#addComponent(id, plain);
    return { $ref: componentPath + id };
  }

  /**
   * What stands as text on the wire (query, form), by field: as the number, truth value or text that it is
   * read as.
   */
  textFields(schema: z.ZodType, owner: string): { properties: Record<string, Json>; required: string[] } {
    const input = this.of(schema, "input", owner) as {
      properties?: Record<string, Json>;
      required?: string[];
    };
    const output = this.of(schema, "output", owner) as { properties?: Record<string, Json> };
    const properties = Object.entries(input.properties ?? {}).map(([name, written]): [string, Json] => {
      const read = output.properties?.[name] ?? {};
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
    const description = componentTexts[name] ?? componentWordsOf(name)?.pt;
    const examples = componentExamples[name];
    this.add(name, {
      ...describe(tidySchema(schema), name),
      ...(description === undefined ? {} : { description }),
      ...(examples === undefined ? {} : { examples }),
    });
  }
}

/** Gives each field below `schema` its text. */
function describe(schema: Json, owner: string): Json {
  const { [wordsKey]: words, ...result } = schema as Json & { [wordsKey]?: Record<string, Words> };
  if (isRecord(schema["properties"])) {
    result["properties"] = Object.fromEntries(
      Object.entries(schema["properties"]).map(([name, property]) => {
        const description = words?.[name]?.pt ?? fieldText(owner, name);
        return [
          name,
          {
            ...describe(property as Json, `${owner}.${name}`),
            ...(description === undefined ? {} : { description }),
          },
        ];
      }),
    );
  }
  if (isRecord(schema["items"])) result["items"] = describe(schema["items"], owner);
  for (const keyword of ["anyOf", "oneOf", "allOf"]) {
    const parts = schema[keyword];
    if (Array.isArray(parts)) result[keyword] = parts.map((part: Json) => describe(part, owner));
  }
  return result;
}

function isRecord(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
