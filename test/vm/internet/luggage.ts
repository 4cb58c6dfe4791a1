/** Makes the disk that the machines find what they are given on: the release, and the image of a language. */

import { cp, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { exec } from "../../../agent/src/host/exec.ts";
import { ensureImage, keptImagesDirectory } from "../../real/support/images/kept-images.ts";
import { makeRelease } from "../../release/support/made-release.ts";
import { layersOf } from "../work-disk.ts";

const spareMb = 64;
const makeTimeoutMs = 300_000;

/**
 * Makes an ext4 file system labelled `luggage` in the directory: `release` and `images`, the layers of Node's
 * image, which hosts without a mirror of Debian cannot make. Resolves with its path.
 */
export async function packLuggage(directory: string): Promise<string> {
  const stage = join(directory, "stage");
  await mkdir(join(stage, "images"), { recursive: true });
  await ensureImage("node");
  for (const digest of layersOf("node"))
    await exec(["cp", "--archive", join(keptImagesDirectory, digest), join(stage, "images")], {
      timeoutMs: makeTimeoutMs,
    });
  await cp(await makeRelease(directory), join(stage, "release"), { recursive: true });
  const { stdout } = await exec(["du", "--summarize", "--block-size=1M", stage]);
  const sizeMb = Math.ceil(Number.parseInt(stdout, 10) * 1.2) + spareMb;
  const disk = join(directory, "luggage.img");
  await exec(["mke2fs", "-q", "-t", "ext4", "-L", "luggage", "-d", stage, disk, `${sizeMb}M`], {
    timeoutMs: makeTimeoutMs,
  });
  await rm(stage, { recursive: true });
  return disk;
}
