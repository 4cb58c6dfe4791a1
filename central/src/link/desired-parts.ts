/** Cuts an update of the desired state into frames of bounded size; only one is in memory at a time. */

import {
  outlineOf,
  type Assignment,
  type Departure,
  type DesiredUpdate,
  type ImageOverride,
} from "@tijolo/protocol";
import type { LinkBackend } from "../app/host-projects/link-backend.ts";
import { hashAssignments, type SentSet } from "./desired-hash.ts";

/** Bytes at which a frame is closed; with the largest assignment on top it is far below an agent's bound. */
const partBytes = 1024 * 1024;
const projectsPerRead = 32;
const deletesPerPart = 10_000;

export interface DesiredPartsRequest {
  backend: LinkBackend;
  hostId: string;
  revision: number;
  /** True when the agent is sent the whole set, and holds nothing beside it. */
  isFull: boolean;
  /** Set that the agent holds; each part that is made is entered here. */
  held: SentSet;
  /** Projects whose assignments must be sent. */
  upserts: readonly string[];
  /** Projects that are held and no longer wanted. */
  deletes: readonly string[];
  /** Departures that the agent has not received. */
  departures: readonly Departure[];
  /** Function as in {@link DesiredFeedRequest}. */
  known: <Part extends object>(part: Part) => Part;
  /** Overrides; undefined: as the agent knows them. */
  imageOverrides: ImageOverride[] | undefined;
}

/**
 * Yields the parts, numbered. Assignments are read again part by part, so each is as new as it can be, and
 * the set is the one that was sent in fact; what changed meanwhile comes with the next update.
 */
export async function* desiredParts(request: DesiredPartsRequest): AsyncGenerator<DesiredUpdate> {
  const { revision, isFull } = request;
  let part = 0;
  for await (const content of contentsOf(request))
    yield { revision, part: part++, isFull, upserts: [], deletes: [], setHash: null, ...content };
}

/** The fields of a part that have something in them. */
type PartContent = Partial<
  Pick<DesiredUpdate, "upserts" | "deletes" | "departures" | "setHash" | "imageOverrides">
>;

/** Yields what each part brings; the last one closes the update with the hash of the whole set. */
async function* contentsOf(request: DesiredPartsRequest): AsyncGenerator<PartContent> {
  const { held, upserts, imageOverrides } = request;
  const departures = request.departures.map(({ projectId, reason }) => ({ projectId, reason }));
  const departed = new Set(departures.map(({ projectId }) => projectId));
  const deletes = request.deletes.filter((projectId) => !departed.has(projectId));
  held.beginUpdate();
  for (const projectId of [...departed, ...deletes]) held.delete(projectId);

  while (deletes.length > deletesPerPart) yield { deletes: deletes.splice(0, deletesPerPart) };
  while (departures.length > deletesPerPart) yield { departures: departures.splice(0, deletesPerPart) };
  let waiting: Assignment[] = [];
  let waitingBytes = 0;
  for (let from = 0; from < upserts.length; from += projectsPerRead) {
    const { read, gone } = await readAgain(request, upserts.slice(from, from + projectsPerRead));
    deletes.push(...gone);
    for (const assignment of read) {
      waiting.push(assignment);
      waitingBytes += JSON.stringify(assignment).length;
      if (waitingBytes < partBytes) continue;
      yield { upserts: waiting };
      waiting = [];
      waitingBytes = 0;
    }
  }
  const images = imageOverrides === undefined ? {} : { imageOverrides };
  yield { upserts: waiting, deletes, departures, setHash: held.setHash, ...images };
}

/**
 * Reads the assignments of these projects and enters them in the held set. `gone` are the projects that the
 * agent held and that have left the host since.
 */
async function readAgain(
  { backend, hostId, held, known }: DesiredPartsRequest,
  projectIds: readonly string[],
): Promise<{ read: Assignment[]; gone: string[] }> {
  const read = await backend.assignmentsOf(hostId, projectIds, known);
  const hashes = hashAssignments(read.map(outlineOf));
  for (const [projectId, hash] of hashes) held.set(projectId, hash);
  const gone = projectIds.filter((projectId) => !hashes.has(projectId) && held.delete(projectId));
  return { read, gone };
}
