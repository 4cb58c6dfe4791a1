/**
 * Issues the challenges that passkeys sign, each for one purpose, for five minutes and once.
 *
 * A challenge carries its end and a keyed hash, so that nothing is stored for those that nobody answers: a
 * flood of begun sign-ins takes no memory and drives out nobody else's. Only answered ones are remembered
 * until they end. The key lives as long as the process, so a restart ends all of them.
 */

import { createHmac, timingSafeEqual } from "node:crypto";
import type { Random, SteadyClock } from "../../clock.ts";

const lifeMs = 5 * 60_000;
const timeBytes = 6;
const nonceBytes = 16;
const headBytes = timeBytes + nonceBytes;
const macBytes = 32;
/** Most answered challenges that are remembered; as many sign-ins by passkey pass within five minutes. */
const maxUsed = 20_000;

export class PasskeyChallenges {
  readonly #clock: SteadyClock;
  readonly #random: Random;
  readonly #key: Uint8Array;
  /** Answered challenges and when they end, the oldest answer first. */
  readonly #used = new Map<string, number>();

  constructor(clock: SteadyClock, random: Random) {
    this.#clock = clock;
    this.#random = random;
    this.#key = random(macBytes);
  }

  /** Returns a new challenge, which is valid only with the same `purpose`. */
  issue(purpose: string): Uint8Array<ArrayBuffer> {
    const head = Buffer.alloc(headBytes);
    head.writeUIntBE(this.#clock.steadyNow() + lifeMs, 0, timeBytes);
    head.set(this.#random(nonceBytes), timeBytes);
    return Uint8Array.from([...head, ...this.#macOf(purpose, head)]);
  }

  /** True for a challenge of this purpose that has not ended and was not used. `challenge` is base64url. */
  isValid(purpose: string, challenge: string): boolean {
    const bytes = Buffer.from(challenge, "base64url");
    if (bytes.length !== headBytes + macBytes || bytes.toString("base64url") !== challenge) return false;
    const head = bytes.subarray(0, headBytes);
    if (!timingSafeEqual(this.#macOf(purpose, head), bytes.subarray(headBytes))) return false;
    return endOf(bytes) > this.#clock.steadyNow() && !this.#used.has(challenge);
  }

  /**
   * Uses up a challenge that was answered rightly; false when it was used before, or too many are remembered.
   */
  use(challenge: string): boolean {
    this.#forgetEnded();
    if (this.#used.has(challenge) || this.#used.size >= maxUsed) return false;
    this.#used.set(challenge, endOf(Buffer.from(challenge, "base64url")));
    return true;
  }

  /** Stops at the first that has not ended: one that ended behind it is forgotten a little later. */
  #forgetEnded(): void {
    const now = this.#clock.steadyNow();
    for (const [challenge, endsAt] of this.#used) {
      if (endsAt > now) return;
      this.#used.delete(challenge);
    }
  }

  #macOf(purpose: string, head: Uint8Array): Buffer {
    return createHmac("sha256", this.#key).update(purpose).update("\0").update(head).digest();
  }
}

function endOf(bytes: Buffer): number {
  return bytes.readUIntBE(0, timeBytes);
}
