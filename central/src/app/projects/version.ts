/** The versions of a project: the list of them, and the archive of each. */

import type { Readable } from "node:stream";
import { AppError, type Version, type VersionStatus } from "@tijolo/protocol";
import { refusalDetails } from "@tijolo/protocol/texts/central";
import { projectErrorMessage, type TextLanguage } from "@tijolo/protocol/texts/project";
import type { ObjectRange } from "../../objects/objects.ts";
import type { Reader } from "../../store/store.ts";
import type { AccountRow } from "../../store/tables/accounts/account.ts";
import type { ProjectRow } from "../../store/tables/projects/project.ts";
import {
  findVersion,
  listVersions as selectVersions,
  type VersionRow,
} from "../../store/tables/projects/version.ts";
import type { Principal } from "../identity/caller.ts";
import { isoOrNull } from "../iso-or-null.ts";
import { fileNameOf } from "./file-name.ts";
import type { ProjectsContext } from "./projects-context.ts";
import { getOwned } from "./project.ts";

/** Returns the newest first. Throws `not_found`. */
export async function listVersions(
  { db }: Pick<ProjectsContext, "db">,
  { account, language }: Pick<Principal, "account" | "language">,
  projectId: string,
): Promise<Version[]> {
  const project = await getOwned(db, account, projectId);
  return (await selectVersions(db, projectId)).map((row) => viewVersion(row, project, language));
}

/** A stored archive that is about to be sent; it is disposed of when that has ended. */
export interface VersionArchive extends Disposable {
  sha256: string;
  sizeBytes: number;
  fileName: string;
  open(range: ObjectRange): Promise<Readable>;
}

/**
 * Returns the archive of a version. Throws `not_found`, `archive_gone`, or `too_many_requests` while the
 * account has too many open.
 */
export async function openArchive(
  app: Pick<ProjectsContext, "db" | "objects" | "downloadSlots" | "logger">,
  account: AccountRow,
  projectId: string,
  number: number,
): Promise<VersionArchive> {
  const { name } = await getOwned(app.db, account, projectId);
  const { sha256, sizeBytes } = await getVersion(app.db, projectId, number);
  const version = { projectId, number, sha256 };
  await assertArchiveStored(app, version);
  const slot = app.downloadSlots.take(account.id);
  return {
    sha256,
    sizeBytes,
    fileName: `${fileNameOf(name)}-v${number}.zip`,
    async open(range) {
      const opened = await app.objects.open(sha256, range);
      if (opened === undefined) throw archiveGone(app, version);
      return opened;
    },
    [Symbol.dispose]: () => slot[Symbol.dispose](),
  };
}

/** Returns the version. Throws `not_found`, which names those that are kept. */
export async function getVersion(
  db: Reader,
  projectId: string,
  number: number,
): Promise<NonNullable<Awaited<ReturnType<typeof findVersion>>>> {
  const version = await findVersion(db, projectId, number);
  if (version !== undefined) return version;
  const kept = (await selectVersions(db, projectId)).map((row) => row.number).join(", ");
  throw new AppError("not_found", { detail: refusalDetails.noSuchVersion(number, kept) });
}

interface StoredVersion {
  projectId: string;
  number: number;
  sha256: string;
}

/** Throws `archive_gone` when the store lacks the archive of a version, and logs that for the operator. */
export async function assertArchiveStored(
  app: Pick<ProjectsContext, "objects" | "logger">,
  version: StoredVersion,
): Promise<void> {
  if (!(await app.objects.has(version.sha256))) throw archiveGone(app, version);
}

function archiveGone({ logger }: Pick<ProjectsContext, "logger">, version: StoredVersion): AppError {
  logger.error({ ...version }, "the archive that a version names is not in the store");
  return new AppError("archive_gone");
}

function viewVersion(
  row: VersionRow,
  { versionNumber, observed }: Pick<ProjectRow, "versionNumber" | "observed">,
  language: TextLanguage,
): Version {
  const { number, error } = row;
  const isCurrent = number === versionNumber;
  return {
    number,
    isCurrent,
    isServing: number === observed?.servingVersion,
    status: statusOf(row, isCurrent),
    trigger: row.trigger,
    by: row.by,
    sizeBytes: row.sizeBytes,
    sha256: row.sha256,
    rolledBackFrom: row.rolledBackFrom,
    createdAt: new Date(row.createdAt).toISOString(),
    finishedAt: isoOrNull(row.finishedAt),
    cameUpAt: isoOrNull(row.cameUpAt),
    error: error === null ? null : { code: error.code, message: projectErrorMessage(error, language) },
  };
}

function statusOf({ finishedAt, error }: VersionRow, isCurrent: boolean): VersionStatus {
  if (error !== null) return "failed";
  if (!isCurrent) return "superseded";
  return finishedAt === null ? "installing" : "live";
}
