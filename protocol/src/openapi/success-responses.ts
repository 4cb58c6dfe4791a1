/** Builds the responses of an operation that are no errors: one per status that it answers with. */

import { isResumable, type Operation } from "../contract/operation.ts";
import { answerHeaders } from "./headers.ts";
import type { Words } from "../values/words.ts";
import type { JsonSchemas } from "./json-schemas.ts";
import type { Json } from "./tidy-schema.ts";

const words = {
  done: { pt: "Feito.", en: "Done." },
  created: { pt: "Criado.", en: "Created." },
  accepted: { pt: "Aceito; acontece em seguida.", en: "Accepted; it happens shortly afterwards." },
  document: { pt: "O documento.", en: "The document." },
  file: { pt: "O arquivo.", en: "The file." },
  part: { pt: "O trecho pedido em `Range`.", en: "The part that `Range` asks for." },
  unchanged: {
    pt: "Não mudou desde o `ETag` de `If-None-Match`.",
    en: "It has not changed since the `ETag` in `If-None-Match`.",
  },
  events: {
    pt: "Uma mensagem SSE por evento: `event` e `id` são campos SSE, `data` é JSON.",
    en: "One SSE message per event: `event` and `id` are SSE fields, `data` is JSON.",
  },
  resumableStream: {
    pt: "O stream de eventos; com `follow=false` ou `Accept: application/json`, um documento JSON.",
    en: "The stream of events; with `follow=false` or `Accept: application/json`, a JSON document.",
  },
  stream: {
    pt: "O stream de eventos; com `Accept: application/json`, um documento JSON, no fim.",
    en: "The stream of events; with `Accept: application/json`, a JSON document, at the end.",
  },
} as const satisfies Record<string, Words>;

const wordsOfStatus = { 200: words.done, 201: words.created, 202: words.accepted };

/** Returns the responses by status; the named schemas that they use move to `schemas`. */
export function describeSuccess(operation: Operation, schemas: JsonSchemas): Json {
  const { answer } = operation;
  const response = (status: number, text: Words, content?: Json): Json => ({
    description: text[schemas.language],
    headers: answerHeaders(operation, status),
    ...(content === undefined ? {} : { content }),
  });
  switch (answer.kind) {
    case "empty":
      return { [answer.status]: response(answer.status, words.done) };
    case "json": {
      const content = { "application/json": { schema: schemas.of(answer.schema, "output") } };
      return { [answer.status]: response(answer.status, wordsOfStatus[answer.status], content) };
    }
    case "document":
      return {
        200: response(200, words.document, documentContent(answer.contentType)),
        304: response(304, words.unchanged),
      };
    case "bytes": {
      const content = {
        [answer.contentType]: { schema: { type: "string", contentMediaType: answer.contentType } },
      };
      return {
        200: response(200, words.file, content),
        206: response(206, words.part, content),
        304: response(304, words.unchanged),
      };
    }
    case "text":
      return { 200: response(200, words.file, documentContent(answer.contentType)) };
    case "events": {
      const text = isResumable(operation) ? words.resumableStream : words.stream;
      return { 200: response(200, text, streamContent(answer, schemas)) };
    }
  }
}

function documentContent(contentType: string): Json {
  const [type = ""] = contentType.split(";");
  return { [type]: { schema: type.endsWith("json") ? { type: "object" } : { type: "string" } } };
}

/** Returns both forms of a stream: its events, and the document that a caller may ask for instead. */
function streamContent(
  { event, page }: Extract<Operation["answer"], { kind: "events" }>,
  schemas: JsonSchemas,
): Json {
  const events = {
    type: "string",
    contentMediaType: "text/event-stream",
    contentSchema: schemas.of(event, "output"),
    description: words.events[schemas.language],
  };
  return {
    "text/event-stream": { schema: events },
    "application/json": { schema: schemas.of(page, "output") },
  };
}
