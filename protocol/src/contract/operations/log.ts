/** Logs (spec: GET /projects/{id}/logs). */

import { z } from "zod";
import { logEvent, logGap, logLine, logQuery } from "../../nouns/log.ts";
import { operation } from "../operation.ts";
import { oneProject } from "./inputs.ts";

export const logOperations = {
  streamLogs: operation({
    method: "GET",
    path: "/projects/{id}/logs",
    tag: "Logs e métricas",
    summary: "Acompanha os logs ao vivo",
    access: { kind: "key", scope: "logs:read" },
    effect: "read",
    params: oneProject,
    query: logQuery,
    body: { kind: "none" },
    answer: {
      kind: "events",
      event: logEvent,
      page: z.strictObject({
        lines: z.array(logLine),
        gaps: z.array(logGap),
        nextCursor: z.string().nullable(),
        previousCursor: z.string().nullable(),
      }),
    },
    errors: ["not_found", "too_many_requests", "server_unavailable"],
  }),
};
