/** The error answers of an operation: one response per status, one schema per code. */

import { errorTable, errorExtra, type ErrorCode } from "../contract/errors.ts";
import { commonErrors, type Operation } from "../contract/operation.ts";
import { z } from "zod";
import { answerHeaders } from "./headers.ts";
import type { JsonSchemas } from "./json-schemas.ts";
import type { Json } from "./tidy-schema.ts";

/** Extra fields that are not in every error with the code. */
const optionalExtra: { readonly [Code in ErrorCode]?: readonly string[] } = {
  invalid_request: ["field"],
  invalid_config: ["field"],
  invalid_zip: ["limitMb"],
};

const extraTexts: Readonly<Record<keyof typeof errorExtra.shape, string>> = {
  requiredScope: "A permissão que falta à chave.",
  limitMb: "Tamanho máximo do .zip no plano, em MB; só com o estado 413.",
  reason: "O que o .zip tem de inseguro.",
  field: "O campo que está errado.",
  supported: "Versões aceitas, por linguagem.",
  freeMemoryMb: "Memória que resta no plano, em MB.",
  requestedMemoryMb: "Memória pedida, em MB.",
  limit: "O máximo do plano.",
  requiredRole: "O papel que a ação pede.",
  variables: "As variáveis que faltam.",
  requestId: "O que dizer ao operador para ele achar a falha.",
};

const extraExamples: Readonly<Record<keyof typeof errorExtra.shape, unknown>> = {
  requiredScope: "projects:settings",
  limitMb: 50,
  reason: "path",
  field: "memoryMb",
  supported: { node: ["20", "22", "24"] },
  freeMemoryMb: 128,
  requestedMemoryMb: 256,
  limit: 2,
  requiredRole: "operator",
  variables: ["TOKEN"],
  requestId: "01KAJ3W8M5T9Q2R7V4X6Z0B1CD",
};

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

/** A zip over the plan's limit answers 413, one that is none 422 (spec: "HTTP errors"). */
export function statusesOf(code: ErrorCode): number[] {
  return code === "invalid_zip" ? [413, 422] : [errorTable[code].status];
}

function describeStatus(
  operation: Operation,
  { status, codes, schemas }: { status: number; codes: ErrorCode[]; schemas: JsonSchemas },
): Json {
  const refs = codes.map((code) => schemas.add(schemaNameOf(code), describeCode(code)));
  const [only] = refs;
  const mapping = Object.fromEntries(codes.map((code, index) => [code, refs[index]?.["$ref"]]));
  const schema =
    refs.length === 1 && only !== undefined
      ? only
      : { oneOf: refs, discriminator: { propertyName: "code", mapping } };
  return {
    description: codes.map((code) => `\`${code}\`: ${errorTable[code].message}`).join("\n\n"),
    headers: answerHeaders(operation, status),
    content: { "application/json": { schema } },
  };
}

/** `subdomain_taken` → `SubdomainTakenError`. */
function schemaNameOf(code: ErrorCode): string {
  return `${code.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())}Error`;
}

function describeCode(code: ErrorCode): Json {
  const { message, extra } = errorTable[code];
  const shapes = z.toJSONSchema(errorExtra, { unrepresentable: "any" }).properties ?? {};
  const properties = Object.fromEntries(
    extra.map((name) => [name, { ...withoutBounds(shapes[name]), description: extraTexts[name] }]),
  );
  const always = extra.filter((name) => optionalExtra[code]?.includes(name) !== true);
  const example = Object.fromEntries(always.map((name) => [name, extraExamples[name]]));
  return {
    type: "object",
    description: message,
    properties: {
      status: { type: "string", const: "error", description: "Sempre `error`." },
      code: {
        type: "string",
        const: code,
        description: "Identificador fixo; é nele que um programa confia.",
      },
      message: { type: "string", description: "Texto para uma pessoa; pode mudar." },
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
