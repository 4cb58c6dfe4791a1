/**
 * Reads the operator's changes of plans and limits from a JSON file: `{ "plans": { "Free": { "memoryMb": 1024
 * } }, "limits": { … } }`.
 */

import { readFile } from "node:fs/promises";
import {
  defaultServiceLimits,
  plan,
  planNames,
  plans,
  serviceLimits,
  type Plan,
  type PlanName,
  type ServiceLimits,
} from "@tijolo/protocol";
import { z } from "zod";

export interface PlanTable {
  plans: ReadonlyMap<PlanName, Plan>;
  limits: ServiceLimits;
}

const plansFile = z.strictObject({
  $schema: z.string().optional(),
  plans: z.partialRecord(z.enum(planNames), plan.omit({ name: true }).partial()).default({}),
  limits: serviceLimits.partial().default({}),
});

/** Returns the defaults with the file's values over them. Throws a sentence with the file and the field. */
export async function readPlansFile(path: string | null): Promise<PlanTable> {
  if (path === null) return { plans, limits: defaultServiceLimits };
  const parsed = plansFile.safeParse(await readJson(path));
  if (!parsed.success)
    throw new Error(`TIJOLO_PLANS_FILE ${path}: ${parsed.error.issues.map(sentenceOf).join(" ")}`);
  const changes = parsed.data;
  return {
    plans: new Map(
      [...plans].map(([name, defaults]) => [name, plan.parse({ ...defaults, ...changes.plans[name] })]),
    ),
    limits: serviceLimits.parse({ ...defaultServiceLimits, ...changes.limits }),
  };
}

async function readJson(path: string): Promise<unknown> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (cause) {
    throw new Error(`TIJOLO_PLANS_FILE ${path} cannot be read.`, { cause });
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Error(
      `TIJOLO_PLANS_FILE ${path} is not JSON: ${cause instanceof Error ? cause.message : String(cause)}.`,
      { cause },
    );
  }
}

/** Returns where in the file something is wrong, and what. */
function sentenceOf(issue: z.core.$ZodIssue): string {
  const at = issue.path.length === 0 ? "" : `${issue.path.join(".")}: `;
  if (issue.code === "unrecognized_keys")
    return `${at}${issue.keys.join(", ")} is not known; check the spelling.`;
  return `${at}${issue.message}.`;
}
