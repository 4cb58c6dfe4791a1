/**
 * Stops projects on behalf of Tijolo itself: the desired state changes at once; a disconnected host receives
 * it when it returns.
 */

import { wantedChangedOf } from "../../store/tables/hosts/host.ts";
import { updateProject, type ProjectRow } from "../../store/tables/projects/project.ts";
import type { Transaction } from "../../store/store.ts";
import { recordActivity } from "./activity.ts";
import { serviceActor } from "../identity/caller.ts";
import type { AccountsContext } from "./accounts-context.ts";
import { runEnd } from "../runs/run-change.ts";

export type StopCause = "account_suspended" | "beta_ended";

export async function stopProjects(
  app: AccountsContext,
  tx: Transaction,
  rows: readonly ProjectRow[],
  cause: StopCause,
): Promise<void> {
  for (const row of rows) {
    await updateProject(tx, row.id, runEnd(row), app.clock.now());
    await recordActivity(app, tx, {
      accountId: row.accountId,
      actor: serviceActor,
      action: "project.stop",
      project: row,
      after: { cause },
    });
  }
  await wantedChangedOf(tx, rows);
}
