/**
 * Makes the JavaScript of a release by tsc, and brings the scripts and data that lie beside it. Types are
 * removed ahead: Node strips none below `node_modules`, and stripping is half of what a start costs.
 */

import { existsSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import { runStep } from "./run-step.ts";
import { fileEntry, textEntry, type TreeEntry } from "./tree-entry.ts";

/** Folders of the workspace that a release has. Those that are not there yet are left out. */
const sourceFolders = [
  "protocol/src",
  "protocol/kit",
  "central/src",
  "central/gateway/src",
  "agent/src",
  "cli/src",
];
const leftOut = /\.test\.ts$|\.test\.mjs$|\.md$|(^|\/)tsconfig\.json$/;
/** Programs and rigs of tests that lie among the sources import what only tests have. */
const importsTests = /from "(?:\.\.\/)+test\//;
/** A text that names a source file, as `new URL("./worker.ts", …)` does. */
const namedSource = /(["'`])((?:\.{1,2}\/)*[A-Za-z0-9_/-]+)\.ts\1/g;

/** Returns the entries. `into` is an empty directory, which must stay until they are packed. */
export async function compileSources(root: string, into: string): Promise<TreeEntry[]> {
  const folders = sourceFolders.filter((folder) => existsSync(join(root, folder)));
  const output = join(into, "javascript");
  await runTypeScript(root, { folders, output, config: join(into, "tsconfig.json") });
  const entries: TreeEntry[] = [];
  for (const file of await filesBelow(output)) {
    if (!file.endsWith(".js") || !folders.some((folder) => file.startsWith(`${folder}/`))) continue;
    const code = await readFile(join(output, file), "utf8");
    if (!importsTests.test(code)) entries.push(textEntry(file, renamedSources(root, file, code)));
  }
  for (const folder of folders) {
    for (const file of await filesBelow(join(root, folder))) {
      const path = `${folder}/${file}`;
      if (!leftOut.test(file) && !/\.tsx?$/.test(file)) entries.push(fileEntry(path, join(root, path)));
    }
  }
  return entries;
}

/** Returns the code with the names of source files that are there changed to those of the JavaScript. */
export function renamedSources(root: string, file: string, code: string): string {
  return code.replace(namedSource, (text, quote: string, name: string) =>
    existsSync(resolve(root, dirname(file), `${name}.ts`)) ? `${quote}${name}.js${quote}` : text,
  );
}

async function runTypeScript(
  root: string,
  { folders, output, config }: { folders: string[]; output: string; config: string },
): Promise<void> {
  const options = {
    extends: join(root, "tsconfig.json"),
    compilerOptions: {
      noEmit: false,
      noCheck: true, // `pnpm check` does that
      rewriteRelativeImportExtensions: true,
      target: "esnext",
      newLine: "lf",
      rootDir: root,
      outDir: output,
      typeRoots: [join(root, "node_modules/@types")],
    },
    include: folders.map((folder) => join(root, folder, "**/*.ts")),
    exclude: [join(root, "**/*.test.ts"), join(root, "cli/src/start")],
  };
  await writeFile(config, JSON.stringify(options));
  await runStep([process.execPath, join(root, "node_modules/typescript/bin/tsc"), "-p", config], root);
}

/** Returns the paths of the regular files below a folder, relative to it and in the order of their names. */
export async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .sort();
}
