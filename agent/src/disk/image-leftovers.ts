/**
 * Handles what remains of images beside those in use: after an agent that was killed, a restart of the host,
 * or files that were moved into an image.
 */

import { readdir, rename, rmdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "pino";
import { exec } from "../host/exec.ts";
import { removeTree } from "../host/files/trees.ts";
import { readMounts, type MountEntry } from "./mount-table.ts";
import { movingPrefix, wasCopied } from "./take-over.ts";

/** Name prefix of a directory whose files are in an image now. No project id begins so. */
const oldPrefix = ".old-";
/**
 * Name prefix of a directory whose files are in no image, before the project's id and a time. No id has a
 * dot.
 */
const keptPrefix = ".kept-";

export interface ImagePlaces {
  /** Directory where images are mounted. */
  projects: string;
  images: string;
  logger: Pick<Logger, "warn">;
}

/** Frees leftovers one by one: one that cannot be freed is logged, and does not prevent the others. */
export async function freeLeftovers({ projects, images, logger }: ImagePlaces): Promise<void> {
  const free = (path: string, work: () => Promise<unknown>) =>
    work().catch((error: unknown) =>
      logger.warn({ err: error, path }, "what was left over of a disk could not be freed"),
    );
  for (const name of await readdir(images)) {
    if (!name.endsWith(".img")) await free(name, () => removeTree(join(images, name)));
  }
  for (const mount of await readMounts()) {
    const projectId = projectOf(mount, projects);
    if (projectId === undefined || (await exists(join(images, `${projectId}.img`)))) continue;
    await free(mount.mountPoint, async () => {
      await unmountLazily(mount.mountPoint);
      await rmdir(mount.mountPoint);
    });
  }
  for (const name of await readdir(projects)) {
    if (name.startsWith(oldPrefix) || name.startsWith(movingPrefix))
      await free(name, () => removeTree(join(projects, name)));
  }
}

/** Must be called when nothing of the project runs, and no operation on its disk is under way. */
export async function removeLeftoversOf(projectId: string, { projects, images }: ImagePlaces): Promise<void> {
  const partial = (await readdir(images))
    .filter((name) => name.startsWith(`${projectId}.img.`))
    .map((name) => join(images, name));
  const moving = join(projects, movingPrefix + projectId);
  if (await exists(moving)) await unmountLazily(moving);
  const kept = (await readdir(projects))
    .filter((name) => name.startsWith(`${keptPrefix}${projectId}.`))
    .map((name) => join(projects, name));
  await Promise.all(
    [...partial, moving, join(projects, oldPrefix + projectId), ...kept].map((path) => removeTree(path)),
  );
}

/**
 * Moves away what lies where the project's image is to be mounted. It is removed later when all of it was
 * copied into the image; otherwise an operator must look at it, as an earlier version of the agent, which
 * knew no images, may have run meanwhile.
 */
export async function putAway(projectId: string, { projects, logger }: ImagePlaces): Promise<void> {
  const directory = join(projects, projectId);
  if (await wasCopied(directory)) {
    await removeOld(projectId, projects);
    return rename(directory, join(projects, oldPrefix + projectId));
  }
  const keptIn = join(projects, `${keptPrefix}${projectId}.${Date.now()}`);
  await rename(directory, keptIn);
  logger.warn(
    { projectId, keptIn },
    "a project has a disk, and files beside it that are not on it; they are kept aside, and not used",
  );
}

/** Removes the directory that {@link putAway} has renamed, once all of it is in the image. */
export async function removeOld(projectId: string, projects: string): Promise<void> {
  const old = join(projects, oldPrefix + projectId);
  if (await exists(old)) await removeTree(old);
}

export async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** Returns the project of a mount; undefined for a mount of another program. */
function projectOf({ mountPoint, source }: MountEntry, projects: string): string | undefined {
  if (!source.startsWith("/dev/loop") || !mountPoint.startsWith(`${projects}/`)) return undefined;
  const name = mountPoint.slice(projects.length + 1);
  return name.includes("/") ? undefined : name;
}

/** Unmounts lazily; the codes 1 and 32 mean that nothing is mounted there. */
async function unmountLazily(mountPoint: string): Promise<void> {
  await exec(["umount", "--lazy", mountPoint], { okCodes: [0, 1, 32] });
}
