/** Decides by .gitignore and .svcignore what of a folder belongs to an upload. */

import ignore, { type Ignore } from "ignore";

/**
 * Names that are never part of an upload, whatever the ignore files say: they are made anew on the host, or
 * are this machine's own.
 */
export const alwaysIgnored: ReadonlySet<string> = new Set([
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
export const ignoreFiles: readonly string[] = [".gitignore", ".svcignore"];

/** Rules of one folder, which hold below it. */
export interface Rules {
  /** The folder's path with a slash at the end; empty for the project's folder. */
  base: string;
  matcher: Ignore;
}

/** Returns the rules of a folder from the texts of its ignore files, in their order; empty without any. */
export function rulesOf(folder: string, texts: readonly string[]): Rules[] {
  if (texts.every((text) => text === "")) return [];
  return [{ base: folder === "" ? "" : `${folder}/`, matcher: ignore().add(texts.join("\n")) }];
}

/** Returns the rule that leaves a path out; null when none does. */
export function ruleFor(name: string, isFolder: boolean, rules: readonly Rules[]): string | null {
  let found: string | null = null;
  for (const { base, matcher } of rules) {
    const result = matcher.test(`${name.slice(base.length)}${isFolder ? "/" : ""}`);
    if (result.ignored) found = result.rule?.pattern ?? "";
    else if (result.unignored) found = null;
  }
  return found;
}
