/** Makes values by a JSON Schema: mostly what it allows, at its edges, and sometimes just past them. */

import type { SeededRandom } from "./seeded-random.ts";

export interface FuzzSchema {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, FuzzSchema>;
  required?: string[];
  items?: FuzzSchema;
  additionalProperties?: boolean | FuzzSchema;
  enum?: unknown[];
  const?: unknown;
  anyOf?: FuzzSchema[];
  oneOf?: FuzzSchema[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
}

export const oddTexts = [
  "",
  " ",
  "null",
  "__proto__",
  "constructor",
  "../../etc/passwd",
  "$(touch P)",
  "a\u0000b",
  "a\r\nb: c",
  "\ud800",
  "💥".repeat(30),
  "%00%ff",
  "x".repeat(5_000),
  "-0",
  "1e999",
  "Ⅷ",
  "\u202etxt",
];
const oddNumbers = [0, -0, -1, 0.1, 1e-320, 2 ** 31, 2 ** 53, -(2 ** 63), 1e308, 1.5];
const plainCharacters = "abcXYZ019 -_.".split("");
const oddValues: unknown[] = [
  null,
  true,
  [],
  {},
  [[]],
  { __proto__: null, constructor: { prototype: {} } },
  1e21,
  "x",
];

export class SchemaValues {
  readonly #schemas: Record<string, FuzzSchema>;
  readonly #random: SeededRandom;

  constructor(schemas: Record<string, FuzzSchema>, random: SeededRandom) {
    this.#schemas = schemas;
    this.#random = random;
  }

  valueOf(schema: FuzzSchema, depth = 0): unknown {
    const random = this.#random;
    if (random.chance(0.025)) return random.pick(oddValues);
    if (schema.$ref !== undefined)
      return this.valueOf(this.#schemas[schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1)] ?? {}, depth);
    if (schema.const !== undefined) return schema.const;
    if (schema.enum !== undefined)
      return random.chance(0.9) ? random.pick(schema.enum) : random.pick(oddTexts);
    const variants = schema.anyOf ?? schema.oneOf;
    if (variants !== undefined) return this.valueOf(random.pick(variants), depth);
    switch (Array.isArray(schema.type) ? random.pick(schema.type) : schema.type) {
      case "object":
        return this.#object(schema, depth);
      case "array": {
        const length = random.pick([0, 1, 2, 30]);
        return Array.from({ length: depth > 3 ? 0 : length }, () =>
          this.valueOf(schema.items ?? {}, depth + 1),
        );
      }
      case "integer":
      case "number":
        return this.#number(schema);
      case "boolean":
        return random.chance(0.5);
      case "null":
        return null;
      case "string":
        return this.#text(schema);
      case undefined:
      default:
        return random.pick(oddValues);
    }
  }

  #object({ properties = {}, required = [], additionalProperties }: FuzzSchema, depth: number): unknown {
    const random = this.#random;
    const names = Object.keys(properties).filter((name) =>
      required.includes(name) ? random.chance(0.97) : random.chance(0.3),
    );
    const entries = names.map((name): [string, unknown] => [
      name,
      this.valueOf(properties[name] ?? {}, depth + 1),
    ]);
    if (typeof additionalProperties === "object") {
      for (let left = random.integer(0, 3); left > 0; left--) {
        const name = random.chance(0.8) ? `NAME_${left}` : random.pick(oddTexts);
        entries.push([name, this.valueOf(additionalProperties, depth + 1)]);
      }
    }
    if (random.chance(0.05)) entries.push([random.pick(oddTexts), random.pick(oddValues)]);
    return Object.fromEntries(entries);
  }

  #number({ minimum = -10, maximum = 100_000 }: FuzzSchema): number {
    const random = this.#random;
    if (random.chance(0.06)) return random.pick(oddNumbers);
    return random.pick([
      minimum,
      maximum,
      random.integer(minimum, maximum),
      ...(random.chance(0.1) ? [minimum - 1, maximum + 1] : []),
    ]);
  }

  #text({ minLength = 0, maxLength = 60 }: FuzzSchema): string {
    const random = this.#random;
    if (random.chance(0.06)) return random.pick(oddTexts);
    const length = random.pick([
      minLength,
      Math.min(maxLength, minLength + 8),
      ...(random.chance(0.1) ? [maxLength, maxLength + 1] : []),
    ]);
    return Array.from({ length: Math.min(length, 20_000) }, () => random.pick(plainCharacters)).join("");
  }
}
