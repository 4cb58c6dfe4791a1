/** Metrics (spec: GET /projects/{id}/metrics). */

import { metricQuery, metrics } from "../../nouns/metric.ts";
import { operation } from "../operation.ts";
import { oneProject } from "./inputs.ts";

export const metricOperations = {
  getMetrics: operation({
    method: "GET",
    path: "/projects/{id}/metrics",
    tag: "Logs e métricas",
    summary: "Mostra o uso do projeto ao longo do tempo",
    access: { kind: "key", scope: "metrics:read" },
    effect: "read",
    params: oneProject,
    query: metricQuery,
    body: { kind: "none" },
    answer: { kind: "json", status: 200, schema: metrics },
    errors: ["not_found"],
  }),
};
