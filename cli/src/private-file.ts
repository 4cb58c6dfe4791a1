/** Writes files with secrets, which nobody but their owner may read. */

import { randomUUID } from "node:crypto";
import { rename, writeFile } from "node:fs/promises";

/** Returns false when the file exists and may not be replaced. A replaced file is never half written. */
export async function writePrivateFile(
  file: string,
  text: string,
  options: { mayReplace: boolean },
): Promise<boolean> {
  const target = options.mayReplace ? `${file}.${randomUUID()}` : file;
  try {
    await writeFile(target, text, { mode: 0o600, flag: "wx" });
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "EEXIST") return false;
    throw cause;
  }
  if (options.mayReplace) await rename(target, file);
  return true;
}
