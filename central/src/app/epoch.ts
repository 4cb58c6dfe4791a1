/**
 * The epoch rises with each start of central; agents refuse one that is lower than what they have seen. It is
 * also kept in a file outside the database, so that an older database that is restored beside it does not go
 * back. Where there is a database without the file, it was brought here from another machine: then central
 * begins far above, and learns from the hosts how high others have been.
 */

import { findSetting, saveSetting } from "../db/setting.ts";
import { transact } from "../db/open-database.ts";
import type { Database } from "../db/schema.ts";
import type { AppContext } from "./context.ts";
import { findText, writePrivateFile } from "./secrets/private-file.ts";

/** More starts than a central has in its life. */
const restoredAhead = 1_000_000;
/** No cluster comes here; a host that says more does not speak the truth. */
const highestHeard = 2 ** 48;

export class Epoch {
  readonly #db: Database;
  readonly #file: string;
  readonly #logger: Pick<AppContext["logger"], "warn">;
  #current: number;
  /** Another central may have led hosts before this one, which is newer all the same. */
  #isRestored: boolean;
  /** Hosts that this process has led. */
  readonly #led = new Set<string>();
  #raising: Promise<number> = Promise.resolve(0);

  private constructor(
    { db, logger }: Pick<AppContext, "db" | "logger">,
    file: string,
    start: { epoch: number; isRestored: boolean },
  ) {
    this.#db = db;
    this.#file = file;
    this.#logger = logger;
    this.#current = start.epoch;
    this.#isRestored = start.isRestored;
  }

  /** Raises the epoch for this start of central and saves it. */
  static async begin(app: Pick<AppContext, "db" | "logger">, file: string): Promise<Epoch> {
    const text = await findText(file);
    const inFile = Number(text?.trim() ?? 0) || 0;
    const inDatabase = Number((await findSetting(app.db, "epoch")) ?? 0);
    const isRestored = text === undefined && inDatabase > 0;
    const epoch = new Epoch(app, file, { epoch: 0, isRestored });
    await epoch.#save(Math.max(inFile, inDatabase) + (isRestored ? restoredAhead : 1));
    if (isRestored)
      app.logger.warn(
        { epoch: epoch.current, file },
        "the database came here without its epoch: it counts as restored",
      );
    else if (inFile > inDatabase)
      app.logger.warn({ inFile, inDatabase }, "the database is older than its epoch: it counts as set back");
    return epoch;
  }

  get current(): number {
    return this.#current;
  }

  /** A host follows this central from now on. */
  led(hostId: string): void {
    this.#led.add(hostId);
  }

  /**
   * Answers the epoch to lead a host with that has seen `heard` and has proved who it is: a lower one means
   * that this central must not lead it. A restored central takes over hosts that it has not led yet. That one
   * it has led comes back with a higher epoch shows that another central has taken over from this one.
   */
  above(hostId: string, heard: number): Promise<number> {
    const turn = this.#raising.then(() => this.#above(hostId, heard));
    this.#raising = turn.catch(() => 0);
    return turn;
  }

  async #above(hostId: string, heard: number): Promise<number> {
    if (this.#led.has(hostId)) {
      if (heard > this.#current) this.#isRestored = false;
      return this.#current;
    }
    if (!this.#isRestored || heard < this.#current || heard > highestHeard) return this.#current;
    await this.#save(heard + restoredAhead);
    this.#logger.warn(
      { hostId, heard, epoch: this.#current },
      "a host has seen a newer central than the restored database knows: above it now",
    );
    return this.#current;
  }

  async #save(epoch: number): Promise<void> {
    await transact(this.#db, (tx) => saveSetting(tx, "epoch", String(epoch)));
    await writePrivateFile(this.#file, `${epoch}\n`);
    this.#current = epoch;
  }
}
