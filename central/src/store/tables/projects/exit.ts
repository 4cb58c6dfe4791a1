/** Holds the SQL of the exits of projects. */

import type { LastExit } from "@tijolo/protocol";
import type { Reader, Transaction } from "../../store.ts";

export interface ExitRow {
  runNumber: number;
  code: number;
  isOutOfMemory: boolean;
  isCrash: boolean;
  at: number;
}

export async function insertExit(
  tx: Transaction,
  entry: {
    projectId: string;
    hostId: string;
    sequence: number;
    runNumber: number;
    exit: LastExit;
    isCrash: boolean;
  },
): Promise<void> {
  await tx
    .insertInto("project_exit")
    .values({
      project_id: entry.projectId,
      host_id: entry.hostId,
      sequence: entry.sequence,
      run_number: entry.runNumber,
      code: entry.exit.code,
      is_out_of_memory: entry.exit.isOutOfMemory ? 1 : 0,
      is_crash: entry.isCrash ? 1 : 0,
      exited_at: Date.parse(entry.exit.exitedAt),
    })
    .execute();
}

/**
 * Returns exits, newest first; only those before `before`: earlier, or of an earlier run at the same time.
 */
export async function listExits(
  db: Reader,
  projectId: string,
  { before, limit }: { before: { at: number; runNumber: number } | undefined; limit: number },
): Promise<ExitRow[]> {
  let query = db.selectFrom("project_exit").selectAll().where("project_id", "=", projectId);
  if (before !== undefined) {
    const { at, runNumber } = before;
    query = query.where((is) =>
      is.or([is("exited_at", "<", at), is("exited_at", "=", at).and("run_number", "<", runNumber)]),
    );
  }
  const rows = await query.orderBy("exited_at", "desc").orderBy("run_number", "desc").limit(limit).execute();
  return rows.map((row) => ({
    runNumber: row.run_number,
    code: row.code,
    isOutOfMemory: row.is_out_of_memory === 1,
    isCrash: row.is_crash === 1,
    at: row.exited_at,
  }));
}

/** Removes exits before that time, at most `limit`; returns how many. */
export async function deleteExitsBefore(tx: Transaction, before: number, limit: number): Promise<number> {
  const old = await tx
    .selectFrom("project_exit")
    .select(["host_id", "sequence"])
    .where("exited_at", "<", before)
    .orderBy("exited_at")
    .limit(limit)
    .execute();
  for (const { host_id: hostId, sequence } of old) {
    await tx
      .deleteFrom("project_exit")
      .where("host_id", "=", hostId)
      .where("sequence", "=", sequence)
      .execute();
  }
  return old.length;
}
