/** The words of the API description beside the schema that they describe, in both languages. */

import { z } from "zod";
import type { Words } from "./app-error.ts";

/** Fields that mean the same everywhere have their text in `openapi/field-texts.ts` and are left out here. */
type FieldWords<Shape> = { readonly [Name in keyof Shape]?: Words };

/** Schemas with a name stand once in the API description, under `components`. */
export const components = z.registry<{ id: string; minProperties?: number }>();

const wordsOfComponents = new Map<string, Words>();
const wordsOfFields = new WeakMap<object, Readonly<Record<string, Words | undefined>>>();

/** Gives the fields of an object their texts. Returns the schema itself. */
export function described<Shape extends z.ZodRawShape, Schema extends z.ZodObject<Shape>>(
  schema: Schema & z.ZodObject<Shape>,
  fields: FieldWords<Shape>,
): Schema {
  wordsOfFields.set(schema, fields);
  return schema;
}

/** Gives an object a name in the API description, its own text and those of its fields. */
export function component<Shape extends z.ZodRawShape, Schema extends z.ZodObject<Shape>>(
  name: string,
  schema: Schema & z.ZodObject<Shape>,
  { text, fields }: { text: Words; fields: FieldWords<Shape> },
): Schema {
  components.add(schema, { id: name });
  wordsOfComponents.set(name, text);
  return described(schema, fields);
}

/** Undefined for a schema without texts of its own. */
export function fieldWordsOf(schema: object): Readonly<Record<string, Words | undefined>> | undefined {
  return wordsOfFields.get(schema);
}

export function componentWordsOf(name: string): Words | undefined {
  return wordsOfComponents.get(name);
}
