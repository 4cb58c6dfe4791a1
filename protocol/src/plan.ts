/** The plans: rates from the spec ("Limits"), the rest Tijolo's defaults, which an operator can override. */

import { z } from "zod";

export const planNames = ["Free", "Block", "Stack", "Tower", "Fortress", "Empresas"] as const;

export type PlanName = (typeof planNames)[number];

export const planName = z.enum(planNames);

export const plan = z.strictObject({
  name: planName,
  requestsPerMinute: z.int().min(1),
  requestsPerDay: z.int().min(1),
  /** Sum of `memoryMb` over the account's projects. */
  memoryMb: z.int().min(0),
  projects: z.int().min(0),
  sites: z.int().min(0),
  zipMb: z.int().min(1),
  diskMbPerProject: z.int().min(1),
  versionsKept: z.int().min(1),
  /** Paid plans restart a crashed project by themselves (spec: `hasAutoRestart`). */
  hasAutoRestart: z.boolean(),
});
export type Plan = z.infer<typeof plan>;

const rows: readonly [PlanName, number, number, number, number, number, number, number, number][] = [
  ["Free", 10, 5_000, 512, 2, 0, 50, 1_024, 2],
  ["Block", 30, 43_200, 2_048, 5, 2, 100, 4_096, 5],
  ["Stack", 60, 86_400, 4_096, 12, 6, 200, 8_192, 10],
  ["Tower", 120, 172_800, 8_192, 25, 15, 400, 10_240, 20],
  ["Fortress", 180, 259_200, 16_384, 50, 30, 800, 20_480, 30],
  ["Empresas", 240, 345_600, 65_536, 200, 100, 2_048, 51_200, 50],
];

function planOfRow(row: (typeof rows)[number]): Plan {
  const [name, requestsPerMinute, requestsPerDay, memoryMb, projects, sites, zipMb, diskMbPerProject, versionsKept] = row;
  return {
    name,
    requestsPerMinute,
    requestsPerDay,
    memoryMb,
    projects,
    sites,
    zipMb,
    diskMbPerProject,
    versionsKept,
    hasAutoRestart: name !== "Free",
  };
}

export const plans: ReadonlyMap<PlanName, Plan> = new Map(rows.map((row) => [row[0], planOfRow(row)]));

export function getPlan(name: PlanName): Plan {
  const plan = plans.get(name);
  if (plan === undefined) throw new Error(`no plan ${name}`);
  return plan;
}

/** The least `memoryMb` of a project: static site 64, other site 512, bot 128 on Free and 256 on paid plans. */
export function minimumMemoryMb(plan: Plan, project: { type: "bot" | "site"; language: string }): number {
  if (project.language === "static") return 64;
  if (project.type === "site") return 512;
  return plan.name === "Free" ? 128 : 256;
}
