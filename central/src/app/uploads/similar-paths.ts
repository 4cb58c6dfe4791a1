/** Finds the paths of an archive that are similar to one that somebody named and that is not there. */

const most = 3;

/** Matches files in folders that are never meant. */
const foreign = /(^|\/)(node_modules|vendor|__MACOSX|\.[^/]*)\//;

/** Returns at most three, the most similar first; of folders, those with a page when none has the name. */
export function similarPaths(
  path: string,
  files: Iterable<string>,
  { isFolder }: { isFolder: boolean },
): string[] {
  const own = new Set([...files].filter((file) => !foreign.test(file) && isPlain(file)));
  const candidates = isFolder ? new Set([...own].flatMap(foldersOf)) : own;
  const ranked = [...candidates].flatMap((candidate) => {
    const rank = rankOf(candidate, path, isFolder ? own : null);
    return rank === null ? [] : [{ candidate, rank }];
  });
  ranked.sort(
    (one, other) =>
      one.rank - other.rank ||
      depthOf(one.candidate) - depthOf(other.candidate) ||
      (one.candidate < other.candidate ? -1 : 1),
  );
  return ranked.slice(0, most).map(({ candidate }) => candidate);
}

/** Returns a smaller number for a more similar path; null for one that is not. */
function rankOf(candidate: string, wanted: string, files: ReadonlySet<string> | null): number | null {
  const [name, wantedName] = [baseOf(candidate), baseOf(wanted)];
  if (name === wantedName) return 0;
  if (name.toLowerCase() === wantedName.toLowerCase()) return 1;
  if (stemOf(name) !== "" && stemOf(name) === stemOf(wantedName)) return 2;
  return files?.has(`${candidate}/index.html`) === true ? 3 : null;
}

function foldersOf(file: string): string[] {
  const names = file.split("/").slice(0, -1);
  return names.map((_, index) => names.slice(0, index + 1).join("/"));
}

function baseOf(path: string): string {
  return path.replace(/\/+$/, "").split("/").at(-1) ?? "";
}

function stemOf(name: string): string {
  return name.replace(/\.[^.]*$/, "").toLowerCase();
}

function depthOf(path: string): number {
  return path.split("/").length;
}

/** True for a path that can stand in a sentence. */
function isPlain(path: string): boolean {
  return path.length <= 100 && !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(path);
}
