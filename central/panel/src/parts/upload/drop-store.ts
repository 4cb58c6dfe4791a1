/** Holds what was dropped on a page that does not take it, until the page of new projects does. */

import type { UploadSource } from "./upload-source.ts";

type Taker = (source: UploadSource) => void;

let dropped: UploadSource | null = null;
let takers: Taker[] = [];

/** Gives what was dropped to the page in front that takes uploads; false when none does, and it is kept. */
export function giveDrop(source: UploadSource): boolean {
  const taker = takers.at(-1);
  if (taker === undefined) dropped = source;
  else taker(source);
  return taker !== undefined;
}

/** Returns what was dropped elsewhere, once. */
export function takeDrop(): UploadSource | null {
  const taken = dropped;
  dropped = null;
  return taken;
}

/** Takes drops from now on; returns what ends that. */
export function takeDrops(taker: Taker): () => void {
  takers = [...takers, taker];
  return () => {
    takers = takers.filter((other) => other !== taker);
  };
}
