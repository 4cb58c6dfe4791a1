/** Makes an archive with the given files, as an ordinary client makes it. */

import { buffer } from "node:stream/consumers";
import { ZipFile } from "yazl";

export async function zipOf(files: Record<string, string | Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const zip = new ZipFile();
  for (const [path, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content), path);
  zip.end();
  return new Uint8Array(await buffer(zip.outputStream));
}
