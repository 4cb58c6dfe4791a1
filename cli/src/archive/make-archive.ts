/** Packs chosen files into a .zip as they are read, without a temporary file. */

import { ZipFile } from "yazl";
import type { SelectedFile } from "./select-files.ts";

/**
 * Yields the archive's bytes; `onBytes` is called with how many were made so far. Throws what reading a file
 * throws.
 */
export async function* makeArchive(
  files: readonly SelectedFile[],
  onBytes: (bytes: number) => void = () => {},
): AsyncGenerator<Uint8Array, void, undefined> {
  const zip = new ZipFile();
  const output = zip.outputStream as NodeJS.ReadableStream & { destroy(error?: Error): void };
  zip.on("error", (error: Error) => output.destroy(error));
  for (const file of files) zip.addFile(file.path, file.name);
  zip.end();
  let made = 0;
  for await (const chunk of output) {
    if (!(chunk instanceof Uint8Array)) continue;
    made += chunk.length;
    yield chunk;
    onBytes(made);
  }
}
