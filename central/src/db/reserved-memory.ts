import { sql, type RawBuilder } from "kysely";

/**
 * What a project holds of its plan and of its host: a change waits for the next start, and until then the run keeps what it was started with.
 * For queries that read from `project`.
 */
export const reservedMemoryMb: RawBuilder<number> = sql<number>`case
  when project.run = 'on' and project.running_memory_mb > project.memory_mb then project.running_memory_mb
  else project.memory_mb end`;
