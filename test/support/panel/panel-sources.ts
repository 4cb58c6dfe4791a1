/** Reads the panel's sources as text: its addresses, the files of a page, and its texts. */

import { existsSync, globSync, readFileSync } from "node:fs";
import { join, normalize } from "node:path";

export const panelRoot = join(import.meta.dirname, "../../../central/panel");

/** One address of `router.tsx`, with the file of its page, relative to `central/panel/src`. */
export interface PanelRoute {
  path: string;
  file: string;
}

export function panelSource(file: string): string {
  return readFileSync(join(panelRoot, "src", file), "utf8");
}

/** Files below `central/panel/src` that match, tests left out. */
export function panelFiles(pattern: string): string[] {
  return globSync(pattern, { cwd: join(panelRoot, "src") })
    .filter((file) => !/\.test\.tsx?$/.test(file))
    .toSorted();
}

/** Addresses of the router in the order of its file: what `createRoute` and its helper `page` are called with. */
export function panelRoutes(): PanelRoute[] {
  const source = panelSource("router.tsx");
  const found: PanelRoute[] = [];
  const bases = new Map<string, string>([["root", ""]]);
  const base = (parent: string) => bases.get(parent) ?? "";
  for (const [, name = "", body = ""] of source.matchAll(/const (\w+) = createRoute\(\{([^]*?)\n\}\);/g)) {
    const [, parent = ""] = /getParentRoute: \(\) => (\w+)/.exec(body) ?? [];
    const path = /\n {2}path: "([^"]+)"/.exec(body)?.[1] ?? "";
    const [, file, component] = /import\("\.\/([^"]+)"\), "(\w+)"/.exec(body) ?? [];
    bases.set(name, joined(base(parent), path));
    if (file !== undefined && component === "Page") found.push({ path: joined(base(parent), path), file });
  }
  for (const [, parent = "", path = "", file = ""] of source.matchAll(
    /\bpage\((\w+), "([^"]+)", \(\) => import\("\.\/([^"]+)"\)\)/g,
  ))
    found.push({ path: joined(base(parent), path), file });
  return found;
}

function joined(base: string, path: string): string {
  return base + (path === "/" && base !== "" ? "" : path);
}

/** The files that `file` imports, in any way and however far, itself included. */
export function importedBy(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const [, specifier = ""] of panelSource(file).matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+\.tsx?)"/g)) {
    const imported = normalize(join(file, "..", specifier));
    if (existsSync(join(panelRoot, "src", imported))) importedBy(imported, seen);
  }
  return seen;
}

/** True for a page that shows nothing yet. */
export function isUnwritten(file: string): boolean {
  return panelSource(file).includes("/** Not written yet. */");
}
