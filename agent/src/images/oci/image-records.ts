/**
 * Stores on the disk what each reference was when it was pulled, so that its image starts without asking the
 * registry again.
 */

import { createHash } from "node:crypto";
import { mkdir, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";

const recordSchema = z.object({
  /** Full reference, as formatImageReference writes it. */
  reference: z.string(),
  /** Digest `sha256:…` of the manifest for this machine. */
  digest: z.string(),
  pulledAt: z.iso.datetime(),
  /** True when an operator pulled it, to be kept whether it is used or not. */
  isPinned: z.boolean(),
  /** Names of the layers among those of this host, and their diff_ids where they have one; topmost first. */
  layers: z.array(z.object({ layer: z.string().regex(/^[0-9a-f]{32}$/), diffId: z.string().nullable() })),
  config: z.object({
    environment: z.record(z.string(), z.string()),
    user: z.string(),
    workingDirectory: z.string(),
    entrypoint: z.array(z.string()),
    cmd: z.array(z.string()),
    architecture: z.string(),
  }),
});
export type ImageRecord = z.infer<typeof recordSchema>;

export class ImageRecords {
  readonly #directory: string;

  /** The directory is made with the first record. */
  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Returns the record; undefined where there is none, or none that can be read: it is pulled again then. */
  async find(reference: string): Promise<ImageRecord | undefined> {
    return readRecord(this.#path(reference));
  }

  async list(): Promise<ImageRecord[]> {
    const names = (await readdir(this.#directory).catch(() => [])).filter((name) => name.endsWith(".json"));
    const records = await Promise.all(names.map((name) => readRecord(join(this.#directory, name))));
    return records.filter((record) => record !== undefined);
  }

  /** Saves a record; it survives a crash as soon as this resolves. */
  async save(record: ImageRecord): Promise<void> {
    await mkdir(this.#directory, { recursive: true, mode: 0o700 });
    const path = this.#path(record.reference);
    const draft = `${path}.${process.pid}.new`;
    {
      await using file = await open(draft, "w", 0o600);
      await file.writeFile(`${JSON.stringify(record, null, 2)}\n`);
      await file.sync();
    }
    await rename(draft, path);
    await using directory = await open(this.#directory, "r");
    await directory.sync();
  }

  async remove(reference: string): Promise<void> {
    await rm(this.#path(reference), { force: true });
  }

  #path(reference: string): string {
    return join(this.#directory, `${createHash("sha256").update(reference).digest("hex").slice(0, 32)}.json`);
  }
}

async function readRecord(path: string): Promise<ImageRecord | undefined> {
  try {
    return recordSchema.parse(JSON.parse(await readFile(path, "utf8")));
  } catch {
    return undefined;
  }
}
