/** The operators' admin API: tRPC over HTTP at `/admin`, mounted beside the REST facade. */

import { adminRouter, AppError, type Administration } from "@tijolo/protocol";
import { nodeHTTPRequestHandler } from "@trpc/server/adapters/node-http";
import type { FastifyInstance } from "fastify";
import { findCaller } from "../app/caller.ts";
import type { AppContext } from "../app/context.ts";

const prefix = "/admin/";
const maxBodyBytes = 64 * 1024;

export function createAdmin(server: FastifyInstance, app: AppContext, administration: Administration): void {
  server.all(`${prefix}*`, async (request, reply) => {
    const isOperator = await isOperatorsBearer(app, request.headers.authorization);
    reply.hijack();
    await nodeHTTPRequestHandler({
      req: request.raw,
      res: reply.raw,
      router: adminRouter,
      path: request.url.slice(prefix.length).split("?", 1)[0] ?? "",
      maxBodySize: maxBodyBytes,
      createContext: async () => ({ administration: isOperator ? administration : null }),
      onError: ({ error }) => {
        if (error.code === "INTERNAL_SERVER_ERROR") app.logger.error({ err: error }, "admin call failed");
      },
    });
  });
}

async function isOperatorsBearer(app: AppContext, authorization: string | undefined): Promise<boolean> {
  const secret = /^Bearer (\S+)$/i.exec(authorization ?? "")?.[1];
  if (secret === undefined) return false;
  try {
    return (await findCaller(app, secret)).kind === "operator";
  } catch (cause) {
    if (cause instanceof AppError) return false;
    throw cause;
  }
}
