/** The headers of answers and requests, as the API description names them. */

import { isResumable, takesIdempotencyKey, type Operation } from "../contract/operation.ts";
import type { Json } from "./tidy-schema.ts";

const integer = { type: "integer", minimum: 0 };

export const headerComponents: Readonly<Record<string, Json>> = {
  "X-Request-Id": {
    description: "Identifica esta requisição nos registros do operador.",
    required: true,
    schema: { type: "string", pattern: "^[0-9A-HJKMNP-TV-Z]{26}$" },
  },
  "RateLimit-Limit": {
    description: "Limite da janela mais apertada agora. Vem em toda resposta a uma chave válida.",
    schema: integer,
  },
  "RateLimit-Remaining": { description: "Requisições que ainda cabem nela.", schema: integer },
  "RateLimit-Reset": { description: "Segundos até ela recomeçar.", schema: integer },
  "RateLimit-Policy": {
    description: "As duas janelas do plano: `<por minuto>;w=60, <por dia>;w=86400`.",
    schema: { type: "string", pattern: "^\\d+;w=60, \\d+;w=86400$" },
  },
  "Retry-After": {
    description: "Segundos que faltam para valer a pena tentar de novo.",
    required: true,
    schema: { type: "integer", minimum: 0 },
  },
  "WWW-Authenticate": {
    description:
      '`Bearer` onde vale uma chave ou um token de operador, com `error="invalid_token"` se a que veio não serve; `Session` onde só vale a sessão do painel.',
    required: true,
    schema: { type: "string" },
  },
  "Idempotent-Replayed": {
    description: "Vem quando esta é a primeira resposta de novo, por causa de `Idempotency-Key`.",
    schema: { const: "true" },
  },
  ETag: {
    description: "Muda quando o documento muda; vale em `If-None-Match`.",
    required: true,
    schema: { type: "string" },
  },
};

const rateLimit = ["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset", "RateLimit-Policy"];

export function answerHeaders(operation: Operation, status: number): Json {
  const { access, answer } = operation;
  const names = [
    "X-Request-Id",
    ...(access.kind === "key" && status !== 401 ? rateLimit : []),
    ...(status === 401 ? ["WWW-Authenticate"] : []),
    ...(status === 429 ? ["Retry-After"] : []),
    ...(takesIdempotencyKey(operation) && status < 400 ? ["Idempotent-Replayed"] : []),
    ...(answer.kind === "document" && status < 400 ? ["ETag"] : []),
  ];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

export const parameterComponents: Readonly<Record<string, Json>> = {
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    description:
      "Texto seu, até 255 caracteres. Por 24 horas, a mesma requisição com o mesmo texto recebe a primeira resposta de novo.",
    schema: { type: "string", pattern: "^[!-~]{1,255}$" },
  },
  LastEventId: {
    name: "Last-Event-ID",
    in: "header",
    description: "O `id` do último evento recebido: o stream continua depois dele, sem perder nem repetir.",
    schema: { type: "string", maxLength: 500 },
  },
};

export function headerParameters(operation: Operation): Json[] {
  const names = [
    ...(takesIdempotencyKey(operation) ? ["IdempotencyKey"] : []),
    ...(isResumable(operation) ? ["LastEventId"] : []),
  ];
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}
