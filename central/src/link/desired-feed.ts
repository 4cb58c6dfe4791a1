/**
 * Yields the numbered desired state of one host: the difference to what its agent holds where that is known,
 * the full set otherwise, then each change. The first update reads all assignments of the host, a later one
 * those that have changed since.
 */

import type { DesiredUpdate } from "@tijolo/protocol";
import { Latch } from "@tijolo/protocol/kit";
import type { LinkBackend, WantedSince } from "../app/host-projects/link-backend.ts";
import { hashAssignments, SentSet, type AssignmentHashes } from "./desired-hash.ts";
import { desiredParts } from "./desired-parts.ts";

export interface DesiredFeedRequest {
  backend: LinkBackend;
  hostId: string;
  /** Sets that were last sent, by host id: an agent that returns with one is sent only the changes. */
  sentSets: Map<string, SentSet>;
  /** State that the agent reports; revision 0 asks for the full set. */
  from: { revision: number; setHash: string };
  /** Leaves out the fields that the agent's protocol does not have: both sides hash only the others. */
  known: <Part extends object>(part: Part) => Part;
  /** Resolves when the agent has read enough of what was sent before. */
  drained: () => Promise<void>;
  signal: AbortSignal;
}

/**
 * Yields the updates. The first comes at once, also when nothing changed: it tells the agent that it is up to
 * date.
 */
export async function* desiredFeed(request: DesiredFeedRequest): AsyncGenerator<DesiredUpdate> {
  const { backend, hostId, sentSets, known, drained, signal } = request;
  const change = new Latch();
  const unsubscribe = backend.onDesiredChange(hostId, () => change.set());
  try {
    let held: SentSet | undefined;
    let heldImages: string | undefined;
    let since: WantedSince | null = null;
    while (!signal.aborted) {
      const answer = await backend.wantedOf(hostId, since);
      const { revision, outlines, imageOverrides, departures } = answer;
      const wanted = hashAssignments(outlines.map(known));
      const isFirst = held === undefined;
      const earlier = held ?? setHeldBy(request, wanted);
      const isFull = earlier === undefined;
      held = earlier ?? new SentSet();
      const gone = isFirst ? held.projectIds : departures.map(({ projectId }) => projectId);
      const { upserts, deletes } = differenceOf(held, wanted, gone);
      const images = JSON.stringify(imageOverrides);
      const haveImagesChanged = images !== heldImages;
      if (isFirst || haveImagesChanged || upserts.length + deletes.length + departures.length > 0) {
        const parts = desiredParts({
          backend,
          hostId,
          revision,
          isFull,
          held,
          upserts,
          deletes,
          departures,
          known,
          imageOverrides: haveImagesChanged ? imageOverrides : undefined,
        });
        for await (const part of parts) {
          yield part;
          await drained();
        }
        heldImages = images;
        sentSets.set(hostId, held);
      }
      since = answer;
      await change.wait({ signal, timeoutMs: null });
    }
  } finally {
    unsubscribe();
  }
}

/** Returns what the agent holds, by the hash that it names; undefined asks for the full set. */
function setHeldBy(
  { from, hostId, sentSets }: DesiredFeedRequest,
  wanted: AssignmentHashes,
): SentSet | undefined {
  if (from.revision === 0) return undefined;
  const all = new SentSet(wanted);
  return all.setHash === from.setHash ? all : sentSets.get(hostId)?.copyWith(from.setHash);
}

/** Returns the wanted projects that are not held as wanted, and those of `gone` that are held and not wanted. */
function differenceOf(
  held: SentSet,
  wanted: AssignmentHashes,
  gone: Iterable<string>,
): { upserts: string[]; deletes: string[] } {
  return {
    upserts: [...wanted].flatMap(([projectId, hash]) => (held.find(projectId) === hash ? [] : [projectId])),
    deletes: [...gone].filter((projectId) => held.find(projectId) !== undefined && !wanted.has(projectId)),
  };
}
