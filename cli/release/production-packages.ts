/**
 * Finds the packages that the programs need at run time, in the versions that the lockfile says, and lays
 * them out as pnpm does: each once, with links to what it depends on.
 */

import { existsSync, realpathSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join, posix } from "node:path";
import { z } from "zod";
import type { ReleaseArchitecture } from "@tijolo/protocol";
import { filesBelow } from "./compile-sources.ts";
import { fileEntry, textEntry, type TreeEntry } from "./tree-entry.ts";

/** Packages of the workspace whose programs a release has. Those that are not there yet are left out. */
const workspacePackages = ["protocol", "central", "central/gateway", "agent", "cli"];
/** Peers that only type checkers read. */
const onlyForTypes = /^(?:typescript|@types\/.*)$/;
const notNeeded = [
  /\.(?:map|md|markdown|flow|gyp|c|cc|cpp|h|hpp|gz|yml)$/i,
  /\.[cm]?tsx?$/,
  /^(?:test|tests|__tests__|docs|doc|benchmarks?|examples?|\.github)\//,
];
/** Sources of better-sqlite3, which comes built. */
const builtFrom = /\/better-sqlite3\/(?:deps|src)\//;
/** Binaries of better-sqlite3, of which one architecture's are packed. */
const prebuilt = /^prebuilds\/(.+)\.node$/;

const packageFile = z.object({
  name: z.string(),
  version: z.string(),
  license: z.string().optional(),
  exports: z.unknown().optional(),
  dependencies: z.record(z.string(), z.string()).default({}),
  optionalDependencies: z.record(z.string(), z.string()).default({}),
  peerDependencies: z.record(z.string(), z.string()).default({}),
});

interface FoundPackage {
  /** Real path of the package's folder. */
  directory: string;
  /** Path of its folder in the release. */
  place: string;
  /** What it depends on, by the name under which it asks for it. */
  needs: Map<string, FoundPackage>;
}

/** Returns the entries of all packages, and of the `package.json` of each package of the workspace. */
export async function productionPackages(
  root: string,
  { version, architecture }: { version: string; architecture: ReleaseArchitecture },
): Promise<TreeEntry[]> {
  const names = workspacePackages.filter((name) => existsSync(join(root, name, "package.json")));
  const found = new Map<string, FoundPackage>();
  for (const name of names)
    found.set(realpathSync(join(root, name)), { directory: join(root, name), place: name, needs: new Map() });
  const own = [...found.values()];
  for (const part of own) await findNeeds(part, found);

  const entries: TreeEntry[] = [
    textEntry("package.json", json({ name: "tijolo", version, private: true, type: "module" })),
  ];
  for (const part of found.values()) {
    const isOwn = own.includes(part);
    if (isOwn)
      entries.push(textEntry(`${part.place}/package.json`, await ownPackageFile(part.directory, version)));
    else entries.push(...(await filesOf(part, architecture)));
    const modules = isOwn ? `${part.place}/node_modules` : modulesOf(part.place);
    for (const [name, needed] of part.needs) {
      const path = `${modules}/${name}`;
      if (path !== needed.place)
        entries.push({ kind: "link", path, target: posix.relative(posix.dirname(path), needed.place) });
    }
  }
  return entries;
}

async function findNeeds(part: FoundPackage, found: Map<string, FoundPackage>): Promise<void> {
  const description = await readPackage(part.directory);
  const wanted = {
    ...description.peerDependencies,
    ...description.optionalDependencies,
    ...description.dependencies,
  };
  for (const name of Object.keys(wanted).sort()) {
    if (onlyForTypes.test(name)) continue;
    const directory = findPackage(realpathSync(part.directory), name);
    if (directory === null) {
      if (name in description.dependencies)
        throw new Error(`${name}, which ${description.name} needs, is not installed`);
      continue;
    }
    let needed = found.get(directory);
    if (needed === undefined) {
      needed = { directory, place: placeOf(await readPackage(directory)), needs: new Map() };
      const taken = [...found.values()].some(({ place }) => place === needed?.place);
      if (taken)
        throw new Error(`${needed.place} is needed with two sets of peers; a release holds one of them`);
      found.set(directory, needed);
      await findNeeds(needed, found);
    }
    part.needs.set(name, needed);
  }
}

/** Returns the folder of the package that Node would load; null where there is none. */
function findPackage(from: string, name: string): string | null {
  for (let directory = from; directory !== dirname(directory); directory = dirname(directory)) {
    const candidate = join(directory, "node_modules", name);
    if (existsSync(join(candidate, "package.json"))) return realpathSync(candidate);
  }
  return null;
}

function placeOf({ name, version }: z.infer<typeof packageFile>): string {
  return `node_modules/.pnpm/${name.replace("/", "+")}@${version}/node_modules/${name}`;
}

/** Returns the folder in which a package of the registry finds what it depends on. */
function modulesOf(place: string): string {
  return place.slice(0, place.lastIndexOf("/node_modules/") + "/node_modules".length);
}

async function filesOf(part: FoundPackage, architecture: ReleaseArchitecture): Promise<TreeEntry[]> {
  const files = await filesBelow(part.directory);
  const wanted = files.filter((file) => {
    const platform = prebuilt.exec(file)?.[1];
    if (platform !== undefined) return platform === `linux-${architecture}`;
    const isSource = builtFrom.test(`/${part.place}/${file}`);
    return !isSource && !file.startsWith("node_modules/") && !notNeeded.some((pattern) => pattern.test(file));
  });
  return wanted.map((file) => fileEntry(`${part.place}/${file}`, join(part.directory, file)));
}

async function readPackage(directory: string): Promise<z.infer<typeof packageFile>> {
  return packageFile.parse(JSON.parse(await readFile(join(directory, "package.json"), "utf8")));
}

/** Returns the `package.json` of a package of the workspace, whose exports are JavaScript now. */
async function ownPackageFile(directory: string, version: string): Promise<string> {
  const { name, license, exports } = await readPackage(directory);
  const renamed: unknown = JSON.parse(JSON.stringify(exports ?? null).replaceAll(/\.ts"/g, '.js"'));
  return json({ name, version, private: true, license, type: "module", exports: renamed ?? undefined });
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
