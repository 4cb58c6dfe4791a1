/**
 * Stores the zone on disk: the agent replaces it whole, the resolver notices at the next query. Each works
 * without the other.
 */

import { readFileSync, statSync } from "node:fs";
import { chmod, chown, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { resolverId } from "./resolver-id.ts";
import { parseZone, ZoneTable, type Zone } from "./zone.ts";

const fileName = "zone.json";

/** Returns the zone; undefined when there is none that can be read. */
export async function readZone(directory: string): Promise<Zone | undefined> {
  try {
    return parseZone(await readFile(join(directory, fileName), "utf8"));
  } catch {
    return undefined;
  }
}

/**
 * Makes the directory that is the resolver's root: the resolver can enter it, and list it as little as
 * anybody else.
 */
export async function makeZoneDirectory(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true });
  await chmod(directory, 0o711);
}

/** Writes the zone, owned by the resolver, which has no other, and read-only where the resolver sees it. */
export async function writeZone(directory: string, zone: Zone): Promise<void> {
  await makeZoneDirectory(directory);
  const temporary = join(directory, `.${fileName}.new`);
  await rm(temporary, { force: true }); // of an agent that was killed: nobody can write to it any more
  await writeFile(temporary, JSON.stringify(zone), { mode: 0o400 });
  await chown(temporary, resolverId, resolverId);
  await rename(temporary, join(directory, fileName));
}

/** Reads the current zone; when the file cannot be read, the last zone stays in force. */
export class ZoneReader {
  readonly #file: string;
  #seen = "";
  #table = new ZoneTable({ upstreams: [], projects: [] });

  constructor(directory: string) {
    this.#file = join(directory, fileName);
  }

  /** Returns the current zone. Costs a `stat`, and a read when the file was replaced. */
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
