/** Holds the SQL of what holds for the visits to a site. */

import {
  defaultSiteSettings,
  siteSettings,
  withDefaultSiteSettings,
  type SiteSettings,
} from "@tijolo/protocol";
import type { Reader, Transaction } from "../../store.ts";

/** Made once: to make it takes a third of a millisecond, and each visited site's row is parsed by it. */
const storedSettings = siteSettings.partial().strip();

/** Returns the settings of a project; the defaults where nothing was said. */
export async function findSiteSettings(db: Reader, projectId: string): Promise<Readonly<SiteSettings>> {
  // Most sites have none, and every visit asks: what is kept is what was read of the row, or of its absence.
  const settings = await db.cached(`site settings ${projectId}`, async () => {
    const row = await db
      .selectFrom("site_settings")
      .select("settings")
      .where("project_id", "=", projectId)
      .executeTakeFirst();
    return parseSiteSettings(row?.settings ?? null);
  });
  return settings ?? defaultSiteSettings;
}

export async function saveSiteSettings(
  tx: Transaction,
  { projectId, settings, updatedAt }: { projectId: string; settings: SiteSettings; updatedAt: number },
): Promise<void> {
  const columns = { settings: JSON.stringify(settings), updated_at: updatedAt };
  await tx
    .insertInto("site_settings")
    .values({ project_id: projectId, ...columns })
    .onConflict((conflict) => conflict.column("project_id").doUpdateSet(columns))
    .execute();
  tx.wake(`project:${projectId}`);
}

/** Reads stored settings: one that a later program knows is left out, one that is missing has its default. */
export function parseSiteSettings(text: string | null): SiteSettings {
  const stored: unknown = text === null ? {} : JSON.parse(text);
  return withDefaultSiteSettings(storedSettings.safeParse(stored).data ?? {});
}
