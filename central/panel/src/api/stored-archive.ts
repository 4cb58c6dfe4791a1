/** Reads pieces of a version's archive from the server, so that the whole of it stays there. */

import { readApiError } from "@tijolo/protocol/client";
import { addressOf } from "./address.ts";
import { fetchInLanguage } from "./client.ts";

/** `size`: of the archive, in bytes. `slice` throws ApiError for what the server refuses. */
export function storedArchive(version: { projectId: string; number: number; sizeBytes: number }) {
  const address = addressOf("downloadVersion", { id: version.projectId, number: version.number });
  return {
    size: version.sizeBytes,
    slice: (start: number, end: number) => ({
      async arrayBuffer(): Promise<ArrayBuffer> {
        if (end <= start) return new ArrayBuffer(0);
        const answer = await fetchInLanguage(address, { headers: { range: `bytes=${start}-${end - 1}` } });
        if (!answer.ok) throw await readApiError(answer);
        const bytes = await answer.arrayBuffer();
        // An answer without the range is the whole archive.
        return answer.status === 206 ? bytes : bytes.slice(start, end);
      },
    }),
  };
}
