/** Sends a handler's result, in the form that the table names. */

import { setTimeout as delay } from "node:timers/promises";
import type { Operation } from "@tijolo/protocol";
import type { FastifyReply } from "fastify";
import { addVary } from "./add-vary.ts";
import type { ApiBounds } from "./api-bounds.ts";
import { endOfTurn } from "./end-of-turn.ts";
import { eventStreamHeaders, sendEvents } from "./event-stream.ts";
import { sendBytes } from "./send-bytes.ts";
import { sendText } from "./send-text.ts";
import { takeOver } from "./take-over.ts";
import type { BytesAnswer, EventAnswer, TextAnswer } from "../handlers/handlers.ts";
import { sendDocument, type DocumentExchange } from "../docs/send-document.ts";

const firstItemMs = 250;

export async function sendAnswer(
  operation: Operation,
  answer: unknown,
  {
    request,
    reply,
    compressed,
    bounds,
    signal,
  }: DocumentExchange & { bounds: ApiBounds; signal: AbortSignal },
): Promise<void> {
  switch (operation.answer.kind) {
    case "json":
      // What changes something was committed together with others, and is answered with them.
      if (operation.effect === "read") await endOfTurn();
      addVary(reply, "accept-language");
      reply.code(operation.answer.status).send(answer);
      return;
    case "empty":
      reply.code(204).send();
      return;
    case "document":
      await sendDocument(String(answer), operation.answer.contentType, { request, reply, compressed });
      return;
    case "bytes":
      await sendBytes(answer as BytesAnswer, operation.answer.contentType, {
        request,
        reply,
        bounds,
        signal,
      });
      return;
    case "text":
      await sendText(answer as TextAnswer, operation.answer.contentType, { request, reply, bounds, signal });
      return;
    case "events": {
      const stream = answer as EventAnswer;
      addVary(reply, "accept-language");
      if (stream.wantsPage || wantsOneDocument(request.headers.accept)) {
        reply.code(200).send(await stream.page());
        return;
      }
      if (request.method === "HEAD") sendStreamHead(reply);
      else await sendStream(stream, reply, { ...bounds, signal });
    }
  }
}

/**
 * True when the caller names JSON and cannot read a stream: many name both, or add that they accept anything,
 * without a preference.
 */
function wantsOneDocument(accept: string | undefined): boolean {
  const types = (accept ?? "").split(",").map((range) => range.split(";")[0]?.trim().toLowerCase());
  return (
    types.includes("application/json") &&
    !types.some((type) => type === "text/event-stream" || type === "text/*" || type === "*/*")
  );
}

/**
 * Sends a stream. One that fails at once still answers an error; one that fails later just ends, and the
 * reader resumes by its cursor.
 */
async function sendStream(
  stream: EventAnswer,
  reply: FastifyReply,
  options: ApiBounds & { signal: AbortSignal },
): Promise<void> {
  const iterator = stream.events()[Symbol.asyncIterator]();
  try {
    const first = iterator.next();
    first.catch(() => {}); // whoever reads the stream hears of it
    await Promise.race([first, delay(firstItemMs)]);
    takeOver(reply);
    await sendEvents(reply.raw, resume(first, iterator), options).catch(() => reply.raw.destroy());
  } finally {
    // However it ended, what the stream holds is given back.
    await iterator.return?.();
  }
}

/** Sends the head of a stream only; nothing is opened for it. */
function sendStreamHead(reply: FastifyReply): void {
  takeOver(reply);
  const { raw: response } = reply;
  response.writeHead(200, eventStreamHeaders);
  response.end();
}

async function* resume<Item>(
  first: Promise<IteratorResult<Item>>,
  iterator: AsyncIterator<Item>,
): AsyncIterable<Item> {
  for (let result = await first; result.done !== true; result = await iterator.next()) yield result.value;
}
