/** Defines a project's usage over time (spec: GET /projects/{id}/metrics; open parts are decided here). */

import { z } from "zod";
import { component, described } from "../contract/described.ts";
import { sharedWords } from "../contract/shared-words.ts";
import { timestamp } from "./project.ts";
import { id } from "../values/id.ts";

export const metricRanges = ["1h", "6h", "24h", "7d", "30d"] as const;
export type MetricRange = (typeof metricRanges)[number];

/** Length of each range, and the distance of its points, in seconds. */
export const metricSteps: Record<MetricRange, { rangeSeconds: number; stepSeconds: number }> = {
  "1h": { rangeSeconds: 3_600, stepSeconds: 15 },
  "6h": { rangeSeconds: 6 * 3_600, stepSeconds: 60 },
  "24h": { rangeSeconds: 24 * 3_600, stepSeconds: 300 },
  "7d": { rangeSeconds: 7 * 86_400, stepSeconds: 1_800 },
  "30d": { rangeSeconds: 30 * 86_400, stepSeconds: 7_200 },
};

export const metricQuery = described(z.strictObject({ range: z.enum(metricRanges).default("1h") }), {
  range: { pt: "Até onde no passado.", en: "How far into the past." },
});

/**
 * Averages over one step that begins at `at`, weighted by time; the newest step is still open. A step without
 * a report of the host has no point: gaps stay gaps.
 */
export const metricPoint = component(
  "MetricPoint",
  z.strictObject({
    at: timestamp,
    memoryMb: z.number(),
    cpuPercent: z.number(),
    networkInBps: z.int(),
    networkOutBps: z.int(),
    diskMb: z.int().nullable(),
  }),
  {
    text: {
      pt: "Médias de um intervalo. Um intervalo sem medida não tem ponto.",
      en: "Averages of an interval. An interval without a measurement has no point.",
    },
    fields: {
      at: { pt: "Começo do intervalo.", en: "The beginning of the interval." },
      memoryMb: sharedWords.memoryInUse,
      cpuPercent: sharedWords.cpuInUse,
      networkInBps: sharedWords.networkInBps,
      networkOutBps: sharedWords.networkOutBps,
      diskMb: {
        pt: "Quanto os arquivos do projeto ocupam; null enquanto não foi medido.",
        en: "How much the project's files take; null until it was measured.",
      },
    },
  },
);
export type MetricPoint = z.infer<typeof metricPoint>;

/** Oldest point first; the limits beside what {@link metricPoint} has of each. */
export const metrics = component(
  "Metrics",
  z.strictObject({
    stepSeconds: z.int(),
    memoryLimitMb: z.int(),
    /**
     * Processor limit, 100 = one full core; null where no process of the project runs (`static`), or its host
     * has not reported its processors yet.
     */
    cpuLimitPercent: z.int().nullable(),
    /** Disk limit that the plan gives the project, whatever its disk still has at this moment. */
    diskLimitMb: z.int(),
    points: z.array(metricPoint),
  }),
  {
    text: {
      pt: "Uso do projeto ao longo do tempo, do ponto mais velho ao mais novo.",
      en: "The project's usage over time, oldest point first.",
    },
    fields: {
      stepSeconds: {
        pt: "Distância entre dois pontos, em segundos.",
        en: "The distance between two points, in seconds.",
      },
      memoryLimitMb: {
        pt: "Quanta memória o projeto pode usar, em MB: a da execução atual ou, parado, a da próxima.",
        en: "How much memory the project may use, in MB: in the current run or, while stopped, in the next.",
      },
      cpuLimitPercent: {
        pt: "Quanto processador pode usar; 100 é um núcleo inteiro. null em `static`, que não tem processo.",
        en: "How much processor it may use; 100 is one full core. null for `static`, which has no process.",
      },
      diskLimitMb: {
        pt: "Quanto os arquivos do projeto podem ocupar no plano da conta.",
        en: "How much the project's files may take on the account's plan.",
      },
      points: { pt: "Os pontos; lacunas ficam lacunas.", en: "The points; gaps stay gaps." },
    },
  },
);
export type Metrics = z.infer<typeof metrics>;

export const sparklineRanges = ["1h", "24h"] as const;
export type SparklineRange = (typeof sparklineRanges)[number];

/** Distance and number of the points of a sparkline, by range: few, since an account may have many projects. */
export const sparklineSteps: Record<SparklineRange, { stepSeconds: number; points: number }> = {
  "1h": { stepSeconds: 120, points: 30 },
  "24h": { stepSeconds: 3_600, points: 24 },
};

export const sparklineQuery = described(z.strictObject({ range: z.enum(sparklineRanges).default("1h") }), {
  range: { pt: "Até onde no passado.", en: "How far into the past." },
});

const sparklinePoints = z.array(z.number().nullable());

/** Usage of every project of the account in few points: numbers in lists, as they may be five hundred projects. */
export const accountMetrics = component(
  "AccountMetrics",
  z.strictObject({
    stepSeconds: z.int(),
    from: timestamp,
    projects: z.array(
      described(z.strictObject({ id, memoryMb: sparklinePoints, cpuPercent: sparklinePoints }), {
        id: sharedWords.id,
        memoryMb: {
          pt: "Memória em MB, do ponto mais velho ao mais novo; uma lacuna é null.",
          en: "Memory in MB, oldest point first; a gap is null.",
        },
        cpuPercent: {
          pt: "Processador, do ponto mais velho ao mais novo, 100 = um núcleo inteiro; uma lacuna é null.",
          en: "Processor, oldest point first, 100 = one full core; a gap is null.",
        },
      }),
    ),
  }),
  {
    text: {
      pt: "Uso de todos os projetos da conta ao longo do tempo, em poucos pontos.",
      en: "The usage of all the account's projects over time, in few points.",
    },
    fields: {
      stepSeconds: {
        pt: "Distância entre dois pontos, em segundos.",
        en: "The distance between two points, in seconds.",
      },
      from: { pt: "Começo do primeiro ponto.", en: "The beginning of the first point." },
      projects: {
        pt: "Um por projeto; todos têm o mesmo número de pontos.",
        en: "One for each project; all have the same number of points.",
      },
    },
  },
);
export type AccountMetrics = z.infer<typeof accountMetrics>;
