/** Builds the error responses of an operation: one response per status, one schema per code. */

import { fieldWordsOf } from "../contract/described.ts";
import { errorBody, errorExtra, errorExtraExample, errorTable, type ErrorCode } from "../contract/errors.ts";
import { commonErrors, type Operation } from "../contract/operation.ts";
import { z } from "zod";
import { answerHeaders } from "./headers.ts";
import type { Words } from "../values/words.ts";
import type { JsonSchemas } from "./json-schemas.ts";
import type { Json } from "./tidy-schema.ts";

export function describeErrors(operation: Operation, schemas: JsonSchemas): Json {
  const codesOfStatus = new Map<number, ErrorCode[]>();
  for (const code of new Set([...operation.errors, ...commonErrors(operation.access)])) {
    for (const status of statusesOf(code))
      codesOfStatus.set(status, [...(codesOfStatus.get(status) ?? []), code]);
  }
  const responses = [...codesOfStatus].sort(([a], [b]) => a - b);
  return Object.fromEntries(
    responses.map(([status, codes]) => [status, describeStatus(operation, { status, codes, schemas })]),
  );
}

/**
 * Returns the statuses of a code: a zip over the plan's limit answers 413, one that is none 422 (spec: "HTTP
 * errors").
 */
export function statusesOf(code: ErrorCode): number[] {
  return code === "invalid_zip" ? [413, 422] : [errorTable[code].status];
}

function describeStatus(
  operation: Operation,
  { status, codes, schemas }: { status: number; codes: ErrorCode[]; schemas: JsonSchemas },
): Json {
  const refs = codes.map((code) => schemas.add(schemaNameOf(code), describeCode(code, schemas.language)));
  const [only] = refs;
  const mapping = Object.fromEntries(codes.map((code, index) => [code, refs[index]?.["$ref"]]));
  const schema =
    refs.length === 1 && only !== undefined
      ? only
      : { oneOf: refs, discriminator: { propertyName: "code", mapping } };
  return {
    description: codes.map((code) => `\`${code}\`: ${messageOf(code, schemas.language)}`).join("\n\n"),
    headers: answerHeaders(operation, status),
    content: { "application/json": { schema } },
  };
}

/** Returns the schema's name: `subdomain_taken` → `SubdomainTakenError`. */
function schemaNameOf(code: ErrorCode): string {
  return `${code.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())}Error`;
}

function messageOf(code: ErrorCode, language: keyof Words): string {
  const { message, messageEn } = errorTable[code];
  return language === "en" ? messageEn : message;
}

function describeCode(code: ErrorCode, language: keyof Words): Json {
  const { extra, optionalExtra } = errorTable[code];
  const message = messageOf(code, language);
  const words = { ...fieldWordsOf(errorBody), ...fieldWordsOf(errorExtra) };
  const shapes = z.toJSONSchema(errorExtra, { unrepresentable: "any" }).properties ?? {};
  const properties = Object.fromEntries(
    extra.map((name) => [name, { ...withoutBounds(shapes[name]), description: words[name]?.[language] }]),
  );
  const always = extra.filter((name) => !optionalExtra.includes(name));
  const example = Object.fromEntries(always.map((name) => [name, errorExtraExample[name]]));
  return {
    type: "object",
    description: message,
    properties: {
      status: { type: "string", const: "error", description: words["status"]?.[language] },
      code: {
        type: "string",
        const: code,
        description: words["code"]?.[language],
      },
      message: { type: "string", description: words["message"]?.[language] },
      ...properties,
    },
    required: ["status", "code", "message", ...always],
    additionalProperties: false,
    examples: [{ status: "error", code, message, ...example }],
  };
}

function withoutBounds(schema: unknown): Json {
  const { minimum: _, maximum: __, propertyNames: ___, ...rest } = schema as Json;
  return rest;
}
