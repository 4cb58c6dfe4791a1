/** Holds the SQL of which settings of a project its uploads have decided. */

import { z } from "zod";
import type { Reader, Transaction } from "../../store.ts";

/**
 * Says which settings follow the uploads, so that the next one can change them: what a PATCH or the panel has
 * set is not in it.
 */
const settingsOrigin = z.object({
  /** Fields that the newest `svc.json` named. */
  svcJson: z.array(z.string()),
  /**
   * True when nobody named the runtime's version: it was chosen by the project's files, or is the default.
   */
  isVersionChosen: z.boolean(),
  /** The entry file, where it came with the upload or its install makes it; otherwise null. */
  entry: z.string().nullable(),
});

export type SettingsOrigin = z.infer<typeof settingsOrigin>;

/**
 * Returns the origin of a version's settings; null for a version of a restored project, and for one from
 * before it was recorded.
 */
export async function findSettingsOrigin(
  db: Reader,
  { projectId, number }: { projectId: string; number: number },
): Promise<SettingsOrigin | null> {
  const row = await db
    .selectFrom("version")
    .select("config")
    .where("project_id", "=", projectId)
    .where("number", "=", number)
    .executeTakeFirst();
  if (row === undefined || row.config === null) return null;
  return settingsOrigin.safeParse(JSON.parse(row.config)).data ?? null;
}

export async function saveSettingsOrigin(
  tx: Transaction,
  { projectId, number, origin }: { projectId: string; number: number; origin: SettingsOrigin },
): Promise<void> {
  await tx
    .updateTable("version")
    .set({ config: JSON.stringify(origin) })
    .where("project_id", "=", projectId)
    .where("number", "=", number)
    .execute();
}
