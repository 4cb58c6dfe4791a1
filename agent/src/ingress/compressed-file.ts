/** Finds a file that was compressed ahead, in an encoding that the visitor accepts. */

import type { IncomingHttpHeaders } from "node:http2";
import { realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { encodings, type Encoding } from "../sites/compress-site.ts";
import { isCompressible } from "../sites/served-names.ts";
import { findInside } from "./static-file.ts";

export interface CompressedFile {
  root: string;
  path: string;
  encoding: Encoding;
  /** ETag of the file in this encoding: each encoding has its own, because its bytes differ. */
  etag: string;
}

/**
 * Returns the compressed file for `name` below `directory`; undefined when there is none, or the visitor
 * accepts no encoding. A range is one of the file's own bytes, so a request for it gets undefined, too.
 */
export async function findCompressed(
  directory: string | undefined,
  name: string,
  headers: Pick<IncomingHttpHeaders, "accept-encoding" | "range">,
): Promise<CompressedFile | undefined> {
  if (directory === undefined || headers.range !== undefined || !isCompressible(name)) return undefined;
  for (const encoding of acceptedEncodings(String(headers["accept-encoding"] ?? ""))) {
    const root = await realpath(join(directory, encoding)).catch(() => undefined);
    const found = root === undefined ? undefined : await findInside(root, name);
    if (found?.kind !== "file") continue;
    const stats = await stat(found.path).catch(() => undefined);
    if (stats === undefined) continue;
    const etag = `W/"${stats.size.toString(16)}-${Math.trunc(stats.mtimeMs).toString(16)}-${encoding}"`;
    return { root: found.root, path: found.path, encoding, etag };
  }
  return undefined;
}

/** Returns the known encodings that a visitor accepts, the preferred one first. `q=0` refuses an encoding. */
export function acceptedEncodings(accepted: string): Encoding[] {
  const weights = new Map(
    accepted
      .toLowerCase()
      .split(",")
      .map((part): [string, number] => {
        const [name = "", ...parameters] = part.split(";").map((each) => each.trim());
        const weight = parameters.find((each) => each.startsWith("q="))?.slice(2);
        return [name, weight === undefined ? 1 : Number(weight)];
      }),
  );
  return encodings.filter((encoding) => (weights.get(encoding) ?? weights.get("*") ?? 0) > 0);
}
