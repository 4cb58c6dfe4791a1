/** Tells a host what it is to know of the mesh: all of it at once, and again after each change. */

import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { MeshNews, MeshRequest, MeshUpdate } from "@tijolo/protocol";
import { Latch } from "@tijolo/protocol/kit";
import type { MeshBackend } from "../app/mesh/mesh-backend.ts";

/** Milliseconds in which changes are gathered into one update. */
const gatherMs = 50;
/** Characters of an update for which the next one waits a millisecond longer. */
const charactersPerMs = 1_000;

/** A connected host. */
export interface MeshPlace {
  hostId: string;
  /** Address from which central sees it; null: this machine. */
  address: string | null;
  /** Differs from that of every other connection. */
  connection: object;
}

/** Yields what the host is to know; an update that says nothing new is left out. */
export async function* meshFeed(
  backend: MeshBackend,
  { hostId, own, address, connection }: MeshPlace & { own: MeshRequest },
  { drained, signal }: { drained: () => Promise<void>; signal: AbortSignal },
): AsyncGenerator<MeshUpdate> {
  const change = new Latch();
  const unsubscribe = backend.onChange(hostId, () => change.set());
  try {
    await backend.storeOwn(hostId, own, address);
    let told = "";
    while (!signal.aborted) {
      const update = backend.updateFor(hostId);
      const text = JSON.stringify(update);
      const hash = createHash("sha256").update(text).digest("base64");
      if (hash !== told) {
        yield update;
        told = hash;
        await drained();
      }
      await change.wait({ signal, timeoutMs: null });
      await delay(gatherMs + text.length / charactersPerMs, undefined, { signal }).catch(() => {});
    }
  } finally {
    unsubscribe();
    backend.leave(hostId, connection);
  }
}

/** Takes what has changed at a host. Its own end comes first: others are asked to let in what is known. */
export async function takeMeshNews(
  backend: MeshBackend,
  { hostId, address, connection }: MeshPlace,
  { own, letIn }: MeshNews,
): Promise<void> {
  await backend.storeOwn(hostId, own, address);
  backend.setLetIn(hostId, connection, letIn);
}
