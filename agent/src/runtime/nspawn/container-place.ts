/** Defines where one container lives: its directories below the agent's data directory and its cgroups. */

import { basename, dirname, join } from "node:path";
import type { Cgroups } from "../../host/cgroups/cgroup.ts";

export interface ContainerPlace {
  projectId: string;
  /** Directory `<data>/runs/<projectId>/<name>`: everything of this run but its files. Deleted with it. */
  run: string;
  /** Directory where the launcher mounts the container's root. */
  root: string;
  /** Directory bound into the container: fifos and environment. */
  inside: string;
  /** Upper layer of the root file system: exists as long as the run, on the project's own disk. */
  scratch: string;
  /**
   * Cgroup of all that is done for the run: it bounds processor and disk speed, and counts the run's
   * processor time.
   */
  whole: string;
  /**
   * Group above two others: the cgroup of the container, which bounds and reports its memory, and that of its
   * supervisor, which also writes the log.
   */
  group: string;
  shimGroup: string;
}

export interface ProjectPlace {
  directory: string;
  runs: string;
  disk: string;
}

export function projectPlace(dataDirectory: string, projectId: string): ProjectPlace {
  assertSafeId(projectId);
  const directory = join(dataDirectory, "projects", projectId);
  return {
    directory,
    runs: join(dataDirectory, "runs", projectId),
    disk: join(directory, "disk"),
  };
}

/** `name` is `run-<runNumber>` or `install-<versionNumber>`. */
export function containerPlace(dataDirectory: string, projectId: string, name: string): ContainerPlace {
  const project = projectPlace(dataDirectory, projectId);
  const run = join(project.runs, name);
  return {
    projectId,
    run,
    root: join(run, "root"),
    inside: join(run, "inside"),
    scratch: join(project.disk, scratchPrefix + name),
    whole: `${projectId}/${name}`,
    group: `${projectId}/${name}/container`,
    shimGroup: `${projectId}/${name}/shim`,
  };
}

/**
 * Returns the place with the cgroups that the run has. Earlier agents had the container in what is now the
 * group of the whole run, and the supervisor beside it; such a run keeps its groups.
 */
export async function withOwnGroups(
  cgroups: Pick<Cgroups, "children">,
  place: ContainerPlace,
): Promise<ContainerPlace> {
  const earlierShim = `${basename(place.whole)}-shim`;
  if (!(await cgroups.children(place.projectId)).includes(earlierShim)) return place;
  return { ...place, group: place.whole, shimGroup: `${place.projectId}/${earlierShim}` };
}

/** Name prefix of what is on a project's disk for one container only. */
export const scratchPrefix = "scratch-";
const endedPrefix = "ended-";

/**
 * Returns where the run directory of an ended container is moved, until it is removed: nothing there is a run
 * any more.
 */
export function endedPlace(place: ContainerPlace): ContainerPlace {
  return { ...place, run: join(dirname(place.run), endedPrefix + basename(place.run)) };
}

/** Returns the place of a directory in the project's runs, also of an ended container. */
export function placeOfDirectory(dataDirectory: string, projectId: string, name: string): ContainerPlace {
  const ended = endedName(name);
  const place = containerPlace(dataDirectory, projectId, ended ?? name);
  return ended === undefined ? place : endedPlace(place);
}

/**
 * Returns the name of the container whose ended directory has this name; undefined for the name of another
 * directory.
 */
export function endedName(directoryName: string): string | undefined {
  return directoryName.startsWith(endedPrefix) ? directoryName.slice(endedPrefix.length) : undefined;
}

/** Throws for an unsafe id, because ids become names of directories and cgroups. */
function assertSafeId(projectId: string): void {
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(projectId))
    throw new Error(`not a project id: ${JSON.stringify(projectId)}`);
}
