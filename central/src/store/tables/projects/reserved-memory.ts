/**
 * Computes what a project holds of its plan and of its host: a change is pending until the next start, and
 * until then the run keeps what it was started with.
 */

import { sql, type RawBuilder } from "kysely";

/** SQL for queries that read from `project`; {@link reservedMemoryOf} computes the same of a row. */
export const reservedMemoryMb: RawBuilder<number> = sql<number>`case
  when project.run = 'on' and project.running_memory_mb > project.memory_mb then project.running_memory_mb
  else project.memory_mb end`;

export function reservedMemoryOf({
  run,
  settings,
  runningSettings,
}: {
  run: "on" | "off";
  settings: { memoryMb: number };
  runningSettings: { memoryMb: number } | null;
}): number {
  return run === "on" ? Math.max(settings.memoryMb, runningSettings?.memoryMb ?? 0) : settings.memoryMb;
}
