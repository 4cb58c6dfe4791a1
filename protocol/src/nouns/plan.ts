/**
 * Defines the plans: rates from the spec ("Limits"), the rest Tijolo's defaults; an operator can override
 * them.
 */

import { z } from "zod";
import { described } from "../contract/described.ts";
import { sharedWords } from "../contract/shared-words.ts";

export { minimumMemoryMb } from "../project/minimum-memory.ts";

export const planNames = ["Free", "Block", "Stack", "Tower", "Fortress", "Empresas"] as const;

export type PlanName = (typeof planNames)[number];

export const planName = z.enum(planNames);

/** Plan of the account that a new cluster begins with. */
export const firstPlan: PlanName = "Stack";

export const plan = described(
  z.strictObject({
    name: planName,
    requestsPerMinute: z.int().min(1),
    requestsPerDay: z.int().min(1),
    memoryMb: z.int().min(0),
    projects: z.int().min(0),
    sites: z.int().min(0),
    /** Own domains of all sites of the account together. */
    domains: z.int().min(0),
    zipMb: z.int().min(1),
    diskMbPerProject: z.int().min(1),
    versionsKept: z.int().min(1),
    /** Paid plans restart a crashed project by themselves (spec: `hasAutoRestart`). */
    hasAutoRestart: z.boolean(),
  }),
  {
    name: sharedWords.name,
    projects: sharedWords.projects,
    requestsPerMinute: { pt: "Requisições por minuto.", en: "Requests per minute." },
    requestsPerDay: { pt: "Requisições por dia.", en: "Requests per day." },
    memoryMb: { pt: "Memória dos projetos, somada, em MB.", en: "The projects' memory together, in MB." },
    sites: { pt: "Quantos sites.", en: "How many sites." },
    domains: {
      pt: "Quantos domínios próprios, em todos os sites.",
      en: "How many own domains, on all sites together.",
    },
    zipMb: { pt: "Tamanho do .zip, em MB.", en: "The size of the .zip, in MB." },
    diskMbPerProject: { pt: "Disco de cada projeto, em MB.", en: "The disk of each project, in MB." },
    versionsKept: { pt: "Envios guardados de cada projeto.", en: "Uploads stored of each project." },
    hasAutoRestart: {
      pt: "Se um projeto que cai volta sozinho.",
      en: "Whether a crashed project restarts by itself.",
    },
  },
);
export type Plan = z.infer<typeof plan>;

const defaults: readonly Plan[] = [
  {
    name: "Free",
    requestsPerMinute: 10,
    requestsPerDay: 5_000,
    memoryMb: 512,
    projects: 2,
    sites: 0,
    domains: 0,
    zipMb: 50,
    diskMbPerProject: 1_024,
    versionsKept: 2,
    hasAutoRestart: false,
  },
  {
    name: "Block",
    requestsPerMinute: 30,
    requestsPerDay: 43_200,
    memoryMb: 2_048,
    projects: 5,
    sites: 2,
    domains: 3,
    zipMb: 100,
    diskMbPerProject: 4_096,
    versionsKept: 5,
    hasAutoRestart: true,
  },
  {
    name: "Stack",
    requestsPerMinute: 60,
    requestsPerDay: 86_400,
    memoryMb: 4_096,
    projects: 12,
    sites: 6,
    domains: 10,
    zipMb: 200,
    diskMbPerProject: 8_192,
    versionsKept: 10,
    hasAutoRestart: true,
  },
  {
    name: "Tower",
    requestsPerMinute: 120,
    requestsPerDay: 172_800,
    memoryMb: 8_192,
    projects: 25,
    sites: 15,
    domains: 30,
    zipMb: 400,
    diskMbPerProject: 10_240,
    versionsKept: 20,
    hasAutoRestart: true,
  },
  {
    name: "Fortress",
    requestsPerMinute: 180,
    requestsPerDay: 259_200,
    memoryMb: 16_384,
    projects: 50,
    sites: 30,
    domains: 60,
    zipMb: 800,
    diskMbPerProject: 20_480,
    versionsKept: 30,
    hasAutoRestart: true,
  },
  {
    name: "Empresas",
    requestsPerMinute: 240,
    requestsPerDay: 345_600,
    memoryMb: 65_536,
    projects: 200,
    sites: 100,
    domains: 300,
    zipMb: 2_048,
    diskMbPerProject: 51_200,
    versionsKept: 50,
    hasAutoRestart: true,
  },
];

export const plans: ReadonlyMap<PlanName, Plan> = new Map(defaults.map((plan) => [plan.name, plan]));

export function getPlan(name: PlanName): Plan {
  const plan = plans.get(name);
  if (plan === undefined) throw new Error(`no plan ${name}`);
  return plan;
}
