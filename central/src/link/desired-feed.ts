/**
 * The numbered desired state of one host: the difference to what its agent holds where that is known, the
 * full set otherwise, then each change.
 */

import type { DesiredUpdate } from "@tijolo/protocol";
import { Latch } from "@tijolo/protocol/kit";
import type { LinkBackend } from "../app/hosts/link-backend.ts";
import { hashAssignments, hashSet, type AssignmentHashes } from "./desired-hash.ts";
import { desiredParts } from "./desired-parts.ts";

/**
 * The sets that were last sent to a host, so that an agent that comes back with one of them is sent only what
 * changed.
 */
export class SentSets {
  readonly #sets = new Map<string, AssignmentHashes>();

  remember(setHash: string, hashes: AssignmentHashes): void {
    this.#sets.delete(setHash);
    this.#sets.set(setHash, hashes);
    // The last one may have been lost with its connection, so the one before counts too.
    for (const oldest of this.#sets.keys()) {
      if (this.#sets.size <= 2) break;
      this.#sets.delete(oldest);
    }
  }

  find(setHash: string): AssignmentHashes | undefined {
    return this.#sets.get(setHash);
  }
}

export interface DesiredFeedRequest {
  backend: LinkBackend;
  hostId: string;
  sent: SentSets;
  /** What the agent says it holds; revision 0 asks for the full set. */
  from: { revision: number; setHash: string };
  /** Leaves out the fields that the agent's protocol does not have: both sides hash the others. */
  known: <Part extends object>(part: Part) => Part;
  /** Resolves when the agent has read enough of what was sent before. */
  drained: () => Promise<void>;
  signal: AbortSignal;
}

/** The first update comes at once, also when nothing changed: it tells the agent that it is up to date. */
export async function* desiredFeed(request: DesiredFeedRequest): AsyncGenerator<DesiredUpdate> {
  const { backend, hostId, sent, from, known, drained, signal } = request;
  const change = new Latch();
  const unsubscribe = backend.onDesiredChange(hostId, () => change.set());
  try {
    let held = from.revision === 0 ? undefined : sent.find(from.setHash);
    let heldHash: string | undefined;
    let heldImages: string | undefined;
    let told: ReadonlySet<string> = new Set();
    while (!signal.aborted) {
      const { revision, outlines, imageOverrides, departures } = await backend.desiredOf(hostId);
      const wanted = hashAssignments(outlines.map(known));
      const news = departures.filter((departure) => !told.has(JSON.stringify(departure)));
      told = new Set(departures.map((departure) => JSON.stringify(departure)));
      const wantedHash = hashSet(wanted);
      const isFirst = heldHash === undefined;
      if (isFirst && from.revision !== 0 && wantedHash === from.setHash) held = wanted;
      const images = JSON.stringify(imageOverrides);
      const haveImagesChanged = images !== heldImages;
      if (isFirst || wantedHash !== heldHash || haveImagesChanged || news.length > 0) {
        const results = new Map<string, string>();
        const changed = haveImagesChanged ? imageOverrides : undefined;
        const parts = {
          backend,
          hostId,
          revision,
          wanted,
          held,
          departures: news,
          known,
          imageOverrides: changed,
          results,
        };
        for await (const part of desiredParts(parts)) {
          yield part;
          await drained();
        }
        held = results;
        heldImages = images;
        heldHash = hashSet(held);
        sent.remember(heldHash, held);
      }
      await change.wait({ signal, timeoutMs: null });
    }
  } finally {
    unsubscribe();
  }
}
