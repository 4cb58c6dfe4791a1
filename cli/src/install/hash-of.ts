/** Hashes files of releases and of sets of packages, as their lists do. */

import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";

/** Returns the SHA-256 of the file's bytes in hexadecimal digits. Rejects when the file cannot be read. */
export async function hashOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}
