/** Joins the texts of the API description to the schemas that they describe, in both languages. */

import { z } from "zod";
import type { Words } from "../values/words.ts";

/** Every field has its text: one without it does not compile. */
type FieldWords<Shape> = { readonly [Name in keyof Shape]: Words };

/** What the API description says of a component beyond its schema. */
export interface ComponentDescription {
  text: Words;
  /** Keeps the schema; a test checks it. */
  example?: unknown;
}

/** Registry of the schemas with a name, which stand once in the API description, under `components`. */
export const components = z.registry<{ id: string; minProperties?: number; enum?: readonly string[] }>();

const descriptions = new Map<string, ComponentDescription>();
const wordsOfFields = new WeakMap<object, Readonly<Record<string, Words>>>();

/** Gives the fields of an object their texts. Returns the schema itself. */
export function described<Shape extends z.ZodRawShape, Schema extends z.ZodObject<Shape>>(
  schema: Schema & z.ZodObject<Shape>,
  fields: FieldWords<NoInfer<Shape>>,
): Schema {
  wordsOfFields.set(schema, fields);
  return schema;
}

/** Rules that are checked in code and that the schema itself does not state. */
interface Beyond {
  minProperties?: number;
  enum?: readonly string[];
}

/** Gives a schema a name in the API description and a text. Returns the schema itself. */
export function named<Schema extends z.ZodType>(
  name: string,
  schema: Schema,
  { minProperties, enum: values, ...description }: ComponentDescription & Beyond,
): Schema {
  components.add(schema, {
    id: name,
    ...(minProperties === undefined ? {} : { minProperties }),
    ...(values === undefined ? {} : { enum: values }),
  });
  descriptions.set(name, description);
  return schema;
}

/** Gives an object a name in the API description, its own text and those of its fields. */
export function component<Shape extends z.ZodRawShape, Schema extends z.ZodObject<Shape>>(
  name: string,
  schema: Schema & z.ZodObject<Shape>,
  {
    fields,
    ...description
  }: ComponentDescription & { fields: FieldWords<NoInfer<Shape>>; minProperties?: number },
): Schema {
  named(name, schema, description);
  return described<Shape, Schema>(schema, fields);
}

/** Returns the texts of an object's fields; undefined for a schema without texts of its own. */
export function fieldWordsOf(schema: object): Readonly<Record<string, Words>> | undefined {
  return wordsOfFields.get(schema);
}

/** Returns what is said of the component with this name; undefined where there is none. */
export function findComponentDescription(name: string): ComponentDescription | undefined {
  return descriptions.get(name);
}
