/** Decides by a file's name whether it is served, compressed, and cached for good. */

import { posix } from "node:path";

/**
 * True for names that visitors may ask for: no hidden ones, except `.well-known` at the top. When the whole
 * project is served, its settings and its packages are not.
 */
export function isServedName(
  name: string,
  { depth, isWholeProject }: { depth: number; isWholeProject: boolean },
): boolean {
  if (name.startsWith(".")) return depth === 0 && name === ".well-known";
  return !(isWholeProject && depth === 0 && (name === "svc.json" || name === "node_modules"));
}

/** Kinds of files that are text, or compress like it; the others are compressed by their own format. */
const compressible = new Set([
  ".css",
  ".csv",
  ".eot",
  ".htm",
  ".html",
  ".ico",
  ".js",
  ".json",
  ".map",
  ".md",
  ".mjs",
  ".otf",
  ".svg",
  ".ttf",
  ".txt",
  ".wasm",
  ".webmanifest",
  ".xml",
]);

/** Endings of the names of those kinds. */
export const compressibleEndings: readonly string[] = [...compressible];

export function isCompressible(path: string): boolean {
  return compressible.has(posix.extname(path).toLowerCase());
}

/** Folders that build tools fill with files that never change: their names have a hash of what is in them. */
const immutableFolders = /^(?:_next\/static|_app\/immutable)\//;
/** The hash of webpack and others: `main.3f2a9c1b.js`, `logo.5d5d9eef.svg`. */
const dottedHash = /\.(?=[0-9a-f]*[0-9])(?=[0-9a-f]*[a-f])[0-9a-f]{8,64}\.(?:[a-z0-9]+\.)?[a-z0-9]+$/;
/**
 * The hash of Vite, Rollup and esbuild: `index-DiwrgTda.js`, `main-5HL7TQ3I.css`. One without a capital
 * letter could be a word (`app-version2.js`): such a file is only asked for again.
 */
const dashedHash = /-(?=[\w-]*[A-Z])(?=[\w-]*[a-z0-9])[\w-]{8}\.(?:m?js|css|wasm|woff2?)(?:\.map)?$/;

/** The same as parts of a pattern that a path matches as a whole; what ends in `.html` is never one. */
export const immutablePaths: readonly string[] = [
  `${immutableFolders.source.slice(1)}.*$`,
  ...[dottedHash, dashedHash].map(({ source }) => `.*${source}`),
];

/**
 * True for a file whose name changes whenever its contents do, so that visitors need not ask for it twice.
 * Pictures count only with a hash that nobody writes by hand. `path` is relative to the site.
 */
export function isImmutable(path: string): boolean {
  const name = posix.basename(path);
  if (/\.html?$/i.test(name)) return false;
  return immutableFolders.test(path) || dottedHash.test(name) || dashedHash.test(name);
}
