/**
 * Finds the target of a project's visits on this host: its process, its files, or a run that is about to
 * begin.
 */

import { startingMs, type Assignment } from "@tijolo/protocol";
import type { MachineParts } from "./machine-parts.ts";
import { leavingSite } from "./project/answering-run.ts";
import type { ProjectRecord } from "./project/record.ts";
import { directoryOf } from "./project/succession.ts";
import type { Instance } from "./runtime/runtime.ts";
import { servedPlace } from "./sites/served-place.ts";
import { versionDirectory } from "./versions/version-files.ts";
import type { IngressTarget } from "./ingress/ingress-options.ts";
import type { SiteVisits } from "./ingress/site-visits.ts";

/** Visits are held for a restart after a crash when it is due within this many milliseconds. */
const soonMs = 10_000;

/** State of a project as its worker knows it. */
export interface SiteState {
  projectId: string;
  assignment: Assignment | undefined;
  record: ProjectRecord;
  instance: Instance | undefined;
  leaving: Instance | undefined;
}

export interface SitePlaces {
  dataDirectory: string;
  machine: {
    network: Pick<MachineParts["network"], "find" | "findLeaving">;
    portOf?: MachineParts["portOf"];
  };
  visits: Pick<SiteVisits, "isClosed">;
  clock: { now(): number };
}

/** Returns undefined when nothing of the project runs here, and nothing is about to. */
export function findSiteTarget(site: SiteState, places: SitePlaces): IngressTarget | undefined {
  const { assignment, record } = site;
  if (assignment === undefined || assignment.run === "off") return undefined;
  const settings = record.startedWith ?? assignment.settings;
  const leaving = leavingSite(site, places.machine.network);
  if (leaving !== null) {
    const { address, port, runNumber } = leaving;
    return { kind: "process", address, port, runNumber, isStarting: false };
  }
  const target =
    settings.language === "static"
      ? filesOf(site, settings, places.dataDirectory)
      : processOf(site, settings.port, places);
  if (target !== undefined || !isComing(assignment, record, places.clock.now())) return target;
  return isEnding(site, places) ? { kind: "soon", isEnding: true } : { kind: "soon" };
}

function processOf(
  { projectId, assignment, record, instance }: SiteState,
  port: number | null,
  { machine, visits, clock }: SitePlaces,
): IngressTarget | undefined {
  if (instance === undefined || instance.exit !== null || record.observed.phase === "stopping")
    return undefined;
  const { runNumber, startedAt } = instance;
  if (visits.isClosed(projectId, runNumber)) return { kind: "soon", isEnding: true };
  if (assignment?.health !== undefined && !record.observed.hasComeUp) return { kind: "soon" };
  const address = machine.network.find(projectId)?.address;
  if (address === undefined || port === null) return undefined;
  return {
    kind: "process",
    address,
    port: machine.portOf?.(projectId, port) ?? port,
    runNumber,
    isStarting: clock.now() - startedAt.getTime() < startingMs,
  };
}

/** Returns the files of a static site. It has no process, so it runs when its record says so. */
function filesOf(
  { projectId, record }: SiteState,
  { root, spa }: { root: string | null; spa?: boolean | undefined },
  dataDirectory: string,
): IngressTarget | undefined {
  const { installed, observed } = record;
  if (observed.phase !== "running" || installed === null) return undefined;
  const version = versionDirectory(dataDirectory, projectId, directoryOf(installed));
  const place = servedPlace(version, { root, isBuilt: installed.isBuilt === true });
  return place === undefined ? undefined : { kind: "static", ...place, isSpa: spa === true };
}

/** True for a run that was closed to visitors and is still up. */
function isEnding({ projectId, instance }: SiteState, { visits }: SitePlaces): boolean {
  return instance !== undefined && instance.exit === null && visits.isClosed(projectId, instance.runNumber);
}

/** True when the project's worker is about to start a run, or is between two. */
function isComing({ restartCount }: Assignment, record: ProjectRecord, nowMs: number): boolean {
  const { observed, installed, retryAtMs } = record;
  const isInstalled = installed?.versionNumber === observed.versionNumber;
  switch (observed.phase) {
    case "extracting":
    case "installing":
      return isInstalled;
    case "starting":
    case "running":
    case "stopping":
      return true;
    case "waiting":
      return retryAtMs === null || retryAtMs - nowMs < soonMs;
    case "ready":
    case "failed":
      return isInstalled && restartCount > observed.restartCount;
  }
}
