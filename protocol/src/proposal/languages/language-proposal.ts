/** Defines how a language's projects are recognized, and the proposals that all languages share. */

import { doesListen, fixedPort } from "../code-signs.ts";
import type { Draft } from "../draft.ts";
import type { TreeReader } from "../project-tree.ts";

export interface LanguageProposal {
  /** Returns the file that shows that a project is of the language; null when none does. */
  sign(tree: TreeReader): string | null | Promise<string | null>;
  /** Proposes what the language's own files say. */
  propose(draft: Draft, tree: TreeReader): Promise<void>;
}

/** Packages that tell what a project is, by the names in its list of dependencies. */
export interface KnownPackages {
  bots: readonly string[];
  sites: readonly string[];
}

/**
 * Proposes the type by the packages of a project: one for bots decides, as many bots have a small site beside
 * them.
 */
export function proposeTypeByPackages(
  draft: Draft,
  { names, file }: { names: ReadonlySet<string>; file: string },
  { bots, sites }: KnownPackages,
): void {
  const bot = bots.find((name) => names.has(name));
  const site = sites.find((name) => names.has(name));
  if (bot !== undefined) draft.add("type", "bot", { code: "dependency", file, name: bot });
  else if (site !== undefined) draft.add("type", "site", { code: "dependency", file, name: site });
}

/** Proposes type and port by the code of the main file. */
export async function proposeByCode(draft: Draft, tree: TreeReader, file: string | null): Promise<void> {
  if (file === null) return;
  const source = await tree.text(file);
  if (doesListen(source)) draft.add("type", "site", { code: "listens", file });
  if (draft.type === "site") draft.add("port", fixedPort(source), { code: "listens", file });
}

/** Proposes the first of these files as the entry. */
export function proposeEntry(draft: Draft, tree: TreeReader, names: readonly string[]): void {
  const file = tree.first(names);
  if (!draft.hasStart && file !== null) draft.add("entry", file, { code: "file", file });
}

/** Returns the packages that a text names, each on a line or in quotes: in lower case, `_` and `.` as `-`. */
export function packagesNamedIn(text: string, pattern: RegExp): Set<string> {
  return new Set(
    [...text.matchAll(pattern)].map(([, name = ""]) => name.toLowerCase().replaceAll(/[_.]/g, "-")),
  );
}
