/** The images that benches run in, built once from the real archives and kept between runs. */

import { cp, mkdir } from "node:fs/promises";
import { execFileSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createImageStore } from "../../agent/src/images/image-store.ts";
import type { BenchContext } from "./bench.ts";

const cache = join(process.env["TIJOLO_TEST_CACHE"] ?? join(tmpdir(), "tijolo-test-cache"), "bench");

/** The layers of `node` 24, topmost first. */
export async function nodeImage({ say }: Pick<BenchContext, "say">): Promise<string[]> {
  await mkdir(cache, { recursive: true });
  const logger = { info() {}, warn() {} };
  const store = await createImageStore({ imagesDirectory: join(cache, "images"), logger });
  try {
    return (await store.ensure("node", "24", { onProgress: say })).layers;
  } finally {
    await store.close();
  }
}

/** Gives a new agent the images and tools that it would make on a machine's first start; as links, within one file system. */
export async function fillAgentDirectory(dataDirectory: string, context: Pick<BenchContext, "say">): Promise<void> {
  await nodeImage(context);
  await mkdir(dataDirectory, { recursive: true, mode: 0o711 });
  execFileSync("cp", ["--archive", "--link", join(cache, "images"), join(dataDirectory, "images")]);
  const tools = join(cache, "..", "tools");
  await cp(tools, join(dataDirectory, "tools"), { recursive: true, verbatimSymlinks: true }).catch(() => {});
}
