/** The zone on disk: the agent replaces it whole, the resolver notices at the next question. Both live on without the other. */

import { readFileSync, statSync } from "node:fs";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseZone, ZoneTable, type Zone } from "./zone.ts";

const fileName = "zone.json";

/** Undefined when there is none that can be read. */
export async function readZone(directory: string): Promise<Zone | undefined> {
  try {
    return parseZone(await readFile(join(directory, fileName), "utf8"));
  } catch {
    return undefined;
  }
}

/** The resolver reads it without privileges; the directory above keeps everybody else out. */
export async function writeZone(directory: string, zone: Zone): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o755 });
  const temporary = join(directory, `.${fileName}.new`);
  await writeFile(temporary, JSON.stringify(zone), { mode: 0o644 });
  await rename(temporary, join(directory, fileName));
}

/** The zone as it is now; one that cannot be read leaves the last one in force. */
export class ZoneReader {
  readonly #file: string;
  #seen = "";
  #table = new ZoneTable({ upstreams: [], projects: [] });

  constructor(directory: string) {
    this.#file = join(directory, fileName);
  }

  /** Costs a `stat`, and a read when the file was replaced. */
  current(): ZoneTable {
    try {
      const { ino, mtimeNs } = statSync(this.#file, { bigint: true });
      const state = `${ino} ${mtimeNs}`;
      if (state !== this.#seen) {
        this.#table = new ZoneTable(parseZone(readFileSync(this.#file, "utf8")));
        this.#seen = state;
      }
    } catch {
      // The agent may be away, and its disk full.
    }
    return this.#table;
  }
}
