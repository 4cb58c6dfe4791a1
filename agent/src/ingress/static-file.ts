/**
 * Finds the file of a static site that a path names: inside its directory, also through links, and never a
 * hidden one.
 */

import { realpath, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import type { StaticTarget } from "./ingress-options.ts";

export type StaticFile =
  /** Path without links, inside `root`, which has none either. */
  | { kind: "file"; root: string; path: string }
  /** A directory that was named without its slash. */
  | { kind: "directory" }
  | { kind: "missing" };

const missing: StaticFile = { kind: "missing" };

/** `urlPath` is the path of a request as sent: encoded, without its query. */
export async function findStaticFile(
  { directory, hidden }: Pick<StaticTarget, "directory" | "hidden">,
  urlPath: string,
): Promise<StaticFile> {
  const path = decodePath(urlPath);
  if (path === undefined) return missing;
  const root = await realpath(directory).catch(() => undefined);
  if (root === undefined) return missing;
  const find = async (name: string) => {
    const found = await findInside(root, name);
    return found?.kind === "file" && hidden !== undefined && found.path === join(root, hidden)
      ? undefined
      : found;
  };
  if (path.endsWith("/")) return (await find(`${path}index.html`)) ?? missing;
  const exact = await find(path);
  if (exact !== undefined) return exact;
  const page = await find(`${path}.html`);
  return page?.kind === "file" ? page : missing;
}

export async function findInside(root: string, path: string): Promise<StaticFile | undefined> {
  try {
    const real = await realpath(join(root, path));
    if (!isInside(root, real) || isHidden(real.slice(root.length))) return undefined;
    const stats = await stat(real);
    if (stats.isFile()) return { kind: "file", root, path: real };
    return stats.isDirectory() ? { kind: "directory" } : undefined; // a FIFO or device would block its reader
  } catch {
    return undefined;
  }
}

export function isInside(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

/** Returns the decoded path, or undefined when it is no plain absolute path. */
function decodePath(urlPath: string): string | undefined {
  try {
    const path = decodeURIComponent(urlPath);
    const isPlain =
      path.startsWith("/") && !path.includes("\0") && !path.includes("\\") && !path.split("/").includes("..");
    return isPlain && !isHidden(path) && path.length <= 4_096 ? path : undefined;
  } catch {
    return undefined;
  }
}

/** True for hidden names; `.well-known` at the top is meant to be read by others. */
function isHidden(path: string): boolean {
  return path
    .split("/")
    .some((name, index) => name.startsWith(".") && name !== "" && !(index === 1 && name === ".well-known"));
}
