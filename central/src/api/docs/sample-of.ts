/** Makes a value that a schema allows, as a reader would expect to see it. */

import { nameOfRef, type Schema } from "./api-document.ts";

export function sampleOf(schema: Schema, components: Readonly<Record<string, Schema>>): unknown {
  const sample = (part: Schema): unknown => {
    if (part.examples !== undefined) return part.examples[0];
    if (part.$ref !== undefined) return sample(components[nameOfRef(part.$ref)] ?? {});
    if (part.const !== undefined) return part.const;
    if (part.enum !== undefined) return part.enum[0];
    const [first] = part.anyOf ?? part.oneOf ?? [];
    if (first !== undefined) return sample(first);
    switch (typeof part.type === "string" ? part.type : part.type?.[0]) {
      case "object":
        return Object.fromEntries(
          Object.entries(part.properties ?? {}).map(([name, property]) => [name, sample(property)]),
        );
      case "array":
        return part.items === undefined ? [] : [sample(part.items)];
      case "integer":
      case "number":
        return Math.max(part.minimum ?? 0, 1);
      case "boolean":
        return false;
      case "string":
        return textOf(part);
      case undefined:
      default:
        return null;
    }
  };
  return sample(schema);
}

function textOf({ format, pattern }: Schema): string {
  if (format === "date-time" || pattern?.startsWith("^\\d{4}-") === true) return "2026-01-01T12:00:00.000Z";
  if (pattern === "^[0-9A-HJKMNP-TV-Z]{26}$") return "01KAJ3W8M5T9Q2R7V4X6Z0B1CD";
  return "…";
}
