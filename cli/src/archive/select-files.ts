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

export async function selectFiles(directory: string): Promise<Selection> {
  const root = await realpath(directory);
  const selection: Selection = { files: [], leftOut: [] };
  await walk(root, "", [], selection);
  selection.files.sort((a, b) => (a.name < b.name ? -1 : 1));
  return selection;
}

async function walk(
  root: string,
  folder: string,
  outerRules: readonly Rules[],
  selection: Selection,
): Promise<void> {
  const rules = [...outerRules, ...(await readRules(root, folder))];
  for (const entry of await readdir(join(root, folder), { withFileTypes: true })) {
    const name = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (alwaysIgnored.has(entry.name) || isIgnored(name, entry.isDirectory(), rules)) continue;
    const path = join(root, name);
    if (entry.isDirectory()) {
      if (!(await isPythonEnvironment(path))) await walk(root, name, rules, selection);
    } else if (entry.isFile()) {
      selection.files.push({ name, path, sizeBytes: (await stat(path)).size });
    } else if (entry.isSymbolicLink()) {
      await addLink(root, name, selection);
    }
  }
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

function isIgnored(name: string, isDirectory: boolean, rules: readonly Rules[]): boolean {
  let ignored = false;
  for (const { base, matcher } of rules) {
    const result = matcher.test(`${name.slice(base.length)}${isDirectory ? "/" : ""}`);
    if (result.ignored) ignored = true;
    else if (result.unignored) ignored = false;
  }
  return ignored;
}

async function isPythonEnvironment(path: string): Promise<boolean> {
  return await lstat(join(path, "pyvenv.cfg")).then(
    () => true,
    () => false,
  );
}
