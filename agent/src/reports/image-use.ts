/** Finds in the ledger which images the projects of this host use. */

import type { Assignment, ImageNeed } from "@tijolo/protocol";
import type { Ledger } from "../ledger/ledger.ts";
import { readRecord, type ProjectRecord } from "../project/record.ts";
import { reportedState } from "../project/reported-state.ts";
import { imageLayersOf } from "../project/succession.ts";

type Book = Pick<Ledger, "projectIds" | "findRecord" | "assignments">;

/** Phases in which the image that a project needs next is in no record yet. */
const underWay: readonly string[] = ["extracting", "installing", "starting"];

export interface ProjectImage {
  projectId: string;
  assignment: Assignment | undefined;
  record: ProjectRecord | undefined;
}

export function projectImages(ledger: Book): ProjectImage[] {
  const assignments = new Map(ledger.assignments().map((assignment) => [assignment.projectId, assignment]));
  return ledger.projectIds().map((projectId) => ({
    projectId,
    assignment: assignments.get(projectId),
    record: readRecord(ledger.findRecord(projectId)),
  }));
}

/** Returns how many projects run on each layer, or did when they last ran; by directory. */
export function layerUses(projects: readonly ProjectImage[]): Map<string, number> {
  const uses = new Map<string, number>();
  for (const { record } of projects) {
    const layers = record === undefined ? [] : imageLayersOf(record);
    for (const directory of new Set(layers)) uses.set(directory, (uses.get(directory) ?? 0) + 1);
  }
  return uses;
}

/** True when the project has an image that stands in no record yet: it installs, or is about to start. */
export function isUnderWay({ record }: ProjectImage): boolean {
  return record !== undefined && underWay.includes(reportedState(record).phase);
}

export function needsImage({ assignment }: ProjectImage, image: ImageNeed): boolean {
  return (
    isOfVersion(assignment?.settings, image) &&
    setOf(assignment?.settings.systemPackages) === setOf(image.systemPackages)
  );
}

/**
 * True when the project runs on an image other than these layers; one with packages of its own runs on more
 * than these.
 */
export function runsOnOther(
  { assignment, record }: ProjectImage,
  image: ImageNeed,
  layers: readonly string[],
): boolean {
  const settings = record?.settings ?? assignment?.settings;
  if (record?.observed.phase !== "running" || !isOfVersion(settings, image)) return false;
  const isSame =
    image.systemPackages.length === 0 || setOf(settings?.systemPackages) === setOf(image.systemPackages);
  return isSame && !layers.every((directory) => record.imageLayers.includes(directory));
}

function isOfVersion(
  settings: Assignment["settings"] | undefined,
  { language, version }: ImageNeed,
): boolean {
  return settings?.language === language && settings.version === version;
}

function setOf(systemPackages: readonly string[] = []): string {
  return [...new Set(systemPackages)].sort().join();
}
