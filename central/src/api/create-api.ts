/** Serves the HTTP edge: every operation of the table becomes a route; the handlers do the rest. */

import { AppError, operationNames, operations, type Operation, type OperationName } from "@tijolo/protocol";
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { accountOf } from "../app/identity/caller.ts";
import type { AppContext } from "../app/context.ts";
import { newId } from "../app/new-id.ts";
import { answerBrokenRequest, answerError } from "./edge/answer-error.ts";
import type { ApiBounds } from "./edge/api-bounds.ts";
import { authorize, authorizeNothing } from "./edge/authorize.ts";
import { callHandler } from "./edge/call-handler.ts";
import type { Handlers } from "./handlers/handlers.ts";
import { assertHost, leaveContentType, overlookExpectations, plainRequests } from "./edge/plain-requests.ts";
import { idempotencyKeyOf } from "./edge/idempotency-key.ts";
import { AllowedMethods, noOperationText } from "./edge/allowed-methods.ts";
import { namedAsSent, noBody, readBody, readParams, readQuery } from "./edge/read-input.ts";
import { watchRequest } from "./edge/request-watch.ts";
import { sendAnswer } from "./edge/send-answer.ts";
import { CompressedDocuments } from "./docs/send-document.ts";
import { answerWithPanel } from "./panel/answer-with-panel.ts";
import type { PanelFiles } from "./panel/panel-files.ts";

const basePath = "/api";

interface Edge {
  app: AppContext;
  handlers: Handlers;
  bounds: ApiBounds;
  compressed: CompressedDocuments;
  answer: (error: unknown, request: FastifyRequest, reply: FastifyReply) => void;
}

export function createApi(
  app: AppContext,
  handlers: Handlers,
  { bounds, panel }: { bounds: ApiBounds; panel: PanelFiles },
): FastifyInstance {
  const { logger } = app;
  const answer = (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
    answerError(error, request, reply, { logger, lingerMs: bounds.lingerMs });
  /** Answers requests that lead to no operation. */
  const answerNowhere = async (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const refusal = await authorizeNothing(app, request, reply).catch((cause: unknown) => cause);
    answer(refusal ?? error, request, reply);
  };
  const server = fastify({
    logger: false,
    genReqId: () => newId(app),
    frameworkErrors: (error, request, reply) => void answerNowhere(error, request, reply),
    clientErrorHandler: (error, socket) =>
      answerBrokenRequest(error, socket, { requestId: newId(app), lingerMs: bounds.lingerMs }),
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 200 },
    http: { headersTimeout: 30_000, requestTimeout: 0, ...plainRequests },
  });
  overlookExpectations(server.server);
  // Bodies are read by the operation, after the checks that come before them.
  server.removeAllContentTypeParsers();
  server.addContentTypeParser("*", (_request, _payload, done) => done(null));
  server.addHook("onRequest", (request, reply, done) => {
    reply.header("x-request-id", request.id);
    leaveContentType(request);
    try {
      assertHost(request.raw);
      done();
    } catch (cause) {
      void answerNowhere(cause, request, reply);
    }
  });
  server.setErrorHandler(answer);
  const allowedMethods = new AllowedMethods(basePath);
  server.setNotFoundHandler(async (request, reply) => {
    if (await answerWithPanel(panel, request, reply)) return reply;
    const methods = allowedMethods.of(request.url);
    if (methods.length > 0) reply.header("allow", methods.join(", "));
    return answerNowhere(
      new AppError("not_found", { detail: noOperationText(request.method, methods) }),
      request,
      reply,
    );
  });
  const edge = { app, handlers, bounds, answer, compressed: new CompressedDocuments(app.clock) };
  for (const name of operationNames) addRoute(server, edge, name);
  return server;
}

function addRoute(server: FastifyInstance, edge: Edge, name: OperationName): void {
  const { answer } = edge;
  const operation: Operation = operations[name];
  server.route({
    method: operation.method === "GET" ? ["GET", "HEAD"] : operation.method,
    url: basePath + operation.path.replace(/\{(\w+)\}/g, ":$1"),
    exposeHeadRoute: false,
    errorHandler: (error, request, reply) => answer(namedAsSent(operation, request, error), request, reply),
    handler: async (request, reply) => {
      if (isCut(request)) return reply.callNotFound();
      await answerCall(edge, name, { request, reply });
      return reply;
    },
  });
}

/** Checks and reads one request, calls the operation, and sends its answer; throws what refuses it. */
async function answerCall(
  edge: Edge,
  name: OperationName,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<void> {
  const { app, bounds, compressed } = edge;
  const operation: Operation = operations[name];
  const caller = await authorize(app, operation, request, reply);
  const params = readParams(operation, request);
  const query = readQuery(operation, request);
  const idempotencyKey = idempotencyKeyOf(operation, request);
  using watch = watchRequest(app, operation, { caller, request, reply, everyMs: bounds.callerCheckMs });
  const received =
    operation.body.kind === "none"
      ? noBody
      : await readBody(app, operation, {
          request,
          account: accountOf(caller),
          signal: watch.signal,
          bounds,
        });
  try {
    watch.assertAllowed();
    const call = { name, caller, request, reply, params, query, ...received, signal: watch.signal };
    const result = await callHandler(edge, call, idempotencyKey);
    await sendAnswer(operation, result, { request, reply, compressed, bounds, signal: watch.signal });
  } finally {
    if (received.upload !== undefined) await app.objects.discard(received.upload.file);
  }
}

/** True when a parameter of the path is empty: such an address leads nowhere. */
function isCut({ params }: FastifyRequest): boolean {
  return Object.values(params as object).includes("");
}
