/** Shows and brings back what a project's host keeps of the files that new code replaced. */

import { AppError, type HostItem, type ReplacedFiles } from "@tijolo/protocol";
import { refusalDetails } from "@tijolo/protocol/texts/central";
import { transact } from "../../store/store.ts";
import type { AccountRow } from "../../store/tables/accounts/account.ts";
import { recordActivity } from "../accounts/activity.ts";
import type { HostLink } from "../hosts/host-link.ts";
import type { Principal } from "../identity/caller.ts";
import { getOwned } from "../projects/project.ts";
import type { HostProjectsContext } from "./host-projects-context.ts";

type FilesLink = Pick<HostLink, "ask">;

/** Returns what is kept, the newest version first. Throws `server_unavailable` while the host is away. */
export async function listReplacedFiles(
  { db }: HostProjectsContext,
  link: FilesLink,
  { account, id, signal }: { account: AccountRow; id: string; signal: AbortSignal },
): Promise<ReplacedFiles[]> {
  const { hostId } = await getOwned(db, account, id);
  const replaced: ReplacedFiles[] = [];
  for await (const items of link.ask(hostId, { kind: "list-replaced-files", projectId: id }, signal))
    replaced.push(...items.map(viewSet));
  return replaced;
}

export interface WantedRestore {
  id: string;
  version: number;
  /** Path of a file or directory; undefined for all that the version replaced. */
  path: string | undefined;
}

/**
 * Has the host bring files back at the project's next start. Throws `not_found` where nothing is kept. The
 * host is asked before anything is recorded: asked again, it does the same.
 */
export async function restoreReplacedFiles(
  app: HostProjectsContext,
  link: FilesLink,
  { account, actor, once }: Principal,
  { id, version, path, signal }: WantedRestore & { signal: AbortSignal },
): Promise<{ isRestartRequired: boolean }> {
  const { hostId } = await getOwned(app.db, account, id);
  const request = { projectId: id, versionNumber: version, path: path ?? null };
  let isFound = false;
  for await (const items of link.ask(hostId, { kind: "restore-replaced-files", ...request }, signal))
    isFound ||= items.some((item) => item.isFound);
  if (!isFound) throw new AppError("not_found", { detail: refusalDetails.nothingReplaced(version) });
  return transact(app.db, async (tx) => {
    const project = await getOwned(tx, account, id);
    await recordActivity(app, tx, {
      accountId: account.id,
      actor,
      action: "project.files_restore",
      project,
      after: { versionNumber: version, ...(path === undefined ? {} : { path }) },
    });
    const answer = { isRestartRequired: project.run === "on" };
    await once?.save(tx, answer);
    return answer;
  });
}

function viewSet({
  versionNumber,
  count,
  paths,
  sizeBytes,
  keptAt,
  keptUntil,
  isRestoring,
}: HostItem<"list-replaced-files">): ReplacedFiles {
  return { version: versionNumber, count, paths, sizeBytes, keptAt, keptUntil, isRestoring };
}
