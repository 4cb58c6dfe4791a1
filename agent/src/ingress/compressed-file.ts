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
  /** Another one for each encoding of a file, as its bytes are others. */
  etag: string;
}

/**
 * Returns the file that `name` is compressed to in `directory`; undefined where there is none, or the visitor
 * wants the file itself: also for a part of it, which counts the file's own bytes.
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

/** Returns the encodings that a visitor accepts, ours in their order. `q=0` refuses one. */
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
