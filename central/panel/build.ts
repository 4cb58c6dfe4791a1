/**
 * Builds the panel: `node central/panel/build.ts`, into `.tools/panel/<hash of what it is made of>`, unless
 * that is there. `--release` builds into `panel/`, which a release carries, and compresses for longer.
 * `--root` names another copy of the sources.
 */

import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { extname, join, relative } from "node:path";
import { parseArgs, promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { takeDataLock } from "@tijolo/protocol/kit";

/** The build of the sources as they are now. */
export interface PanelBuild {
  directory: string;
  /** The directory appears as a whole, so it is complete once it is there. */
  isBuilt(): boolean;
}

/** Files and folders that decide the build, relative to the root. */
const decidingPaths = [
  "central/panel",
  "examples",
  "protocol/src",
  "protocol/package.json",
  "package.json",
  "pnpm-lock.yaml",
];
/** Names of what lies in these folders without deciding the build; `.tijolo` is of projects that were sent. */
const ignoredNames = /^(?:node_modules|\.tijolo|.*\.test\.ts)$/;
/** Names of builds and of folders in which one is being built. */
const buildName = /^[0-9a-f]{16}$/;
const unfinishedName = /^unfinished-/;
const keptBuilds = 2;
const lockPatienceMs = 10 * 60_000;

const compressed = new Set([".css", ".html", ".js", ".json", ".svg", ".txt", ".wasm", ".webmanifest"]);
/** Bytes below which a file is sent in one packet anyway. */
const leastBytes = 1_024;
const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

/** Returns null where the panel cannot be built, as its sources or its packages are not there. */
export function panelBuild(root: string): PanelBuild | null {
  const needed = ["index.html", "vite.config.ts", "node_modules/vite/package.json"];
  if (!needed.every((file) => existsSync(join(root, "central/panel", file)))) return null;
  const directory = join(buildsDirectory(root), hashOfSources(root));
  return { directory, isBuilt: () => existsSync(directory) };
}

/** Returns Vite, which is loaded only where it is used: it is not part of a release. */
export function loadVite(): Promise<typeof import("vite")> {
  return import("vite");
}

function buildsDirectory(root: string): string {
  return join(root, ".tools", "panel");
}

function hashOfSources(root: string): string {
  const hash = createHash("sha256");
  for (const file of decidingPaths.flatMap((path) => filesBelow(join(root, path)))) {
    const content = readFileSync(file);
    hash.update(`${relative(root, file)}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex").slice(0, 16);
}

/** Returns the file itself, or the files below a folder in the order of their names. */
function filesBelow(path: string): string[] {
  if (!existsSync(path)) return [];
  const list = (folder: string): string[] =>
    readdirSync(folder, { withFileTypes: true })
      .filter(({ name }) => !ignoredNames.test(name))
      .sort((one, other) => (one.name < other.name ? -1 : 1))
      .flatMap((entry) => {
        const below = join(folder, entry.name);
        if (entry.isDirectory()) return list(below);
        return entry.isFile() ? [below] : [];
      });
  try {
    return list(path);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOTDIR") return [path];
    throw cause;
  }
}

/** Builds into `directory`, one build at a time; the last few builds stay. */
async function build(root: string, { directory, isRelease }: { directory: string; isRelease: boolean }) {
  const builds = buildsDirectory(root);
  await mkdir(builds, { recursive: true });
  using _lock = await takeDataLock(join(builds, "lock"), { onWait: () => {}, patienceMs: lockPatienceMs });
  if (!isRelease && existsSync(directory)) return;
  await removeUnfinished(builds);
  const unfinished = join(builds, `unfinished-${process.pid}`);
  const vite = await loadVite();
  const panel = join(root, "central", "panel");
  await vite.build({
    root: panel,
    configFile: join(panel, "vite.config.ts"),
    configLoader: "native",
    logLevel: "warn",
    build: { outDir: unfinished, emptyOutDir: true },
  });
  await compressBelow(unfinished, isRelease ? 11 : 5);
  if (isRelease) await rm(directory, { recursive: true, force: true });
  await rename(unfinished, directory);
  await removeOldBuilds(builds);
}

async function compressBelow(directory: string, quality: number): Promise<void> {
  const entries = await readdir(directory, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile() && compressed.has(extname(entry.name)));
  await Promise.all(files.map((entry) => compressFile(join(entry.parentPath, entry.name), quality)));
}

async function compressFile(path: string, quality: number): Promise<void> {
  const content = await readFile(path);
  if (content.length < leastBytes) return;
  const forms = {
    br: await toBrotli(content, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: quality,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      },
    }),
    gz: await toGzip(content, { level: 9 }),
  };
  for (const [extension, bytes] of Object.entries(forms))
    if (bytes.length < content.length) await writeFile(`${path}.${extension}`, bytes);
}

/** Removes what builds that were ended left; nobody else builds while this process has the lock. */
async function removeUnfinished(builds: string): Promise<void> {
  for (const name of await readdir(builds))
    if (unfinishedName.test(name)) await rm(join(builds, name), { recursive: true, force: true });
}

async function removeOldBuilds(builds: string): Promise<void> {
  const names = (await readdir(builds)).filter((name) => buildName.test(name));
  const times = await Promise.all(names.map(async (name) => (await stat(join(builds, name))).mtimeMs));
  const newestFirst = names
    .map((name, index) => ({ name, time: times[index] ?? 0 }))
    .sort((one, other) => other.time - one.time);
  for (const { name } of newestFirst.slice(keptBuilds))
    await rm(join(builds, name), { recursive: true, force: true });
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { release: { type: "boolean", default: false }, root: { type: "string" } },
  });
  const { root = join(import.meta.dirname, "..", ".."), release: isRelease } = values;
  const place = panelBuild(root);
  if (place === null) throw new Error(`the panel's sources or packages are not in ${root}/central/panel`);
  const directory = isRelease ? join(root, "panel") : place.directory;
  const startedMs = performance.now();
  await build(root, { directory, isRelease });
  console.log(`${directory} (${((performance.now() - startedMs) / 1000).toFixed(1)} s)`);
}

// Without a top-level await: tests that share a process load this file in one go.
if (import.meta.main) {
  main().catch((cause: unknown) => {
    console.error(cause instanceof Error ? cause.message : cause);
    process.exitCode = 1;
  });
}
