/** The name that a project's log on this host carries, so that a cursor of another log is recognised. */

import { link, readFile, stat, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isMissing } from "./stream-files.ts";

/** The id of a log that is not there yet; nothing of it can have been delivered. */
export const noLogId = "0";

/** Answers the log's id, made on first use; {@link noLogId} while the directory is missing. */
export async function readLogId(projectDirectory: string, createId: () => string): Promise<string> {
  const path = join(projectDirectory, "id");
  try {
    return await readFile(path, "latin1");
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  try {
    await stat(projectDirectory);
    const id = createId();
    const unfinished = `${path}.${id}`;
    await writeFile(unfinished, id);
    // Linked when complete, so that of several at once one wins and nobody reads half an id.
    await link(unfinished, path).catch((error: unknown) => {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    });
    await unlink(unfinished);
    return await readFile(path, "latin1");
  } catch (error) {
    if (isMissing(error)) return noLogId;
    throw error;
  }
}
