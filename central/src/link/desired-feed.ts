/** The numbered desired state of one host: the difference to what its agent holds where that is known, the full set otherwise, then each change. */

import type { Assignment, DesiredUpdate } from "@tijolo/protocol";
import { hashAssignments, hashSet, type AssignmentHashes } from "./desired-hash.ts";
import { Latch } from "@tijolo/protocol/node";
import type { LinkBackend } from "../app/link-backend.ts";

/** The sets that were last sent to a host, so that an agent that comes back with one of them is sent only what changed. */
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
  signal: AbortSignal;
}

/** The first update comes at once, also when nothing changed: it tells the agent that it is up to date. */
export async function* desiredFeed({ backend, hostId, sent, from, signal }: DesiredFeedRequest): AsyncGenerator<DesiredUpdate> {
  const change = new Latch();
  const unsubscribe = backend.onDesiredChange(hostId, () => change.set());
  try {
    let held = from.revision === 0 ? undefined : sent.find(from.setHash);
    let heldHash: string | undefined;
    while (!signal.aborted) {
      const { revision, assignments } = await backend.desiredOf(hostId);
      const hashes = hashAssignments(assignments);
      const setHash = hashSet(hashes);
      if (setHash !== heldHash) {
        if (from.revision !== 0 && setHash === from.setHash && heldHash === undefined) held = hashes;
        sent.remember(setHash, hashes);
        yield { revision, setHash, ...difference(assignments, hashes, held) };
      }
      held = hashes;
      heldHash = setHash;
      await change.wait({ signal, timeoutMs: null });
    }
  } finally {
    unsubscribe();
  }
}

function difference(
  assignments: Assignment[],
  hashes: AssignmentHashes,
  held: AssignmentHashes | undefined,
): Pick<DesiredUpdate, "isFull" | "upserts" | "deletes"> {
  if (held === undefined) return { isFull: true, upserts: assignments, deletes: [] };
  return {
    isFull: false,
    upserts: assignments.filter(({ projectId }) => held.get(projectId) !== hashes.get(projectId)),
    deletes: [...held.keys()].filter((projectId) => !hashes.has(projectId)),
  };
}
