/**
 * Makes the JSON Schema that zod writes readable: references to the components, no bounds that every number
 * has, portable patterns.
 */

export type Json = { [name: string]: unknown };

export const componentPath = "#/components/schemas/";

/** True for the recursive schema of any JSON value, which zod names by number. */
export function isAnyJson(name: string): boolean {
  return name.startsWith("__schema");
}

export function tidySchema(schema: Json): Json {
  const text = JSON.stringify(schema, (_, value: unknown) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    const { $ref, minimum, maximum, pattern, propertyNames, ...rest } = value as Json;
    if (typeof $ref === "string") {
      const name = $ref.replace("#/$defs/", "");
      return isAnyJson(name) ? {} : { ...rest, $ref: componentPath + name };
    }
    return {
      ...rest,
      ...(minimum === undefined || minimum === Number.MIN_SAFE_INTEGER ? {} : { minimum }),
      ...(maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? {} : { maximum }),
      ...(typeof pattern === "string" ? { pattern: portablePattern(pattern, rest["format"]) } : {}),
      ...(propertyNames === undefined || JSON.stringify(propertyNames) === '{"type":"string"}'
        ? {}
        : { propertyNames }),
    };
  });
  return JSON.parse(text) as Json;
}

/** Writes control characters by number, because not every engine knows them by class. */
function portablePattern(pattern: string, format: unknown): string {
  if (format !== "date-time") return pattern.replaceAll("\\p{Cc}", "\\u0000-\\u001f\\u007f-\\u009f");
  const fraction = pattern.includes("\\.\\d{3}") ? "\\.\\d{3}" : "(\\.\\d+)?";
  return `^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}${fraction}Z$`;
}
