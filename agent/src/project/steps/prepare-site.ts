/**
 * Makes a static site's version ready for its visitors, at the end of its install: what a build has made goes
 * into a directory of the agent's own, and text is compressed ahead.
 */

import { lstat, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { quoteLong, type Assignment, type OwnerMessage } from "@tijolo/protocol";
import { assertDiskNotFull } from "../../disk/disk-full.ts";
import { removeTree } from "../../host/files/trees.ts";
import { builtFolders, folderOf } from "../../languages/static.ts";
import type { AppLayer } from "../../runtime/runtime.ts";
import { composeSite, findFolder, SiteTooLargeError } from "../../sites/compose-site.ts";
import { compressSite } from "../../sites/compress-site.ts";
import { builtSite, servedPlace } from "../../sites/served-place.ts";
import { codeDirectory } from "./container-request.ts";
import { say } from "./install-steps.ts";
import type { ProjectHandle } from "../project-handle.ts";

/**
 * Prepares the version that the assignment names. `layers` are those of its build, topmost first; none: the
 * upload is served as it is. Returns why the site cannot be served; undefined when it is ready. Afterwards
 * the layers are not needed any more.
 */
export async function prepareSite(
  worker: ProjectHandle,
  assignment: Assignment,
  layers: readonly AppLayer[],
  signal: AbortSignal,
): Promise<OwnerMessage | undefined> {
  const code = codeDirectory(worker, assignment);
  const isBuilt = layers.length > 0;
  if (isBuilt) {
    const problem = await takeBuilt(worker, assignment, layers, signal);
    if (problem !== undefined) return problem;
    await assertDiskNotFull(worker.context.disks, worker.projectId);
  }
  const place = servedPlace(dirname(code), { root: assignment.settings.root, isBuilt });
  if (place !== undefined) await compress(worker, place, signal);
  return undefined;
}

/** Copies the folder that is served out of the layers, and removes those that are this version's own. */
async function takeBuilt(
  worker: ProjectHandle,
  assignment: Assignment,
  layers: readonly AppLayer[],
  signal: AbortSignal,
): Promise<OwnerMessage | undefined> {
  const code = codeDirectory(worker, assignment);
  const made = layers.map(({ directory }) => directory);
  const sources = [...made, code];
  const named = folderOf(assignment.settings.root);
  const folder = named === "" ? await chooseFolder(made, sources) : named;
  if (folder === undefined) return { code: "built_site_missing", folders: [...builtFolders] };
  const version = dirname(code);
  const unfinished = `${builtSite(version)}-unfinished`;
  try {
    const files = await composeSite({ layers: sources, folder, target: unfinished }, signal);
    if (files === undefined || files === 0)
      return { code: "built_folder_missing", folder: quoteLong(folder) };
    await rename(unfinished, builtSite(version));
  } catch (error) {
    if (error instanceof SiteTooLargeError) return { code: "built_site_too_large" };
    throw error;
  }
  if (folder !== named) await say(worker, { code: "built_folder_chosen", folder });
  for (const directory of made.filter((each) => dirname(each) === version)) await removeTree(directory);
  return undefined;
}

/**
 * Returns the folder of the site that the build made; "" for the project's root; undefined when there is
 * none.
 */
async function chooseFolder(
  made: readonly string[],
  sources: readonly string[],
): Promise<string | undefined> {
  for (const name of builtFolders) if (await hasPage(await findFolder(made, name))) return name;
  return (await hasPage(sources)) ? "" : undefined;
}

async function hasPage(directories: readonly string[]): Promise<boolean> {
  for (const directory of directories) {
    const stats = await lstat(join(directory, "index.html")).catch(() => undefined);
    if (stats !== undefined) return stats.isFile();
  }
  return false;
}

/**
 * Compresses ahead. Without it the site is served all the same, so a fault or a full disk only leaves it out.
 */
async function compress(
  { context, projectId }: ProjectHandle,
  { directory, compressed }: { directory: string; compressed: string },
  signal: AbortSignal,
): Promise<void> {
  await removeTree(compressed);
  try {
    await context.compressSlots.run(() => compressSite(directory, compressed, { signal }), signal);
    await assertDiskNotFull(context.disks, projectId);
  } catch (error) {
    await removeTree(compressed);
    signal.throwIfAborted();
    context.logger.warn({ err: error, projectId }, "a site's files are not compressed ahead");
  }
}
