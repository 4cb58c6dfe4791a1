/**
 * Manages the epoch, which rises with each start of central; agents refuse one that is lower than what they
 * have seen. It is also kept in a file outside the database, so that an older database that is restored
 * beside it does not go back. A mark in both, which rises every minute, shows a database that was set back
 * within one run. Where there is a database without the file, it was brought here from another machine: then
 * central begins far above. After a restore, central leads each host above what that host has seen; that is
 * kept for each host apart, so that what one host claims changes nothing for another.
 */

import { clearEpochsAhead, findEpochAhead, saveEpochAhead } from "../../store/tables/hosts/host.ts";
import { findSetting, saveSetting } from "../../store/tables/setting.ts";
import { transact } from "../../store/store.ts";
import type { BaseContext } from "../base-context.ts";
import { isRestoredLately, saveRestored } from "./restored.ts";
import { findText, writePrivateFile } from "../secrets/private-file.ts";

type EpochContext = Pick<BaseContext, "db" | "clock" | "logger">;

/** Number of epochs that a restore skips: more starts than a central has in its life. */
const restoredAhead = 1_000_000;
/** Highest epoch that is believed of a host: no cluster reaches it, so a host that reports more lies. */
const highestHeard = 2 ** 48;

export class Epoch {
  /** Epoch that leads all hosts except those that another central led higher. */
  readonly current: number;
  readonly #app: EpochContext;
  readonly #file: string;
  #mark = 0;

  private constructor(app: EpochContext, file: string, current: number) {
    this.#app = app;
    this.#file = file;
    this.current = current;
  }

  /** Raises the epoch for this start of central and saves it. */
  static async begin(app: EpochContext, file: string): Promise<Epoch> {
    const text = await findText(file);
    const [inFile = 0, markInFile = 0] = (text ?? "").split("\n").map((line) => Number(line) || 0);
    const inDatabase = Number((await findSetting(app.db, "epoch")) ?? 0);
    const markInDatabase = Number((await findSetting(app.db, "epoch_mark")) ?? 0);
    const isMoved = text === undefined && inDatabase > 0;
    const isSetBack = inFile > inDatabase || (inFile === inDatabase && markInFile > markInDatabase);
    const epoch = new Epoch(app, file, Math.max(inFile, inDatabase) + (isMoved ? restoredAhead : 1));
    await transact(app.db, async (tx) => {
      await saveSetting(tx, "epoch", String(epoch.current));
      await saveSetting(tx, "epoch_mark", "0");
      if (!isMoved && !isSetBack) return;
      await saveRestored(tx, app.clock.now());
      await clearEpochsAhead(tx);
    });
    await epoch.#writeFile();
    if (isMoved)
      app.logger.warn(
        { epoch: epoch.current, file },
        "the database came here without its epoch: it counts as restored",
      );
    if (isSetBack)
      app.logger.warn(
        { inFile, inDatabase, markInFile, markInDatabase },
        "the database is older than its epoch: it was set back",
      );
    return epoch;
  }

  /** Writes the mark, first into the database: after a crash in between the database is the newer one. */
  async mark(): Promise<void> {
    this.#mark += 1;
    await transact(this.#app.db, (tx) => saveSetting(tx, "epoch_mark", String(this.#mark)));
    await this.#writeFile();
  }

  /** Records that a host follows this central from now on. */
  async led(hostId: string): Promise<void> {
    if (!(await isRestoredLately(this.#app))) return;
    await transact(this.#app.db, async (tx) => {
      if ((await findEpochAhead(tx, hostId)) === null) await saveEpochAhead(tx, hostId, 0);
    });
  }

  /**
   * Returns the epoch for a host that has seen `heard` and has proved who it is; a result lower than `heard`
   * means that this central must not lead it. A restored central takes over each host that it has not led
   * since. That a host which it has led comes back with a higher epoch shows that another central has taken
   * that host over.
   */
  async above(hostId: string, heard: number): Promise<number> {
    const known = this.current + ((await findEpochAhead(this.#app.db, hostId)) ?? 0);
    if (heard < known || heard > highestHeard || !(await isRestoredLately(this.#app))) return known;
    return transact(this.#app.db, async (tx) => {
      const ahead = await findEpochAhead(tx, hostId);
      if (ahead !== null) return this.current + ahead;
      const raised = heard + restoredAhead;
      await saveEpochAhead(tx, hostId, raised - this.current);
      const fields = { hostId, heard, epoch: raised };
      const message =
        "a host has seen a newer central than the restored database knows: it is led above that now";
      tx.onCommit(() => this.#app.logger.warn(fields, message));
      return raised;
    });
  }

  async #writeFile(): Promise<void> {
    await writePrivateFile(this.#file, `${this.current}\n${this.#mark}\n`);
  }
}
