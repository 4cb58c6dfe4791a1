/** SQL of what was uploaded to projects. */

import type { Reader, Transaction } from "../store.ts";

export async function insertVersion(
  tx: Transaction,
  version: { projectId: string; number: number; sha256: string; sizeBytes: number; createdAt: number },
): Promise<void> {
  await tx
    .insertInto("version")
    .values({
      project_id: version.projectId,
      number: version.number,
      archive_sha256: version.sha256,
      size_bytes: version.sizeBytes,
      created_at: version.createdAt,
    })
    .execute();
}

/** The version is what its host says, whatever was known under its number. */
export async function replaceVersion(
  tx: Transaction,
  version: Parameters<typeof insertVersion>[1],
): Promise<void> {
  const { projectId, number } = version;
  await tx.deleteFrom("version").where("project_id", "=", projectId).where("number", "=", number).execute();
  await insertVersion(tx, version);
}

/** Versions below `keepFrom` are forgotten; their archives go when nothing names them any more. */
export async function deleteVersionsBelow(
  tx: Transaction,
  projectId: string,
  keepFrom: number,
): Promise<void> {
  await tx.deleteFrom("version").where("project_id", "=", projectId).where("number", "<", keepFrom).execute();
}

export async function isArchiveUsed(db: Reader, sha256: string): Promise<boolean> {
  return (
    (await db
      .selectFrom("version")
      .select("number")
      .where("archive_sha256", "=", sha256)
      .limit(1)
      .executeTakeFirst()) !== undefined
  );
}
