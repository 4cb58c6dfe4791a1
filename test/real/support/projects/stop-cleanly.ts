/** Ends a project that a test has shown, and holds what such tests measure and their deadlines. */

import assert from "node:assert/strict";
import { until } from "../../../support/until.ts";
import type { DeployedProject } from "./deployed-project.ts";
import type { RealHost } from "../cluster/real-host.ts";

/** Milliseconds of waits beside other projects that install and start. */
export const patient = 300_000;

/** The exit code of what does not end within the grace. */
const killed = "137";

export interface CleanStop {
  /** Seconds from the request to the status. */
  seconds: string;
  /** Exit code of the last run; null without runs. */
  exitCode: string | null;
  /** The project's log, at most 1000 lines. */
  log: string[];
}

/**
 * Stops a project whose process has run `runs` times: each run took the signal and was not killed, and
 * nothing of it is left.
 */
export async function stopCleanly(
  host: RealHost,
  project: DeployedProject,
  runs: number,
): Promise<CleanStop> {
  const begunMs = performance.now();
  await project.client.stopProject({ id: project.id });
  await project.is("stopped", patient);
  const seconds = secondsSince(begunMs);
  assert.deepEqual(host.pidsOf(project.id), []);
  const { log, codes } = await until(async () => {
    const lines = await project.lines({ section: "app" });
    const found = lines.flatMap(({ text, stream }) =>
      stream === "system" ? (/terminou com código (\d+)/.exec(text)?.[1] ?? []) : [],
    );
    return found.length === runs ? { log: lines.map(({ text }) => text), codes: found } : undefined;
  });
  assert.ok(!codes.includes(killed), `ended by force:\n${log.join("\n")}`);
  return { seconds, exitCode: codes.at(-1) ?? null, log };
}

export function secondsSince(begunMs: number): string {
  return `${((performance.now() - begunMs) / 1000).toFixed(1)} s`;
}
