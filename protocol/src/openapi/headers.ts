/** Defines the headers of responses and requests, as the API description names them. */

import type { Words } from "../values/words.ts";
import { isResumable, takesIdempotencyKey, type Operation } from "../contract/operation.ts";
import type { Json } from "./tidy-schema.ts";

const integer = { type: "integer", minimum: 0 };

/** A header of responses or requests, with its text in both languages. */
type Described = Json & { description: Words };

const headers: Readonly<Record<string, Described>> = {
  "X-Request-Id": {
    description: {
      pt: "Identifica esta requisição nos registros do operador.",
      en: "Identifies this request in the operator's records.",
    },
    required: true,
    schema: { type: "string", pattern: "^[0-9A-HJKMNP-TV-Z]{26}$" },
  },
  "RateLimit-Limit": {
    description: {
      pt: "Limite da janela mais apertada agora. Vem em toda resposta a uma chave válida.",
      en: "The limit of the window that is tightest now. It comes with every response to a valid key.",
    },
    schema: integer,
  },
  "RateLimit-Remaining": {
    description: { pt: "Requisições que ainda cabem nela.", en: "Requests that are still allowed in it." },
    schema: integer,
  },
  "RateLimit-Reset": {
    description: { pt: "Segundos até ela recomeçar.", en: "Seconds until it starts again." },
    schema: integer,
  },
  "RateLimit-Policy": {
    description: {
      pt: "As duas janelas do plano: `<por minuto>;w=60, <por dia>;w=86400`.",
      en: "The plan's two windows: `<per minute>;w=60, <per day>;w=86400`.",
    },
    schema: { type: "string", pattern: "^\\d+;w=60, \\d+;w=86400$" },
  },
  "Retry-After": {
    description: {
      pt: "Segundos que faltam para valer a pena tentar de novo.",
      en: "Seconds until it makes sense to try again.",
    },
    required: true,
    schema: { type: "integer", minimum: 0 },
  },
  "WWW-Authenticate": {
    description: {
      pt: '`Bearer` onde vale uma chave ou um token de operador, com `error="invalid_token"` se a que veio não serve; `Session` onde só vale a sessão do painel.',
      en: '`Bearer` where a key or an operator token is accepted, with `error="invalid_token"` if the one sent is not valid; `Session` where only the panel session is accepted.',
    },
    required: true,
    schema: { type: "string" },
  },
  "Idempotent-Replayed": {
    description: {
      pt: "Vem quando esta é a primeira resposta de novo, por causa de `Idempotency-Key`.",
      en: "Present when this is the first response again, because of `Idempotency-Key`.",
    },
    schema: { const: "true" },
  },
  ETag: {
    description: {
      pt: "Muda quando o conteúdo muda; vale em `If-None-Match` e, onde há `Range`, em `If-Range`.",
      en: "Changes when the content changes; use it in `If-None-Match` and, where there is `Range`, in `If-Range`.",
    },
    required: true,
    schema: { type: "string" },
  },
  "Content-Disposition": {
    description: { pt: "O nome do arquivo.", en: "The name of the file." },
    required: true,
    schema: { type: "string" },
  },
  "Accept-Ranges": {
    description: { pt: "Sempre `bytes`: `Range` vale aqui.", en: "Always `bytes`: `Range` works here." },
    required: true,
    schema: { const: "bytes" },
  },
  "Content-Range": {
    description: {
      pt: "O trecho enviado e o tamanho do arquivo inteiro, em bytes.",
      en: "The part that is sent and the size of the whole file, in bytes.",
    },
    required: true,
    schema: { type: "string", pattern: "^bytes (\\d+-\\d+|\\*)/\\d+$" },
  },
};

/** Returns the headers of responses, as components. */
export function headerComponents(language: keyof Words): Json {
  return inLanguage(headers, language);
}

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
    ...(answer.kind === "bytes" ? fileHeaders(status) : []),
    ...(answer.kind === "text" && status === 200 ? ["Content-Disposition"] : []),
  ];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Returns the headers of a response with a file, or with a part of it. */
function fileHeaders(status: number): string[] {
  const isSent = status === 200 || status === 206;
  return [
    ...(isSent || status === 304 ? ["ETag"] : []),
    ...(isSent ? ["Content-Disposition", "Accept-Ranges"] : []),
    ...(status === 206 || status === 416 ? ["Content-Range"] : []),
  ];
}

const parameters: Readonly<Record<string, Described>> = {
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    description: {
      pt: "Texto seu, até 255 caracteres. Por 24 horas, a mesma requisição com o mesmo texto recebe a primeira resposta de novo.",
      en: "A text of your own, up to 255 characters. For 24 hours, the same request with the same text gets the first response again.",
    },
    schema: { type: "string", pattern: "^[!-~]{1,255}$" },
  },
  LastEventId: {
    name: "Last-Event-ID",
    in: "header",
    description: {
      pt: "O `id` do último evento recebido: o stream continua depois dele, sem perder nem repetir.",
      en: "The `id` of the last event received: the stream continues after it, without losing or repeating any.",
    },
    schema: { type: "string", maxLength: 500 },
  },
  Range: {
    name: "Range",
    in: "header",
    description: {
      pt: "Um trecho do arquivo, como `bytes=1000-`; a resposta é 206. Com `If-Range`, só se o arquivo ainda for o mesmo.",
      en: "A part of the file, such as `bytes=1000-`; the response is 206. With `If-Range`, only if the file is still the same.",
    },
    schema: { type: "string" },
  },
};

/** Returns the headers of requests, as components. */
export function parameterComponents(language: keyof Words): Json {
  return inLanguage(parameters, language);
}

function inLanguage(components: Readonly<Record<string, Described>>, language: keyof Words): Json {
  return Object.fromEntries(
    Object.entries(components).map(([name, component]) => [
      name,
      { ...component, description: component.description[language] },
    ]),
  );
}

export function headerParameters(operation: Operation): Json[] {
  const names = [
    ...(takesIdempotencyKey(operation) ? ["IdempotencyKey"] : []),
    ...(isResumable(operation) ? ["LastEventId"] : []),
    ...(operation.answer.kind === "bytes" ? ["Range"] : []),
  ];
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}
