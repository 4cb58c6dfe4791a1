/**
 * Decides which version of a project follows which: the next one takes over, one that does not come up gives
 * way to the one before it, and one that has come up is kept for a rollback. Pure.
 */

import type { Assignment, DesiredRun, OwnerMessage } from "@tijolo/protocol";
import { withObserved, type Deployed, type Install, type ProjectRecord } from "./record.ts";

/** Milliseconds after which a run has come up, when its program cannot be seen to listen. */
export const comeUpMs = 5_000;

/**
 * Number of versions whose files are kept beside the one that runs, and their share of the project's disk.
 */
const keptCount = 2;
const keptShare = 0.25;

/**
 * True while a new version has not come up yet, and the one before it is there to be started again in its
 * place. Its owner may have said that it is not to be taken back.
 */
export function isOnTrial({ hasProven, earlier, settings }: ProjectRecord): boolean {
  return !hasProven && earlier !== null && settings?.onFailure !== "keep";
}

/**
 * Returns the desired state of what runs: what central wants, or, while the wanted version is prepared or has
 * failed, that of the version before it with its own settings. The variables are the current ones.
 */
export function assignmentOfRun(assignment: Assignment, record: ProjectRecord): Assignment {
  const { versionNumber, restartCount, configTag } = record.observed;
  if (versionNumber === assignment.versionNumber) return assignment;
  return {
    ...assignment,
    versionNumber,
    restartCount,
    settings: record.settings ?? assignment.settings,
    configTag: configTag ?? assignment.configTag,
  };
}

/** Returns the record with the wanted `onFailure`, which takes effect at once, unlike the other settings. */
export function withOnFailure(record: ProjectRecord, assignment: Assignment | undefined): ProjectRecord {
  const { settings, observed } = record;
  if (settings === null || observed.versionNumber !== assignment?.versionNumber) return record;
  const { onFailure } = assignment.settings;
  return settings.onFailure === onFailure ? record : { ...record, settings: { ...settings, onFailure } };
}

/**
 * Lets the next version take over: nothing of the one before it runs any more. What had come up is kept, to
 * be started again if the next one does not come up.
 */
export function takeNext(record: ProjectRecord, run: DesiredRun["run"]): ProjectRecord {
  const { next, observed } = record;
  if (next === null || next.deployed === null) return record;
  const { versionNumber, deployed } = next;
  const isSame = observed.versionNumber === versionNumber;
  const runPhase = next.phase === "failed" ? "stopping" : "installing";
  return withObserved(
    {
      ...record,
      ...(isSame ? {} : { ...predecessors(record), hasProven: false }),
      installed: deployed.installed,
      settings: deployed.settings,
      next: null,
      interruptedInstalls: 0,
      retryAtMs: null,
    },
    {
      phase: run === "on" ? runPhase : "ready",
      versionNumber,
      errorCode: null,
      errorDetails: [],
      startedAt: null,
      hasComeUp: false,
    },
  );
}

/** Returns what is kept once another version takes over from that of `observed`. */
function predecessors(record: ProjectRecord): Pick<ProjectRecord, "earlier" | "kept"> {
  const { installed, settings, observed, imageLayers, earlier, kept } = record;
  if (!record.hasProven || installed === null || settings === null) return { earlier, kept };
  return {
    earlier: { installed, settings, configTag: observed.configTag, imageLayers },
    kept: earlier === null ? kept : [earlier.installed, ...kept],
  };
}

/**
 * Gives up the version on trial: the one before it is started again at once, and the report says why.
 * `isKept`: the install stays, so that a start tries it again.
 */
export function goBack(
  record: ProjectRecord,
  { errorDetails, nowMs, isKept = true }: { errorDetails: OwnerMessage[]; nowMs: number; isKept?: boolean },
): ProjectRecord {
  const { earlier, installed, settings, observed } = record;
  if (earlier === null) return record;
  const { versionNumber, restartCount, configTag } = observed;
  const failed: ProjectRecord["next"] = {
    versionNumber,
    phase: "failed",
    restartCount,
    errorCode: "start_failed",
    errorDetails,
    deployed:
      installed === null || settings === null || !isKept
        ? null
        : { installed, settings, configTag, imageLayers: record.imageLayers },
  };
  return withObserved(
    {
      ...record,
      installed: earlier.installed,
      settings: earlier.settings,
      hasProven: true,
      earlier: null,
      next: record.next ?? failed, // newer code may be on its way already
      retryAtMs: nowMs,
    },
    {
      phase: "waiting",
      versionNumber: earlier.installed.versionNumber,
      configTag: earlier.configTag,
      errorCode: null,
      errorDetails: [],
      consecutiveCrashes: 0,
      startedAt: null,
      hasComeUp: true,
    },
  );
}

/** Records that the newest run has come up: its version needs no way back any more. */
export function comeUp(record: ProjectRecord): ProjectRecord {
  return withObserved({ ...record, hasProven: true }, { hasComeUp: true });
}

/**
 * Removes installs from the record beyond their number and their room; the newest stay. The version that
 * runs, and the one that a trial leads back to, always stay.
 */
export function withinBounds(record: ProjectRecord, diskMb: number): ProjectRecord {
  let leftMb = diskMb * keptShare;
  const directories = new Set(record.installed === null ? [] : [directoryOf(record.installed)]);
  const fits = (install: Install): boolean => {
    if (directories.has(directoryOf(install))) return false;
    leftMb -= install.sizeMb ?? Infinity;
    directories.add(directoryOf(install));
    return leftMb >= 0;
  };
  const { earlier } = record;
  const isEarlierKept = earlier !== null && (fits(earlier.installed) || isOnTrial(record));
  const room = keptCount - (isEarlierKept ? 1 : 0);
  return {
    ...record,
    earlier: isEarlierKept ? earlier : null,
    kept: record.kept.filter(fits).slice(0, room),
  };
}

/** Returns the number of the directory that holds an install's code. */
export function directoryOf({ directory, versionNumber }: Install): number {
  return directory ?? versionNumber;
}

/** Returns all installs that the record names. */
export function installsOf({ installed, earlier, kept, next }: ProjectRecord): Install[] {
  const deployed = [earlier, next?.deployed].filter((each): each is Deployed => each != null);
  return [...(installed === null ? [] : [installed]), ...deployed.map((each) => each.installed), ...kept];
}

/** Returns the layers of images that a project runs on, or goes back to. */
export function imageLayersOf(record: ProjectRecord): string[] {
  const ofLeaving = record.leaving?.imageLayers ?? [];
  return [
    ...record.imageLayers,
    ...ofLeaving,
    ...(isOnTrial(record) ? (record.earlier?.imageLayers ?? []) : []),
  ];
}
