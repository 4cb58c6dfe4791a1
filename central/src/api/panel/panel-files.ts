/**
 * Holds the built panel in memory: each file by its exact path, as it is and compressed. Nothing is looked up
 * on the disk by a path that a visitor sent.
 */

import { createHash } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import { extname, join, relative } from "node:path";
import type { Logger } from "pino";
import type { SteadyClock } from "../../app/clock.ts";

export interface PanelFile {
  contentType: string;
  /** True when the name contains the content's hash, so that a copy is good for ever. */
  isHashed: boolean;
  plain: PanelBytes;
  br?: PanelBytes;
  gzip?: PanelBytes;
}

export interface PanelBytes {
  bytes: Buffer;
  /** Value of the header ETag; each form of a file has its own (RFC 9110, 8.8.3.3). */
  etag: string;
}

export interface PanelBuild {
  /** Name of the build, as its document tells it to the pages; null for a document that tells none. */
  id: string | null;
  files: ReadonlyMap<string, PanelFile>;
}

/** Upper bounds of what is held in memory; a build has about a hundred files with 3 MB in all their forms. */
const most = { files: 2_000, bytes: 64 * 1024 * 1024 };
/** Milliseconds until a build that could not be read is tried again. */
const retryAfterMs = 10_000;
/** The element of the document that names the build; the panel's Vite configuration writes it. */
const buildElement = /<meta name="tijolo-build" content="([\w-]+)"/;
/** Path below which the build places files with their content's hash in the name. */
const hashedFolder = "/assets/";

/** The one document, which stands for every page. */
export const documentPath = "/index.html";

const contentTypes: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json; charset=utf-8",
  ".webp": "image/webp",
  ".woff2": "font/woff2",
  ".zip": "application/zip",
};

export class PanelFiles {
  readonly #directory: string;
  readonly #logger: Logger;
  readonly #clock: SteadyClock;
  #build: PanelBuild | null = null;
  #reading: Promise<PanelBuild | null> | null = null;
  #failedAt = Number.NEGATIVE_INFINITY;

  /** `directory` appears as a whole, by a rename, once the build is complete. */
  constructor(directory: string, { logger, clock }: { logger: Logger; clock: SteadyClock }) {
    this.#directory = directory;
    this.#logger = logger;
    this.#clock = clock;
  }

  /** Returns the build; null while it is not there. It is looked for when a page is asked for, until found. */
  async find(): Promise<PanelBuild | null> {
    if (this.#build !== null) return this.#build;
    if (this.#clock.steadyNow() - this.#failedAt < retryAfterMs) return null;
    this.#reading ??= this.#read().finally(() => (this.#reading = null));
    return this.#reading;
  }

  async #read(): Promise<PanelBuild | null> {
    try {
      if (!(await isThere(join(this.#directory, documentPath)))) return null;
      this.#build = await readBuild(this.#directory);
      this.#logger.info(
        { directory: this.#directory, build: this.#build.id, files: this.#build.files.size },
        "the panel is served",
      );
      return this.#build;
    } catch (cause) {
      this.#failedAt = this.#clock.steadyNow();
      this.#logger.error({ err: cause, directory: this.#directory }, "the built panel cannot be read");
      return null;
    }
  }
}

function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    (cause: NodeJS.ErrnoException) => (cause.code === "ENOENT" ? false : Promise.reject(cause)),
  );
}

async function readBuild(directory: string): Promise<PanelBuild> {
  const entries = await readdir(directory, { withFileTypes: true, recursive: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  if (paths.length > most.files) throw new Error(`${paths.length} files, more than ${most.files}`);
  const contents = new Map<string, PanelBytes>();
  let total = 0;
  for (const path of paths) {
    total += (await stat(path)).size;
    if (total > most.bytes) throw new Error(`more than ${most.bytes} bytes`);
    contents.set(`/${relative(directory, path)}`, withTag(await readFile(path)));
  }
  const document = contents.get(documentPath)?.bytes.toString() ?? "";
  return {
    id: buildElement.exec(document)?.[1] ?? null,
    files: new Map([...contents].flatMap(([path, plain]) => fileOf(path, plain, contents))),
  };
}

/** Returns the file with its compressed forms; nothing for what is itself the compressed form of a file. */
function fileOf(
  path: string,
  plain: PanelBytes,
  contents: ReadonlyMap<string, PanelBytes>,
): [string, PanelFile][] {
  const extension = extname(path);
  const isForm = [".br", ".gz"].includes(extension) && contents.has(path.slice(0, -extension.length));
  if (isForm) return [];
  const br = contents.get(`${path}.br`);
  const gzip = contents.get(`${path}.gz`);
  const file = {
    contentType: contentTypes[extension] ?? "application/octet-stream",
    isHashed: path.startsWith(hashedFolder),
    plain,
    ...(br === undefined ? {} : { br }),
    ...(gzip === undefined ? {} : { gzip }),
  };
  return [[path, file]];
}

function withTag(bytes: Buffer): PanelBytes {
  return { bytes, etag: `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"` };
}
