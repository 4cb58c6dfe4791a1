/** Defines the operation of metrics (spec: GET /projects/{id}/metrics). */

import { accountMetrics, metricQuery, metrics, sparklineQuery } from "../../nouns/metric.ts";
import { operation } from "../operation.ts";
import { none, oneProject } from "./inputs.ts";
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
  getAccountMetrics: operation({
    method: "GET",
    path: "/account/metrics",
    tag: tags.logs,
    summary: {
      pt: "Mostra o uso de todos os projetos da conta, em poucos pontos",
      en: "Shows the usage of all the account's projects, in few points",
    },
    text: {
      pt: "Memória e processador de cada projeto numa resposta só, para gráficos pequenos: 30 pontos em `1h`, 24 em `24h`.",
      en: "Memory and processor of each project in a single response, for small charts: 30 points in `1h`, 24 in `24h`.",
    },
    access: { kind: "key", scope: "metrics:read" },
    effect: "read",
    params: none,
    query: sparklineQuery,
    body: { kind: "none" },
    answer: { kind: "json", status: 200, schema: accountMetrics },
    errors: [],
  }),
};
