/**
 * Chooses the files of a folder that belong to an upload: by .gitignore and .svcignore, without links out of
 * it.
 */

import { lstat, readdir, readFile, realpath, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import ignore, { type Ignore } from "ignore";

export interface SelectedFile {
  /** Path relative to the folder, with `/`. */
  name: string;
  /** Path where its content is read. */
  path: string;
  sizeBytes: number;
}

export interface Selection {
  /** Files in the order of their names. */
  files: SelectedFile[];
  /** Links that were left out because they lead out of the folder or to another folder, by name. */
  leftOut: string[];
  /** Needed paths that are sent although the ignore files leave them out. */
  restored: RestoredPath[];
}

export interface RestoredPath {
  /** File or folder that is sent. */
  name: string;
  /** The rule of an ignore file that leaves it out; null where the rule is inside it. */
  rule: string | null;
}

/**
 * Names that are never part of an upload, whatever the ignore files say: they are made anew on the host, or
 * are this machine's own.
 */
const alwaysIgnored = new Set([
  ".git",
  ".hg",
  ".svn",
  ".tijolo",
  "node_modules",
  ".venv",
  "__pycache__",
  ".DS_Store",
]);
/**
 * Names of the ignore files; the later one decides: `!dist` in .svcignore restores what .gitignore leaves
 * out.
 */
const ignoreFiles = [".gitignore", ".svcignore"];

/** Rules of one folder, which hold below it. */
interface Rules {
  base: string;
  matcher: Ignore;
}

/**
 * Selects the files. `needed` are files and folders without which the upload cannot run (svc.json, `entry`,
 * `root`): those that exist are selected, whatever the ignore files say.
 */
export async function selectFiles(directory: string, needed: readonly string[] = []): Promise<Selection> {
  const root = await realpath(directory);
  const selection: Selection = { files: [], leftOut: [], restored: [] };
  await walk(root, "", [], selection);
  for (const name of needed) await addNeeded(root, name, selection);
  selection.files.sort((a, b) => (a.name < b.name ? -1 : 1));
  selection.leftOut = [...new Set(selection.leftOut)];
  return selection;
}

/**
 * Adds what is needed and was left out. Of a file in a folder that was left out as a whole, the folder goes
 * along: a program of many files needs the others, too.
 */
async function addNeeded(root: string, needed: string, selection: Selection): Promise<void> {
  const isThere = await stat(join(root, needed)).catch(() => null);
  const has = (name: string) =>
    selection.files.some((file) => file.name === name || file.name.startsWith(`${name}/`));
  if (isThere === null || needed === "" || has(needed)) return;
  const parts = needed.split("/");
  if (parts.some((part) => alwaysIgnored.has(part))) return;
  const folders = parts.map((_, index) => parts.slice(0, index + 1).join("/"));
  const missing = folders.find((name) => !has(name)) ?? needed;
  const rules = await rulesAbove(root, missing);
  const isFolder = (await lstat(join(root, missing))).isDirectory();
  const rule = ruleFor(missing, isFolder, rules);
  const count = selection.files.length;
  if (isFolder) {
    // Rules from outside that do not name the folder itself hold inside it, as `*.log` does.
    const inside = rules.map(({ matcher }) => ({ base: `${missing}/`, matcher }));
    await walk(root, missing, inside, selection);
  } else await addFile(root, missing, selection);
  if (!has(needed) && isThere.isFile()) await addFile(root, needed, selection);
  else if (!has(needed)) await walk(root, needed, null, selection);
  if (selection.files.length > count) selection.restored.push({ name: missing, rule });
}

/** Returns the rules of the folders above a path. */
async function rulesAbove(root: string, name: string): Promise<Rules[]> {
  const parents = name.split("/").slice(0, -1);
  const folders = ["", ...parents.map((_, index) => parents.slice(0, index + 1).join("/"))];
  return (await Promise.all(folders.map((folder) => readRules(root, folder)))).flat();
}

/** Adds the files of a folder; without rules (null), all that may be part of an upload. */
async function walk(
  root: string,
  folder: string,
  outerRules: readonly Rules[] | null,
  selection: Selection,
): Promise<void> {
  const rules = outerRules === null ? null : [...outerRules, ...(await readRules(root, folder))];
  for (const entry of await readdir(join(root, folder), { withFileTypes: true })) {
    const name = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (alwaysIgnored.has(entry.name)) continue;
    if (rules !== null && ruleFor(name, entry.isDirectory(), rules) !== null) continue;
    if (!entry.isDirectory()) await addFile(root, name, selection);
    else if (!(await isPythonEnvironment(join(root, name)))) await walk(root, name, rules, selection);
  }
}

async function addFile(root: string, name: string, selection: Selection): Promise<void> {
  const path = join(root, name);
  const stats = await lstat(path);
  if (stats.isFile()) selection.files.push({ name, path, sizeBytes: stats.size });
  else if (stats.isSymbolicLink()) await addLink(root, name, selection);
}

/** Adds a link: one to a file inside the folder becomes a copy of that file; any other is left out. */
async function addLink(root: string, name: string, selection: Selection): Promise<void> {
  try {
    const target = await realpath(join(root, name));
    const inside = relative(root, target);
    const { size: sizeBytes, ...stats } = await stat(target).then((found) => ({
      size: found.size,
      isFile: found.isFile(),
    }));
    if (stats.isFile && inside !== ".." && !inside.startsWith(`..${sep}`)) {
      selection.files.push({ name, path: target, sizeBytes });
      return;
    }
  } catch {
    // A link to nothing is left out as well.
  }
  selection.leftOut.push(name);
}

async function readRules(root: string, folder: string): Promise<Rules[]> {
  const read = (name: string) => readFile(join(root, folder, name), "utf8").catch(() => ""); // most folders have none
  const texts = await Promise.all(ignoreFiles.map(read));
  if (texts.every((text) => text === "")) return [];
  return [{ base: folder === "" ? "" : `${folder}/`, matcher: ignore().add(texts.join("\n")) }];
}

/** Returns the rule that leaves a path out; null when none does. */
function ruleFor(name: string, isDirectory: boolean, rules: readonly Rules[]): string | null {
  let found: string | null = null;
  for (const { base, matcher } of rules) {
    const result = matcher.test(`${name.slice(base.length)}${isDirectory ? "/" : ""}`);
    if (result.ignored) found = result.rule?.pattern ?? "";
    else if (result.unignored) found = null;
  }
  return found;
}

async function isPythonEnvironment(path: string): Promise<boolean> {
  return await lstat(join(path, "pyvenv.cfg")).then(
    () => true,
    () => false,
  );
}
