/** Defines what was counted of the visits to a site (spec: Análise, which does not show its fields). */

import { z } from "zod";
import { component, described } from "../contract/described.ts";
import { timestamp } from "./project.ts";

export const analyticsIntervals = ["15m", "1h", "1d"] as const;
export type AnalyticsInterval = (typeof analyticsIntervals)[number];

export const analyticsIntervalSeconds: Record<AnalyticsInterval, number> = {
  "15m": 900,
  "1h": 3_600,
  "1d": 86_400,
};

/** Days between start and end, at most. */
export const mostAnalyticsDays = 31;
/** Days for which steps of 15 minutes are kept, and those for which hours are. */
export const keptQuarterDays = 7;
export const keptHourDays = 30;

const moment = z.iso.datetime().max(100).optional();

export const analyticsQuery = described(
  z.strictObject({ start: moment, end: moment, interval: z.enum(analyticsIntervals).default("1h") }),
  {
    start: {
      pt: "Começo do período; sem ele, 24 horas antes do fim.",
      en: "Start of the period; without it, 24 hours before the end.",
    },
    end: {
      pt: "Fim do período, até 31 dias depois do começo; sem ele, agora.",
      en: "End of the period, at most 31 days after the start; without it, now.",
    },
    interval: {
      pt: "Distância entre dois pontos. `15m` existe por 7 dias; antes disso a resposta tem `1h`.",
      en: "Distance between two points. `15m` exists for 7 days; before that the answer has `1h`.",
    },
  },
);

const count = z.int().min(0);
const milliseconds = z.number().min(0).nullable();

const words = {
  visits: {
    pt: "Visitantes diferentes, por estimativa: endereço e navegador, sem robôs, contados de novo a cada dia.",
    en: "Different visitors, estimated: address and browser, no bots, counted anew each day.",
  },
  requests: { pt: "Pedidos, com os de robôs.", en: "Requests, with those of bots." },
  bytes: { pt: "Bytes enviados.", en: "Bytes sent." },
};

export const analyticsPoint = component(
  "AnalyticsPoint",
  z.strictObject({ at: timestamp, visits: count, requests: count, bytes: count, errors: count }),
  {
    text: {
      pt: "O que foi contado num intervalo. Um intervalo sem pedidos não tem ponto.",
      en: "What was counted in an interval. An interval without requests has no point.",
    },
    fields: {
      at: { pt: "Começo do intervalo.", en: "The beginning of the interval." },
      ...words,
      errors: {
        pt: "Respostas com estado 500 ou maior.",
        en: "Responses with a status of 500 or more.",
      },
    },
  },
);
export type AnalyticsPoint = z.infer<typeof analyticsPoint>;

export const analyticsValue = component(
  "AnalyticsValue",
  z.strictObject({ value: z.string(), visits: count, requests: count, bytes: count }),
  {
    text: {
      pt: "Um valor dos mais frequentes. Contagens podem ser menores que a verdade, nunca maiores.",
      en: "One of the most frequent values. Counts may be lower than the truth, never higher.",
    },
    fields: {
      value: {
        pt: "O valor; `other` e `-`: não se sabe qual.",
        en: "The value; `other` and `-`: not known which.",
      },
      visits: words.visits,
      requests: { pt: "Pedidos com este valor.", en: "Requests with this value." },
      bytes: words.bytes,
    },
  },
);

const top = z.array(analyticsValue);

export const analyticsTop = component(
  "AnalyticsTop",
  z.strictObject({
    paths: top,
    referrers: top,
    countries: top,
    devices: top,
    browsers: top,
    systems: top,
    statuses: top,
    methods: top,
    bots: top,
  }),
  {
    text: {
      pt: "Os valores mais frequentes, até 32 de cada, por horas inteiras. Robôs só estão em `statuses`, `methods` e `bots`.",
      en: "The most frequent values, up to 32 of each, by whole hours. Bots are in `statuses`, `methods` and `bots` alone.",
    },
    fields: {
      paths: { pt: "Caminhos, sem a consulta.", en: "Paths, without the query." },
      referrers: { pt: "De que outro endereço vieram.", en: "Which other host led here." },
      countries: { pt: "Países, em duas letras.", en: "Countries, in two letters." },
      devices: { pt: "Aparelhos.", en: "Devices." },
      browsers: { pt: "Navegadores.", en: "Browsers." },
      systems: { pt: "Sistemas.", en: "Systems." },
      statuses: { pt: "Estados das respostas.", en: "Statuses of the responses." },
      methods: { pt: "Métodos.", en: "Methods." },
      bots: { pt: "Robôs e programas.", en: "Bots and programs." },
    },
  },
);

const analyticsTotals = described(
  z.strictObject({ visits: count, requests: count, bytes: count, botRequests: count }),
  { ...words, botRequests: { pt: "Pedidos de robôs.", en: "Requests of bots." } },
);

const analyticsLatency = described(
  z.strictObject({ p50: milliseconds, p95: milliseconds, p99: milliseconds }),
  {
    p50: { pt: "Metade das respostas não levou mais.", en: "Half of the responses took no longer." },
    p95: { pt: "95 em 100 não levaram mais.", en: "95 in 100 took no longer." },
    p99: { pt: "99 em 100 não levaram mais.", en: "99 in 100 took no longer." },
  },
);

/** An empty period has the full shape: zeros, null latencies, and empty lists. */
export const analytics = component(
  "Analytics",
  z.strictObject({
    start: timestamp,
    end: timestamp,
    intervalSeconds: z.int(),
    totals: analyticsTotals,
    latencyMs: analyticsLatency,
    series: z.array(analyticsPoint),
    top: analyticsTop,
  }),
  {
    text: {
      pt: "Visitas de um site num período. Nenhum endereço de visitante é guardado.",
      en: "Visits to a site in a period. No visitor's address is stored.",
    },
    fields: {
      start: {
        pt: "Começo do primeiro intervalo, que contém o começo pedido.",
        en: "Beginning of the first interval, which has the requested start in it.",
      },
      end: { pt: "Fim do último intervalo.", en: "End of the last interval." },
      intervalSeconds: {
        pt: "Distância entre dois pontos, em segundos.",
        en: "The distance between two points, in seconds.",
      },
      totals: { pt: "Somas do período.", en: "Sums of the period." },
      latencyMs: {
        pt: "Tempo até o começo da resposta, em milissegundos; null sem respostas.",
        en: "Time until the beginning of the response, in milliseconds; null without responses.",
      },
      series: { pt: "Os pontos, do mais velho ao mais novo.", en: "The points, oldest first." },
      top: { pt: "O mais frequente.", en: "What is most frequent." },
    },
  },
);
export type Analytics = z.infer<typeof analytics>;

export const analyticsAnswer = described(z.strictObject({ analytics }), {
  analytics: { pt: "As visitas.", en: "The visits." },
});
