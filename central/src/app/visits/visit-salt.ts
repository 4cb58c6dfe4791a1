/**
 * Holds the day's key by which visitors are told apart, in memory and in a file of its own: never in a database,
 * whose backups would outlive the day.
 */

import { open } from "node:fs/promises";
import type { Clock, Random } from "../clock.ts";
import { findText, writePrivateFile } from "../secrets/private-file.ts";

const saltBytes = 32;
const dayMs = 86_400_000;
const stored = /^(\d{4}-\d\d-\d\d) ([0-9a-f]{64})\n$/;

interface SaltOfDay {
  /** Day in UTC. */
  day: string;
  salt: Uint8Array;
}

export class VisitSalt {
  readonly #file: string;
  readonly #clock: Clock;
  readonly #random: Random;
  #current: SaltOfDay;

  private constructor(file: string, { clock, random }: { clock: Clock; random: Random }, current: SaltOfDay) {
    this.#file = file;
    this.#clock = clock;
    this.#random = random;
    this.#current = current;
  }

  /** Opens the salt in the file; that of another day is erased, and another is made. */
  static async open(file: string, parts: { clock: Clock; random: Random }): Promise<VisitSalt> {
    const [, day = "", digits = ""] = stored.exec((await findText(file)) ?? "") ?? [];
    const salt = new VisitSalt(file, parts, { day, salt: Buffer.from(digits, "hex") });
    await salt.renew();
    return salt;
  }

  get current(): Uint8Array {
    return this.#current.salt;
  }

  /** Erases the salt once its day is over, and makes that of today. */
  async renew(): Promise<void> {
    const day = new Date(Math.floor(this.#clock.now() / dayMs) * dayMs).toISOString().slice(0, 10);
    if (this.#current.day === day) return;
    const salt = Buffer.from(this.#random(saltBytes));
    await eraseFile(this.#file);
    await writePrivateFile(this.#file, `${day} ${salt.toString("hex")}\n`);
    this.#current.salt.fill(0);
    this.#current = { day, salt };
  }
}

/** Overwrites the file's bytes where they lie, so that the file that takes its place does not leave them. */
async function eraseFile(path: string): Promise<void> {
  const file = await open(path, "r+").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (file === undefined) return;
  try {
    const { size } = await file.stat();
    await file.write(new Uint8Array(size), 0, size, 0);
    await file.sync();
  } finally {
    await file.close();
  }
}
