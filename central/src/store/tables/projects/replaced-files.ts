/** Holds the SQL of the files that versions replaced, as hosts report them. */

import { z } from "zod";
import type { Reader, Transaction } from "../../store.ts";

const pathList = z.array(z.string());

export interface ReplacedFilesRow {
  versionNumber: number;
  /** Time of the report. */
  at: number;
  count: number;
  paths: string[];
}

/** Saves what a version replaced; a later report of the same version counts. */
export async function saveReplacedFiles(
  tx: Transaction,
  { projectId, versionNumber, at, count, paths }: ReplacedFilesRow & { projectId: string },
): Promise<void> {
  await tx
    .deleteFrom("replaced_files")
    .where("project_id", "=", projectId)
    .where("version_number", "=", versionNumber)
    .execute();
  await tx
    .insertInto("replaced_files")
    .values({
      project_id: projectId,
      version_number: versionNumber,
      reported_at: at,
      file_count: count,
      paths: JSON.stringify(paths),
    })
    .execute();
}

/**
 * Returns what versions replaced, newest first; only what was reported before `before`: earlier, or of an
 * earlier version at the same time.
 */
export async function listReplacedFiles(
  db: Reader,
  projectId: string,
  { before, limit }: { before: { at: number; versionNumber: number } | undefined; limit: number },
): Promise<ReplacedFilesRow[]> {
  let query = db.selectFrom("replaced_files").selectAll().where("project_id", "=", projectId);
  if (before !== undefined) {
    const { at, versionNumber } = before;
    query = query.where((is) =>
      is.or([
        is("reported_at", "<", at),
        is("reported_at", "=", at).and("version_number", "<", versionNumber),
      ]),
    );
  }
  const newestFirst = query.orderBy("reported_at", "desc").orderBy("version_number", "desc");
  return (await newestFirst.limit(limit).execute()).map((row) => ({
    versionNumber: row.version_number,
    at: row.reported_at,
    count: row.file_count,
    paths: pathList.parse(JSON.parse(row.paths)),
  }));
}

/** Removes what was reported before that time, at most `limit`; returns how many. */
export async function deleteReplacedFilesBefore(
  tx: Transaction,
  before: number,
  limit: number,
): Promise<number> {
  const old = await tx
    .selectFrom("replaced_files")
    .select(["project_id", "version_number"])
    .where("reported_at", "<", before)
    .orderBy("reported_at")
    .limit(limit)
    .execute();
  for (const { project_id: projectId, version_number: versionNumber } of old) {
    await tx
      .deleteFrom("replaced_files")
      .where("project_id", "=", projectId)
      .where("version_number", "=", versionNumber)
      .execute();
  }
  return old.length;
}
