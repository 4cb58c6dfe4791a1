/** The operators' admin API: tRPC over HTTP at `/admin`, mounted beside the REST facade. */

import { adminRouter, AppError, type Administration } from "@tijolo/protocol";
import { nodeHTTPRequestHandler } from "@trpc/server/adapters/node-http";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { actorOf, findCaller, type Actor } from "../app/identity/caller.ts";
import type { AppContext } from "../app/context.ts";

const prefix = "/admin/";
const maxBodyBytes = 64 * 1024;

export function createAdmin(
  server: FastifyInstance,
  app: AppContext,
  administrationOf: (operator: Actor) => Administration,
): void {
  server.all(`${prefix}*`, async (request, reply) => {
    const operator = await findOperator(app, request);
    reply.hijack();
    await nodeHTTPRequestHandler({
      req: request.raw,
      res: reply.raw,
      router: adminRouter,
      path: request.url.slice(prefix.length).split("?", 1)[0] ?? "",
      maxBodySize: maxBodyBytes,
      createContext: async () => ({ administration: operator === null ? null : administrationOf(operator) }),
      onError: ({ error }) => {
        if (error.code === "INTERNAL_SERVER_ERROR") app.logger.error({ err: error }, "admin call failed");
      },
    });
  });
}

/**
 * Throws `too_many_attempts`, before it comes to a call, when too many wrong tokens came from where this one
 * does.
 */
async function findOperator(app: AppContext, request: FastifyRequest): Promise<Actor | null> {
  const secret = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? "")?.[1];
  if (secret === undefined) return null;
  try {
    const address = app.proxies.addressOf(request.raw);
    const caller = await findCaller(app, secret, address);
    return caller.kind === "operator" ? actorOf(caller, address) : null;
  } catch (cause) {
    if (cause instanceof AppError && cause.code === "invalid_api_key") return null;
    throw cause;
  }
}
