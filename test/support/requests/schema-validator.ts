/** Validates values against the schemas of an OpenAPI 3.1 document, with an independent validator. */

import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

const documentName = "openapi.json";

export class SchemaValidator {
  readonly #ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allErrors: false });
  readonly #document: object;
  readonly #checks = new Map<string, ValidateFunction>();

  constructor(document: object) {
    this.#document = document;
    addFormats.default(this.#ajv);
    // Words of OpenAPI itself, around and in its schemas.
    for (const word of ["openapi", "info", "servers", "tags", "paths", "components", "discriminator"])
      this.#ajv.addKeyword(word);
    this.#ajv.addSchema(document, documentName);
  }

  /** Returns what is wrong with a value, by the schema at `pointer`; throws when that is no schema. */
  at(pointer: string): (value: unknown) => string[] {
    const check =
      this.#checks.get(pointer) ?? this.#ajv.compile({ $ref: `${documentName}#${encodeURI(pointer)}` });
    this.#checks.set(pointer, check);
    return (value) =>
      check(value)
        ? []
        : (check.errors ?? []).map(
            ({ instancePath, message }) => `${instancePath || "/"} ${message ?? "is wrong"}`,
          );
  }

  /** Returns the document's value at a place. */
  find(place: readonly (string | number)[]): unknown {
    return place.reduce<unknown>(
      (node, name) => (node as Record<string, unknown> | undefined)?.[name],
      this.#document,
    );
  }

  pointer(place: readonly (string | number)[]): string {
    return place.map((name) => `/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
  }

  /** Returns `examples` of the schema at `pointer`. */
  examplesAt(pointer: string): unknown[] {
    const place = pointer
      .slice(1)
      .split("/")
      .map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
    const schema = this.find(place) as { examples?: unknown[] } | undefined;
    return schema?.examples ?? [];
  }
}
