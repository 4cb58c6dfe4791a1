/** The versions of a project: what was uploaded, by whom, and how the install of each one ended. */

import { installErrorCodes, type ObservedState, type Version, type VersionStatus } from "@tijolo/protocol";
import { projectErrorMessage } from "@tijolo/protocol/texts/project";
import type { Transaction } from "../../store/store.ts";
import type { AccountRow } from "../../store/tables/account.ts";
import type { ProjectRow } from "../../store/tables/project.ts";
import {
  listVersions as selectVersions,
  saveInstallEnd,
  type VersionRow,
} from "../../store/tables/version.ts";
import type { ProjectsContext } from "./projects-context.ts";
import { isoOrNull } from "../iso-or-null.ts";
import { getOwned } from "./project.ts";

/** Returns the newest first. Throws `not_found`. */
export async function listVersions(
  { db }: Pick<ProjectsContext, "db">,
  account: AccountRow,
  projectId: string,
): Promise<Version[]> {
  const project = await getOwned(db, account, projectId);
  return (await selectVersions(db, projectId)).map((row) => viewVersion(row, project));
}

/** Records the end of the version's install, once a host says so for the first time since it began. */
export async function noteInstall(
  tx: Transaction,
  { id, observed }: Pick<ProjectRow, "id" | "observed">,
  state: ObservedState,
  now: number,
): Promise<void> {
  const { versionNumber } = state;
  const before = observed?.versionNumber === versionNumber ? installOf(observed) : "installing";
  const after = installOf(state);
  if (before === after) return;
  const error =
    after === "failed" && state.errorCode !== null
      ? { code: state.errorCode, details: state.errorDetails }
      : null;
  const finishedAt = after === "installing" ? null : now;
  await saveInstallEnd(tx, { projectId: id, number: versionNumber, finishedAt, error });
}

function installOf({ phase, errorCode }: ObservedState): "installing" | "installed" | "failed" {
  if (phase === "extracting" || phase === "installing") return "installing";
  const hasFailed = phase === "failed" && installErrorCodes.some((code) => code === errorCode);
  return hasFailed ? "failed" : "installed";
}

function viewVersion(row: VersionRow, { versionNumber }: Pick<ProjectRow, "versionNumber">): Version {
  const { number, error } = row;
  const isCurrent = number === versionNumber;
  return {
    number,
    isCurrent,
    status: statusOf(row, isCurrent),
    trigger: row.trigger,
    by: row.by,
    sizeBytes: row.sizeBytes,
    sha256: row.sha256,
    rolledBackFrom: row.rolledBackFrom,
    createdAt: new Date(row.createdAt).toISOString(),
    finishedAt: isoOrNull(row.finishedAt),
    error: error === null ? null : { code: error.code, message: projectErrorMessage(error, "pt") },
  };
}

function statusOf({ finishedAt, error }: VersionRow, isCurrent: boolean): VersionStatus {
  if (error !== null) return "failed";
  if (!isCurrent) return "superseded";
  return finishedAt === null ? "installing" : "live";
}
