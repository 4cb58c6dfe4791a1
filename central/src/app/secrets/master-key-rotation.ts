/**
 * Rotates the master key: sealed documents move to the current key in small transactions, so that a crash at
 * any moment leaves every document with an existing key, and the next run continues.
 */

import { setImmediate } from "node:timers/promises";
import { AppError, type MasterKeyRotated, type MasterKeyStatus } from "@tijolo/protocol";
import { refusalDetails } from "@tijolo/protocol/texts/central";
import { Slots } from "@tijolo/protocol/kit";
import { transact } from "../../store/store.ts";
import type { BaseContext } from "../base-context.ts";
import type { OpenedMasterKeys } from "./master-key-source.ts";
import { makeMasterKey, type MasterKeys } from "./master-keys.ts";
import { countSealedByKey, sealedTables, type SealedTable } from "./sealed-tables.ts";
import { VaultError, type Vault } from "./vault.ts";

const documentsPerTransaction = 20;

type RotationParts = Pick<BaseContext, "db" | "clock" | "random" | "logger"> & { vault: Vault };

export class MasterKeyRotation {
  readonly #app: RotationParts;
  readonly #source: OpenedMasterKeys["source"];
  readonly #save: OpenedMasterKeys["save"];
  #keys: MasterKeys;
  /** Slot of the one rotation at a time; others wait. */
  readonly #turn = new Slots(1, { maxWaiting: 4, refusal: tooMany });

  constructor(app: RotationParts, { source, keys, save }: OpenedMasterKeys) {
    this.#app = app;
    this.#source = source;
    this.#keys = keys;
    this.#save = save;
  }

  async status(): Promise<MasterKeyStatus> {
    const documents = await countSealedByKey(this.#app.db);
    const known = this.#keys.map(({ id }) => id);
    const lost = [...documents.keys()].filter((id) => !known.includes(id));
    return {
      source: this.#source,
      currentKeyId: known[0] ?? null,
      keys: [...known, ...lost].map((id) => ({
        id,
        isKnown: known.includes(id),
        documents: documents.get(id) ?? 0,
      })),
    };
  }

  /**
   * Rotates the key. A key of central's own is made anew; of keys that an operator provides, the first
   * becomes the current one.
   */
  rotate(): Promise<MasterKeyRotated> {
    return this.#turn.run(async () => {
      if (this.#keys.length === 0) {
        throw new AppError("variables_unavailable", {
          detail: refusalDetails.masterKeysGone,
        });
      }
      if (this.#save !== null) await this.#use([makeMasterKey(this.#app), ...this.#keys]);
      const { resealed, unreadable } = await this.#sealAnew();
      await this.#dropUnused();
      const status = await this.status();
      const removable = status.keys.filter(
        ({ id, isKnown, documents }) => isKnown && documents === 0 && id !== status.currentKeyId,
      );
      this.#app.logger.info(
        { currentKeyId: status.currentKeyId, resealed, unreadable },
        "the master key was rotated",
      );
      return { ...status, resealed, unreadable, removable: removable.map(({ id }) => id) };
    });
  }

  /** Continues an interrupted rotation of central's own key. */
  finish(): Promise<void> {
    return this.#turn.run(async () => {
      if (this.#save === null || this.#keys.length < 2) return;
      await this.#sealAnew();
      await this.#dropUnused();
    });
  }

  /** Writes the keys to the disk before they are used: nothing is sealed by a key that could be lost. */
  async #use(keys: MasterKeys): Promise<void> {
    await this.#save?.(keys);
    this.#keys = keys;
    this.#app.vault.replaceKeys(keys);
  }

  /** Seals all documents with the current key. What cannot be opened stays as it is, and keeps its key. */
  async #sealAnew(): Promise<{ resealed: number; unreadable: number }> {
    let resealed = 0;
    let unreadable = 0;
    for (const table of sealedTables) {
      const done = await this.#sealTableAnew(table);
      resealed += done.resealed;
      unreadable += done.unreadable;
    }
    return { resealed, unreadable };
  }

  async #sealTableAnew(table: SealedTable): Promise<{ resealed: number; unreadable: number }> {
    const { db, vault } = this.#app;
    const keyId = vault.currentKeyId;
    let resealed = 0;
    let unreadable = 0;
    if (keyId === undefined) return { resealed, unreadable };
    for (let after: string | undefined = ""; after !== undefined;) {
      const from: string = after;
      // The database answers without a pause: requests get their turn here.
      await setImmediate();
      const done = await transact(db, async (tx) => {
        let [sealed, failed] = [0, 0];
        const rows = await table(tx, { keyId, after: from, limit: documentsPerTransaction });
        for (const { context, sealed: before, save } of rows) {
          try {
            await save(tx, vault.seal(context, vault.open(context, before)));
            sealed++;
          } catch (error) {
            if (!(error instanceof VaultError)) throw error;
            failed++;
          }
        }
        const last = rows.length < documentsPerTransaction ? undefined : rows.at(-1)?.place;
        return { sealed, failed, last };
      });
      resealed += done.sealed;
      unreadable += done.failed;
      after = done.last;
    }
    return { resealed, unreadable };
  }

  /** Removes unused keys: nothing new can be sealed by them, because the current key is another. */
  async #dropUnused(): Promise<void> {
    if (this.#save === null) return;
    const documents = await countSealedByKey(this.#app.db);
    const kept = this.#keys.filter(({ id }, index) => index === 0 || documents.has(id));
    if (kept.length < this.#keys.length) await this.#use(kept);
  }
}

function tooMany(): AppError {
  return new AppError("too_many_requests", {
    retryAfterSeconds: 10,
    detail: refusalDetails.masterKeyRotating,
  });
}
