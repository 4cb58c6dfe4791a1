/** Packs the projects of `examples/` into the panel, each as a chunk that is loaded when somebody wants it. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { alwaysIgnored } from "@tijolo/protocol/ignore";
import type { Plugin } from "vite";

const folder = join(import.meta.dirname, "../../../examples");
const listName = "virtual:examples";
const oneName = "virtual:example/";

/**
 * Provides `virtual:examples`. An example whose entry is made by hand first, as the .jar of Java, cannot be
 * sent from here and is left out.
 */
export function examples(): Plugin {
  return {
    name: "tijolo-examples",
    resolveId: (id) => (id === listName || id.startsWith(oneName) ? `\0${id}` : null),
    load: (id) => {
      if (id === `\0${listName}`) return listSource();
      if (!id.startsWith(`\0${oneName}`)) return null;
      const files = filesOf(join(folder, id.slice(oneName.length + 1)));
      return `export const files = ${JSON.stringify(files)};`;
    },
  };
}

function listSource(): string {
  const names = readdirSync(folder).filter(canBeSent).toSorted();
  const lines = names.map(
    (name) => `${JSON.stringify(name)}: () => import(${JSON.stringify(oneName + name)})`,
  );
  return `export const examples = { ${lines.join(", ")} };`;
}

function canBeSent(name: string): boolean {
  const path = join(folder, name, "svc.json");
  if (!existsSync(path)) return false;
  const { entry } = JSON.parse(readFileSync(path, "utf8")) as { entry?: string };
  return entry === undefined || existsSync(join(folder, name, entry));
}

/** Returns the texts of the files by their paths in the example. */
function filesOf(directory: string, path = ""): Record<string, string> {
  const files: Record<string, string> = {};
  for (const entry of readdirSync(join(directory, path), { withFileTypes: true })) {
    if (alwaysIgnored.has(entry.name)) continue;
    const name = path === "" ? entry.name : `${path}/${entry.name}`;
    if (entry.isDirectory()) Object.assign(files, filesOf(directory, name));
    else files[name] = readFileSync(join(directory, name), "utf8");
  }
  return files;
}
