/** The HTTP edge: every operation of the table becomes a route; the handlers do the rest. */

import { setTimeout as delay } from "node:timers/promises";
import { AppError, operationNames, operations, type Operation, type OperationName } from "@tijolo/protocol";
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { z } from "zod";
import type { Caller } from "../app/caller.ts";
import type { AppContext } from "../app/context.ts";
import { newId } from "../app/new-id.ts";
import { planOf } from "../app/plan-of.ts";
import { invalidConfig } from "../app/upload-config.ts";
import type { ApiBounds } from "./api-bounds.ts";
import { answerBrokenRequest, answerError } from "./answer-error.ts";
import { authorize } from "./authorize.ts";
import { sendEvents } from "./event-stream.ts";
import type { EventAnswer, Handlers, ReceivedFile } from "./handlers.ts";
import { readJsonBody } from "./json-body.ts";
import { readUpload } from "./upload-body.ts";

const basePath = "/api";
const firstItemMs = 250;

export function createApi(app: AppContext, handlers: Handlers, bounds: ApiBounds): FastifyInstance {
  const { logger } = app;
  const answer = (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
    answerError(error, request, reply, { logger, lingerMs: bounds.lingerMs });
  const server = fastify({
    logger: false,
    genReqId: () => newId(app),
    frameworkErrors: answer,
    clientErrorHandler: (error, socket) => answerBrokenRequest(error, socket, newId(app)),
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 200 },
    http: { headersTimeout: 30_000, requestTimeout: 0 },
  });
  // Bodies are read by the operation, after the checks that come before them.
  server.removeAllContentTypeParsers();
  server.addContentTypeParser("*", (_request, _payload, done) => done(null));
  server.addHook("onRequest", (request, reply, done) => {
    reply.header("x-request-id", request.id);
    done();
  });
  server.setErrorHandler(answer);
  server.setNotFoundHandler((request, reply) => answer(new AppError("not_found"), request, reply));
  for (const name of operationNames) addRoute(server, { app, handlers, bounds }, name);
  return server;
}

interface Edge {
  app: AppContext;
  handlers: Handlers;
  bounds: ApiBounds;
}

function addRoute(server: FastifyInstance, edge: Edge, name: OperationName): void {
  const { app, handlers, bounds } = edge;
  const operation: Operation = operations[name];
  const url = basePath + operation.path.replace(/\{(\w+)\}/g, ":$1");
  server.route({
    method: operation.method,
    url,
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      const caller = await authorize(app, operation, request.headers.authorization);
      const params = parse(operation.params, request.params);
      const query = parse(operation.query, withLastEventId(operation, request));
      const signal = signalOf(reply);
      const { body, upload } = await readBody(edge, operation, caller, request, signal);
      try {
        // The table ties handler and input together; past this point their types are the operation's own.
        const handler = handlers[name] as unknown as (call: unknown) => Promise<unknown>;
        const answer = await handler({ account: accountOf(caller), params, query, body, upload, signal });
        await send(operation, answer, request, reply, bounds);
      } finally {
        if (upload !== undefined) await app.objects.discard(upload.file);
      }
      return reply;
    },
  });
}

function parse(schema: z.ZodType, value: unknown): unknown {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw invalidRequest(parsed.error);
  return parsed.data;
}

function invalidRequest(error: z.ZodError): AppError {
  const [issue] = error.issues;
  const path = issue?.code === "unrecognized_keys" ? issue.keys[0] : issue?.path[0];
  if (path === undefined) return new AppError("invalid_request", { cause: error });
  const field = String(path).slice(0, 100);
  return new AppError("invalid_request", { extra: { field }, detail: `Campo: ${field}.`, cause: error });
}

async function readBody(
  { app, bounds }: Edge,
  operation: Operation,
  caller: Caller | null,
  request: FastifyRequest,
  signal: AbortSignal,
): Promise<{ body: unknown; upload: ReceivedFile | undefined }> {
  switch (operation.body.kind) {
    case "none":
      return { body: undefined, upload: undefined };
    case "json":
      return { body: parse(operation.body.schema, await readJsonBody(request.raw, bounds.jsonBodyMs)), upload: undefined };
    case "upload": {
      const account = accountOf(caller);
      if (account === null) throw new AppError("not_authenticated");
      const limitMb = planOf(app, account.plan).zipMb;
      const { upload, fields } = await readUpload(request.raw, app.objects, { limitMb, signal, idleMs: bounds.uploadIdleMs });
      const parsed = operation.body.fields.safeParse(fields);
      if (parsed.success) return { body: parsed.data, upload };
      await app.objects.discard(upload.file);
      throw invalidConfig(parsed.error);
    }
  }
}

async function send(operation: Operation, answer: unknown, request: FastifyRequest, reply: FastifyReply, bounds: ApiBounds): Promise<void> {
  switch (operation.answer.kind) {
    case "json":
      reply.code(operation.answer.status).send(answer);
      return;
    case "empty":
      reply.code(204).send();
      return;
    case "events": {
      const stream = answer as EventAnswer;
      if (stream.wantsPage || request.headers.accept?.includes("application/json") === true) {
        reply.code(200).send(await stream.page());
        return;
      }
      await sendStream(stream, reply, bounds);
    }
  }
}

/** A stream that fails at once still answers an error; one that fails later just ends, and the reader resumes by its cursor. */
async function sendStream(stream: EventAnswer, reply: FastifyReply, bounds: ApiBounds): Promise<void> {
  const events = await begin(stream.events());
  reply.hijack();
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value);
  }
  await sendEvents(reply.raw, events, bounds).catch(() => reply.raw.destroy());
}

/** Waits for the first item, or a moment without one; rejects with what went wrong until then. */
async function begin<Item>(items: AsyncIterable<Item>): Promise<AsyncIterable<Item>> {
  const iterator = items[Symbol.asyncIterator]();
  const first = iterator.next();
  await Promise.race([first, delay(firstItemMs)]);
  return {
    async *[Symbol.asyncIterator]() {
      try {
        for (let result = await first; result.done !== true; result = await iterator.next()) yield result.value;
      } finally {
        await iterator.return?.();
      }
    },
  };
}

function withLastEventId(operation: Operation, request: FastifyRequest): unknown {
  const lastEventId = request.headers["last-event-id"];
  if (operation.answer.kind !== "events" || typeof lastEventId !== "string") return request.query;
  return { ...(request.query as object), cursor: lastEventId };
}

function accountOf(caller: Caller | null): Extract<Caller, { kind: "key" }>["account"] | null {
  return caller?.kind === "key" ? caller.account : null;
}

function signalOf(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  // An answer that was sent whole leaves nobody to tell.
  reply.raw.once("close", () => {
    if (!reply.raw.writableFinished) controller.abort();
  });
  return controller.signal;
}
