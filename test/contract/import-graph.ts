/** The imports between source files, types included, and what contract tests ask of them. */

import { readdirSync, readFileSync } from "node:fs";
import { join, normalize, relative } from "node:path";

/** The imported files of each file; both are paths from the root of the repository. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

/** Reads the source files of `folders`, tests left out; at once, as the tests are defined while a file loads. */
export function readSources(root: string, folders: readonly string[]): Map<string, string> {
  const files = folders
    .flatMap((folder) => readdirSync(join(root, folder), { withFileTypes: true, recursive: true }))
    .filter((entry) => entry.isFile() && /(?<!\.test)\.(ts|mjs)$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((file) => !file.includes("node_modules"));
  return new Map(files.map((file) => [file, readFileSync(join(root, file), "utf8")]));
}

/** Returns the imports among `sources`; an import of any other file is left out. */
export function graphOf(sources: ReadonlyMap<string, string>): ImportGraph {
  return new Map(
    [...sources].map(([file, source]) => [
      file,
      [...source.matchAll(/\b(?:from|import)\s*\(?\s*"(\.{1,2}\/[^"]+)"/g)]
        .map(([, specifier = ""]) => normalize(join(file, "..", specifier)))
        .filter((target) => sources.has(target)),
    ]),
  );
}

/** Returns the files of one import circle, in the order of the imports; empty when there is none. */
export function findCircle(graph: ImportGraph): string[] {
  const left = new Map(graph);
  const leaves = () => [...left].filter(([, targets]) => !targets.some((target) => left.has(target)));
  for (let found = leaves(); found.length > 0; found = leaves()) {
    for (const [file] of found) left.delete(file);
  }
  // Every file that is left imports another one that is left: the walk ends in a circle.
  const path: string[] = [];
  let file = left.keys().next().value;
  while (file !== undefined && !path.includes(file)) {
    path.push(file);
    file = left.get(file)?.find((target) => left.has(target));
  }
  return file === undefined ? [] : path.slice(path.indexOf(file));
}

/**
 * Returns the imports below `folder` that lead upwards. `rooms` are its folders, lowest first. The files of
 * `folder` itself lie below all rooms, except `top`, which lies above them.
 */
export function upwardImports(
  graph: ImportGraph,
  { folder, rooms, top }: { folder: string; rooms: readonly string[]; top: string },
): string[] {
  const floorOf = (file: string) => {
    const [first = "", ...others] = relative(folder, file).split("/");
    if (others.length > 0) return rooms.indexOf(first);
    return first === top ? rooms.length : -1;
  };
  return [...graph]
    .filter(([file]) => file.startsWith(`${folder}/`))
    .flatMap(([file, targets]) =>
      targets
        .filter((target) => target.startsWith(`${folder}/`) && floorOf(target) > floorOf(file))
        .map((target) => `${file} → ${target}`),
    );
}

/**
 * Returns the imports among the folders directly below `folder`. Files of `folder` itself are left out: they
 * put the rooms together.
 */
export function graphOfRooms(graph: ImportGraph, folder: string): ImportGraph {
  const roomOf = (file: string) => {
    const [first = "", ...others] = file.startsWith(`${folder}/`) ? relative(folder, file).split("/") : [];
    return others.length > 0 ? first : undefined;
  };
  const rooms = new Map<string, string[]>();
  for (const [file, targets] of graph) {
    const room = roomOf(file);
    if (room === undefined) continue;
    const others = targets.map(roomOf).filter((target) => target !== undefined);
    rooms.set(room, [...(rooms.get(room) ?? []), ...others.filter((target) => target !== room)]);
  }
  return rooms;
}
