/**
 * Chooses the files of a folder that belong to an upload, and says why the others do not. The folder is read
 * through an interface: it lies on a disk, or in a browser.
 */

import type { Folder } from "./folder.ts";
import { alwaysIgnored, ignoreFiles, ruleFor, rulesOf, type Rules } from "./ignore-rules.ts";

export * from "./folder.ts";
export * from "./ignore-rules.ts";
export * from "./listed-folder.ts";

/** A file or a folder that is not sent. */
export interface IgnoredPath {
  name: string;
  isFolder: boolean;
  /** `service`: made anew on the host, or of this machine alone; `rule`: an ignore file names it. */
  reason: "service" | "rule";
  /** The rule of the ignore file. */
  rule: string | null;
}

export interface RestoredPath {
  /** File or folder that is sent. */
  name: string;
  /** The rule of an ignore file that leaves it out; null where the rule is inside it. */
  rule: string | null;
}

export interface Selection<File> {
  /** Files in the order of their names. */
  files: File[];
  /** Links that were left out because they lead out of the folder or to another folder, by name. */
  leftOut: string[];
  /** What was left out on purpose. A folder stands for all that is in it. */
  ignored: IgnoredPath[];
  /** Needed paths that are sent although the ignore files leave them out. */
  restored: RestoredPath[];
}

/**
 * Selects the files. `needed` are files and folders without which the upload cannot run (svc.json, `entry`,
 * `root`): those that exist are selected, whatever the ignore files say.
 */
export async function selectFiles<File extends { name: string }>(
  folder: Folder<File>,
  needed: readonly string[] = [],
): Promise<Selection<File>> {
  const selection: Selection<File> = { files: [], leftOut: [], ignored: [], restored: [] };
  const selecting = { folder, selection };
  await walk(selecting, "", []);
  for (const name of needed) await addNeeded(selecting, name);
  selection.files.sort((a, b) => (a.name < b.name ? -1 : 1));
  selection.leftOut = [...new Set(selection.leftOut)];
  return selection;
}

interface Selecting<File> {
  folder: Folder<File>;
  selection: Selection<File>;
}

/**
 * Adds what is needed and was left out. Of a file in a folder that was left out as a whole, the folder goes
 * along: a program of many files needs the others, too.
 */
async function addNeeded<File extends { name: string }>(
  selecting: Selecting<File>,
  needed: string,
): Promise<void> {
  const { folder, selection } = selecting;
  const kind = await folder.kindOf(needed, "followed");
  const has = (name: string) =>
    selection.files.some((file) => file.name === name || file.name.startsWith(`${name}/`));
  if (kind === null || needed === "" || has(needed)) return;
  const parts = needed.split("/");
  if (parts.some((part) => alwaysIgnored.has(part))) return;
  const folders = parts.map((_, index) => parts.slice(0, index + 1).join("/"));
  const missing = folders.find((name) => !has(name)) ?? needed;
  const rules = await rulesAbove(folder, missing);
  const isFolder = (await folder.kindOf(missing, "shown")) === "folder";
  const rule = ruleFor(missing, isFolder, rules);
  const count = selection.files.length;
  if (isFolder) {
    // Rules from outside that do not name the folder itself hold inside it, as `*.log` does.
    const inside = rules.map(({ matcher }) => ({ base: `${missing}/`, matcher }));
    await walk(selecting, missing, inside);
  } else await addFile(selecting, missing);
  if (!has(needed) && kind === "file") await addFile(selecting, needed);
  else if (!has(needed)) await walk(selecting, needed, null);
  if (selection.files.length === count) return;
  selection.restored.push({ name: missing, rule });
  selection.ignored = selection.ignored.filter(({ name }) => name !== missing);
}

/** Returns the rules of the folders above a path. */
async function rulesAbove<File>(folder: Folder<File>, name: string): Promise<Rules[]> {
  const parents = name.split("/").slice(0, -1);
  const folders = ["", ...parents.map((_, index) => parents.slice(0, index + 1).join("/"))];
  return (await Promise.all(folders.map((path) => readRules(folder, path)))).flat();
}

/** Adds the files below a path; without rules (null), all that may be part of an upload. */
async function walk<File extends { name: string }>(
  selecting: Selecting<File>,
  path: string,
  outerRules: readonly Rules[] | null,
): Promise<void> {
  const { folder, selection } = selecting;
  const rules = outerRules === null ? null : [...outerRules, ...(await readRules(folder, path))];
  for (const entry of await folder.list(path)) {
    const name = pathIn(path, entry.name);
    const isFolder = entry.kind === "folder";
    const rule = rules === null ? null : ruleFor(name, isFolder, rules);
    if (alwaysIgnored.has(entry.name)) {
      selection.ignored.push({ name, isFolder, reason: "service", rule: null });
    } else if (rule !== null) {
      selection.ignored.push({ name, isFolder, reason: "rule", rule });
    } else if (!isFolder) {
      await addFile(selecting, name);
    } else if (await isPythonEnvironment(folder, name)) {
      selection.ignored.push({ name, isFolder, reason: "service", rule: null });
    } else {
      await walk(selecting, name, rules);
    }
  }
}

async function addFile<File>({ folder, selection }: Selecting<File>, name: string): Promise<void> {
  const kind = await folder.kindOf(name, "shown");
  if (kind !== "file" && kind !== "link") return;
  const file = await folder.fileAt(name);
  if (file === null) selection.leftOut.push(name);
  else selection.files.push(file);
}

async function readRules<File>(folder: Folder<File>, path: string): Promise<Rules[]> {
  return rulesOf(path, await Promise.all(ignoreFiles.map((name) => folder.readText(pathIn(path, name)))));
}

async function isPythonEnvironment<File>(folder: Folder<File>, path: string): Promise<boolean> {
  return (await folder.kindOf(pathIn(path, "pyvenv.cfg"), "shown")) !== null;
}

function pathIn(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}
