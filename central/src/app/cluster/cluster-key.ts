/**
 * Signs what central gives hosts to keep for it, so that a host gives back only what it was given. The key is
 * a part of the database: a restored one can read what was signed before.
 */

import { createHmac, timingSafeEqual } from "node:crypto";
import { findSetting, saveSetting } from "../../store/tables/setting.ts";
import { transact, type Database } from "../../store/store.ts";
import type { Random } from "../clock.ts";

const keyBytes = 32;

export class ClusterKey {
  readonly #key: Buffer;

  private constructor(key: Buffer) {
    this.#key = key;
  }

  /** Opens the key; the first start makes it. */
  static async open(db: Database, random: Random): Promise<ClusterKey> {
    const known = await findSetting(db, "cluster_key");
    if (known !== undefined) return new ClusterKey(Buffer.from(known, "base64url"));
    const key = Buffer.from(random(keyBytes));
    await transact(db, (tx) => saveSetting(tx, "cluster_key", key.toString("base64url")));
    return new ClusterKey(key);
  }

  sign(text: string): string {
    return createHmac("sha256", this.#key).update(text).digest("base64url");
  }

  hasSigned(text: string, signature: string): boolean {
    const [given, own] = [Buffer.from(signature, "base64url"), Buffer.from(this.sign(text), "base64url")];
    return given.length === own.length && timingSafeEqual(given, own);
  }
}
