/** Defines the operation of metrics (spec: GET /projects/{id}/metrics). */

import { metricQuery, metrics } from "../../nouns/metric.ts";
import { operation } from "../operation.ts";
import { oneProject } from "./inputs.ts";
import { tags } from "../tags.ts";

export const metricOperations = {
  getMetrics: operation({
    method: "GET",
    path: "/projects/{id}/metrics",
    tag: tags.logs,
    summary: { pt: "Mostra o uso do projeto ao longo do tempo", en: "Shows the project's usage over time" },
    text: {
      pt: "Quanto mais longe no passado, mais largos os intervalos. Guardado por 30 dias.",
      en: "The further back, the wider the intervals. Stored for 30 days.",
    },
    access: { kind: "key", scope: "metrics:read" },
    effect: "read",
    params: oneProject,
    query: metricQuery,
    body: { kind: "none" },
    answer: { kind: "json", status: 200, schema: metrics },
    errors: ["not_found"],
  }),
};
