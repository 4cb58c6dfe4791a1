/** Holds the SQL of the images that operators set for language versions. */

import { imageOverride, type ImageOverride, type ImageVersion } from "@tijolo/protocol";
import type { Reader, Transaction } from "../../store.ts";

/** Returns the overrides in one order, so that lists can be compared. */
export async function listImageOverrides(db: Reader): Promise<ImageOverride[]> {
  const rows = await db
    .selectFrom("image_override")
    .select(["language", "version", "reference"])
    .orderBy("language")
    .orderBy("version")
    .execute();
  return rows.map((row) => imageOverride.parse(row));
}

export async function findImageReference(
  db: Reader,
  { language, version }: ImageVersion,
): Promise<string | undefined> {
  const row = await db
    .selectFrom("image_override")
    .select("reference")
    .where("language", "=", language)
    .where("version", "=", version)
    .executeTakeFirst();
  return row?.reference;
}

export async function saveImageOverride(
  tx: Transaction,
  { language, version, reference }: ImageOverride,
  now: number,
): Promise<void> {
  await tx
    .insertInto("image_override")
    .values({ language, version, reference, updated_at: now })
    .onConflict((conflict) =>
      conflict.columns(["language", "version"]).doUpdateSet({ reference, updated_at: now }),
    )
    .execute();
}

export async function deleteImageOverride(
  tx: Transaction,
  { language, version }: ImageVersion,
): Promise<void> {
  await tx
    .deleteFrom("image_override")
    .where("language", "=", language)
    .where("version", "=", version)
    .execute();
}
