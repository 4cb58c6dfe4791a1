/** Runs the checks of `tijolo doctor` for the services that are installed on this machine. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { gatewayUnit } from "../install/gateway/gateway-unit.ts";
import { places } from "../install/places.ts";
import type { Messages } from "../messages.ts";
import { agentChecks } from "./agent-checks.ts";
import { centralChecks } from "./central-checks.ts";
import { fail, releaseCheck, type Check, type CheckResult } from "./check.ts";
import { gatewayChecks } from "./gateway-checks.ts";

/** Holds what came of one check. */
export interface CheckReport extends CheckResult, Pick<Check, "part" | "id"> {
  /** Says what to do; it is null where all is well. */
  advice: string | null;
}

/** Returns the checks of all that is installed here; none on another machine. */
export function ownChecks(environment: Readonly<Record<string, string | undefined>>): Check[] {
  const checkRelease = releaseCheck();
  return [
    ...(existsSync(places.central) ? centralChecks(environment, checkRelease) : []),
    ...(existsSync(join(places.units, gatewayUnit)) ? gatewayChecks(checkRelease) : []),
    ...(existsSync(places.agent) ? agentChecks(checkRelease) : []),
  ];
}

/** Runs one after the other; those that have nothing to judge by are left out. */
export async function* runChecks(
  checks: readonly Check[],
  { doctor: texts }: Pick<Messages, "doctor">,
): AsyncGenerator<CheckReport> {
  for (const { part, id, run } of checks) {
    const result = await run().catch((cause: unknown) =>
      fail(cause instanceof Error ? cause.message : String(cause)),
    );
    if (result !== null)
      yield { part, id, ...result, advice: result.status === "ok" ? null : texts.checks[id].advice };
  }
}

const marks = { ok: "✓", warn: "!", fail: "✗" } as const;

/** Returns the lines that people are shown. */
export function linesOf(
  { part, id, status, found, advice }: CheckReport,
  { doctor: texts }: Pick<Messages, "doctor">,
): string[] {
  const line = `${marks[status]} ${part}: ${texts.checks[id].name} (${found})`;
  return advice === null ? [line] : [line, `    ${advice}`];
}
