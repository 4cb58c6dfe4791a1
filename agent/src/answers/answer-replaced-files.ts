/** Answers central's requests about the files of a project that new code replaced. */

import type { HostItem, HostRequestInput } from "@tijolo/protocol";
import type { Ledger } from "../ledger/ledger.ts";
import { readRecord } from "../project/record.ts";
import { keptMs, type ReplacedFiles } from "../versions/merge/replaced-files.ts";

export interface ReplacedSources {
  ledger: Pick<Ledger, "findRecord">;
  replacedFiles: Pick<ReplacedFiles, "list" | "restore">;
}

export async function* listReplaced(
  { ledger, replacedFiles }: ReplacedSources,
  projectId: string,
): AsyncGenerator<HostItem<"list-replaced-files">[], void, undefined> {
  if (!hasMerged(ledger, projectId)) return;
  for (const { changedAtMs, versionNumber, ...set } of await replacedFiles.list(projectId)) {
    const keptUntil = new Date(changedAtMs + keptMs).toISOString();
    yield [
      { kind: "replaced-set", versionNumber, keptAt: new Date(changedAtMs).toISOString(), keptUntil, ...set },
    ];
  }
}

export async function* restoreReplaced(
  { ledger, replacedFiles }: ReplacedSources,
  { projectId, versionNumber, path }: HostRequestInput<"restore-replaced-files">,
): AsyncGenerator<HostItem<"restore-replaced-files">[], void, undefined> {
  const isFound =
    hasMerged(ledger, projectId) && (await replacedFiles.restore(projectId, versionNumber, path));
  yield [{ kind: "replaced-restore", isFound }];
}

/**
 * True once a version of the project was merged on this host: before that, nothing can have been replaced.
 */
function hasMerged(ledger: ReplacedSources["ledger"], projectId: string): boolean {
  return (readRecord(ledger.findRecord(projectId))?.mergedVersion ?? 0) > 0;
}
