/** Mounts an image's layers as one directory on the host, to compare with containers. */

import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Mounts the layers; they are unmounted with `resources`. */
export async function mountRoot(layers: readonly string[], resources: AsyncDisposableStack): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "tijolo-bench-root-"));
  resources.defer(() => rm(directory, { recursive: true }));
  const [root, upper, work] = [join(directory, "root"), join(directory, "upper"), join(directory, "work")];
  for (const path of [root, upper, work]) await mkdir(path);
  execFileSync("mount", [
    "-t",
    "overlay",
    "overlay",
    "-o",
    `lowerdir=${layers.join(":")},upperdir=${upper},workdir=${work}`,
    root,
  ]);
  resources.defer(() => void execFileSync("umount", [root]));
  // For what runs on it without a /dev of its own: Perl reads its script's place from there.
  await mkdir(join(root, "dev"), { recursive: true });
  execFileSync("mknod", ["--mode=666", join(root, "dev", "null"), "c", "1", "3"]);
  return root;
}
