/** Makes notices of a host's reports about a project: memory, crash loops, versions that failed. */

import {
  installErrorCodes,
  type NoticeContent,
  type ObservedState,
  type ReportEntry,
} from "@tijolo/protocol";
import type { Transaction } from "../../store/store.ts";
import type { ProjectRow } from "../../store/tables/projects/project.ts";
import { noteNotice } from "./note-notice.ts";
import type { NotingContext } from "./notices-context.ts";

type ReportedProject = Pick<ProjectRow, "id" | "name" | "settings" | "runningSettings" | "observed">;

/**
 * Makes the notices of an entry. Must be called in the transaction that applies the entry, with the project
 * as it was before it.
 */
export async function noteNotices(
  app: NotingContext,
  tx: Transaction,
  row: ReportedProject & Pick<ProjectRow, "accountId">,
  event: ReportEntry["event"],
): Promise<void> {
  const content = noticeOfReport(row, event);
  if (content !== null) await noteNotice(app, tx, { accountId: row.accountId, subject: row.id, content });
}

/** Returns the notice that an entry calls for; null when it tells the owner nothing, or nothing new. */
export function noticeOfReport(row: ReportedProject, event: ReportEntry["event"]): NoticeContent | null {
  const project = { id: row.id, name: row.name };
  if (event.kind === "exit") {
    const { memoryMb } = row.runningSettings ?? row.settings;
    return event.exit.isOutOfMemory ? { kind: "out_of_memory", project, memoryMb } : null;
  }
  if (event.kind === "replaced") return null; // the list of events names the files
  const { state } = event;
  return isKnown(row.observed, state) ? null : noticeOfState(project, state);
}

function noticeOfState(project: { id: string; name: string }, state: ObservedState): NoticeContent | null {
  const { errorCode: code, errorDetails: details, versionNumber, lastExit } = state;
  // A crash on Free ends the run without a loop: the project's own error says it.
  if (code === null || code === "process_exited") return null;
  if (code === "crash_loop") return { kind: "crash_loop", project, exitCode: lastExit?.code ?? null };
  const kind = installErrorCodes.some((each) => each === code) ? "install_failed" : "start_failed";
  const servingVersion = state.servingVersion === versionNumber ? null : state.servingVersion;
  // Which version goes on is a field of the notice, and no reason of the failure.
  const reasons = details.filter((detail) => !servingDetails.includes(detail.code));
  return { kind, project, versionNumber, servingVersion, error: { code, details: reasons } };
}

const servingDetails: readonly string[] = ["earlier_version_stays_up", "earlier_version_is_back"];

/** True when this failure was reported before: a host sometimes repeats its states. */
function isKnown(before: ObservedState | null, now: ObservedState): boolean {
  return (
    before !== null &&
    before.errorCode === now.errorCode &&
    before.versionNumber === now.versionNumber &&
    before.restartCount === now.restartCount
  );
}
