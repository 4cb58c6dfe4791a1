/** Gives a project its next version, in the transaction of an upload or of a rollback. */

import { projectCan, type ActivityAction, type Plan, type VersionTrigger } from "@tijolo/protocol";
import type { Transaction } from "../../store/store.ts";
import type { AccountRow } from "../../store/tables/accounts/account.ts";
import { wantedChanged } from "../../store/tables/hosts/host.ts";
import { updateProject, type ProjectChange, type ProjectRow } from "../../store/tables/projects/project.ts";
import { deleteVersionsBelow, insertVersion } from "../../store/tables/projects/version.ts";
import { changesBetween, recordActivity } from "../accounts/activity.ts";
import { assertInGoodStanding } from "../accounts/quota.ts";
import type { Principal } from "../identity/caller.ts";
import {
  assertAllowed,
  assertReachable,
  getOwned,
  settingsForActivity,
  standingNow,
} from "../projects/project.ts";
import { viewProject } from "../projects/project-view.ts";
import { runStart } from "../runs/run-change.ts";
import type { UploadsContext } from "./uploads-context.ts";

export interface NextVersion {
  plan: Plan;
  /** The project before. */
  current: ProjectRow;
  /** Changes of its settings. */
  change: ProjectChange;
  archive: { sha256: string; sizeBytes: number };
  trigger: VersionTrigger;
  rolledBackFrom: number | null;
  action: ActivityAction;
}

/** Throws unless the account may have new code run and the project accepts it now. */
export function assertMayReceiveCode(app: UploadsContext, account: AccountRow, row: ProjectRow): void {
  assertInGoodStanding(account);
  assertAllowed(projectCan.receiveCode(standingNow(app, row)));
  assertReachable(app, row);
}

/**
 * Adds the version and has it run if the project is on. The oldest versions beyond the plan's number are
 * deleted, but not the one that serves.
 */
export async function addVersion(
  app: UploadsContext,
  tx: Transaction,
  { account, actor, language, once }: Principal,
  next: NextVersion,
): Promise<ProjectRow> {
  const { plan, current, change, archive, trigger, rolledBackFrom, action } = next;
  const { id } = current;
  const now = app.clock.now();
  const number = current.versionNumber + 1;
  const wanted: ProjectRow = { ...current, ...change, versionNumber: number };
  const start = current.run === "on" ? runStart(wanted) : {};
  await updateProject(tx, id, { ...change, versionNumber: number, ...start }, now);
  const { sha256, sizeBytes } = archive;
  await insertVersion(tx, {
    projectId: id,
    number,
    sha256,
    sizeBytes,
    trigger,
    by: actor,
    settings: wanted.settings,
    rolledBackFrom,
    createdAt: now,
  });
  const serving = current.observed?.servingVersion ?? null;
  const kept = serving === null ? [] : [serving];
  await deleteVersionsBelow(tx, id, { keepFrom: number - plan.versionsKept + 1, kept });
  await wantedChanged(tx, current.hostId, [id]);
  const after = await getOwned(tx, account, id);
  const changed = changesBetween(
    { ...settingsForActivity(current), versionNumber: current.versionNumber },
    {
      ...settingsForActivity(after),
      versionNumber: number,
      ...(rolledBackFrom === null ? {} : { rolledBackFrom }),
    },
  );
  await recordActivity(app, tx, { accountId: account.id, actor, action, project: after, ...changed });
  await once?.save(tx, { project: viewProject(app, plan, after, language) });
  return after;
}
