/**
 * The image that benches run in, from the agent's own image store; kept between runs, together with those of
 * the tests.
 */

import { join } from "node:path";
import { createImageStore } from "../../agent/src/images/image-store.ts";
import type { BenchContext } from "./bench.ts";

const imagesDirectory = join(import.meta.dirname, "../../.tools/test-images/images");

/** Returns the layers of Node 24, topmost first. Built on the first run, in some 20 s. */
export async function nodeImage({ say }: BenchContext): Promise<string[]> {
  const store = await createImageStore({ imagesDirectory, logger: { info() {}, warn() {} } });
  try {
    return (await store.ensure({ language: "node", version: "24", systemPackages: [] }, { onProgress: say }))
      .layers;
  } finally {
    await store.close();
  }
}
