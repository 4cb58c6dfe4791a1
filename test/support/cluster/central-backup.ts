/** Saves and restores central's database as an operator does. */

import { cp, mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

const databaseFiles = ["central.sqlite", "central.sqlite-wal", "central.sqlite-shm"];

/** A central whose data are `central` in the directory. */
export interface SavedCentral {
  directory: string;
  startCentral(): Promise<void>;
  stopCentral(): Promise<void>;
}

export class CentralBackup {
  readonly #cluster: SavedCentral;
  readonly #folder: string;

  private constructor(cluster: SavedCentral) {
    this.#cluster = cluster;
    this.#folder = join(cluster.directory, "backup");
  }

  /**
   * Saves central. `stopped`: central is stopped, and its files are copied. `online`: SQLite copies the
   * database beside a central that goes on.
   */
  static async make(cluster: SavedCentral, way: "stopped" | "online"): Promise<CentralBackup> {
    const backup = new CentralBackup(cluster);
    await mkdir(backup.#folder);
    if (way === "online") {
      using database = new DatabaseSync(join(backup.#data, "central.sqlite"));
      database.prepare("VACUUM INTO ?").run(join(backup.#folder, "central.sqlite"));
    } else {
      await cluster.stopCentral();
      await backup.#copy(databaseFiles, backup.#data, backup.#folder);
    }
    await backup.#copy(["objects", "master-keys", "auth-secret"], backup.#data, backup.#folder);
    if (way === "stopped") await cluster.startCentral();
    return backup;
  }

  /**
   * Restores the database alone; archives, keys and the epoch's file are the current ones. `damage` runs
   * before central starts.
   */
  async restoreHere(damage: () => Promise<void> = async () => {}): Promise<void> {
    await this.#cluster.stopCentral();
    for (const name of databaseFiles) await rm(join(this.#data, name), { force: true });
    await this.#copy(databaseFiles, this.#folder, this.#data);
    await damage();
    await this.#cluster.startCentral();
  }

  /** Copies all data of a stopped central, and puts it back later. */
  static async aside(cluster: SavedCentral): Promise<{ putBack(): Promise<void> }> {
    const [data, aside] = [join(cluster.directory, "central"), join(cluster.directory, "central-aside")];
    await cp(data, aside, { recursive: true });
    return {
      async putBack() {
        await rm(data, { recursive: true });
        await rename(aside, data);
      },
    };
  }

  /** Restores on a new machine: nothing of the old one is left. */
  async restoreOnNewMachine(): Promise<void> {
    await this.#cluster.stopCentral();
    await rm(this.#data, { recursive: true });
    await mkdir(this.#data, { mode: 0o700 });
    await cp(this.#folder, this.#data, { recursive: true });
    await this.#cluster.startCentral();
  }

  get #data(): string {
    return join(this.#cluster.directory, "central");
  }

  async #copy(names: readonly string[], from: string, to: string): Promise<void> {
    for (const name of names) {
      await cp(join(from, name), join(to, name), { recursive: true }).catch(
        (error: NodeJS.ErrnoException) => {
          if (error.code !== "ENOENT") throw error;
        },
      );
    }
  }
}
