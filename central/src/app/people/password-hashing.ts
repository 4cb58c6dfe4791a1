/** Hashes passwords with Argon2id, in threads of Node's own, a few at a time. */

import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { AppError } from "@tijolo/protocol";
import { refusalDetails } from "@tijolo/protocol/texts/central";
import { Slots } from "@tijolo/protocol/kit";

/**
 * Most passwords that are hashed at a time: each occupies a core, {@link memoryKb} and one of the four
 * threads of Node's pool, which files need too. Passwords that are checked have slots of their own, so that a
 * flood of new ones delays nobody who signs in.
 */
const checksAtOnce = 2;
const newOnesAtOnce = 1;
/** Memory of a hash in KiB: the first of OWASP's costs for Argon2id (cheat sheet on password storage). */
const memoryKb = 46 * 1024;
const passes = 1;
const saltLength = 16;
const hashLength = 32;
const maxWaiting = 200;
const busyForSeconds = 10;

export class PasswordHashing {
  readonly #checks = new Slots(checksAtOnce, { maxWaiting, refusal: tooMany });
  readonly #newOnes = new Slots(newOnesAtOnce, { maxWaiting, refusal: tooMany });

  /**
   * Hashes a password. `check` runs when the turn has come, and saves the work when it throws. Throws
   * `rate_limit_exceeded` when too many wait already.
   */
  hash(password: string, check?: () => Promise<void>): Promise<string> {
    return this.#newOnes.run(async () => {
      await check?.();
      const salt = randomBytes(saltLength);
      return formatHash(salt, await derive(password, salt, { memory: memoryKb, passes }));
    });
  }

  /**
   * Verifies a password. With no hash, takes as long and returns false. Throws as {@link
   * PasswordHashing.hash} does.
   */
  async verify(hash: string | null, password: string): Promise<boolean> {
    const isRight = await this.#checks.run(() => isPasswordOf(hash ?? nobodysHash, password));
    return hash !== null && isRight;
  }
}

function tooMany(): AppError {
  return new AppError("rate_limit_exceeded", {
    retryAfterSeconds: busyForSeconds,
    detail: refusalDetails.passwordsWait,
  });
}

/** Hash of no password at all: checking one against it takes as long as any other. */
const nobodysHash = formatHash(randomBytes(saltLength), randomBytes(hashLength));

/** Formats a hash with its costs beside salt and hash, so that they can rise. */
function formatHash(salt: Buffer, hash: Buffer): string {
  return `argon2id$${memoryKb}$${passes}$${salt.toString("hex")}$${hash.toString("hex")}`;
}

async function isPasswordOf(stored: string, password: string): Promise<boolean> {
  const [kind, memory, passes, salt, hash] = stored.split("$");
  if (kind !== "argon2id" || salt === undefined || hash === undefined)
    throw new Error("a password's hash has an unknown form");
  const expected = Buffer.from(hash, "hex");
  const derived = await derive(password, Buffer.from(salt, "hex"), {
    memory: Number(memory),
    passes: Number(passes),
  });
  return derived.length === expected.length && timingSafeEqual(derived, expected);
}

const argon2Async = promisify(argon2);

function derive(password: string, nonce: Buffer, costs: { memory: number; passes: number }): Promise<Buffer> {
  return argon2Async("argon2id", {
    message: password.normalize("NFKC"),
    nonce,
    parallelism: 1,
    tagLength: hashLength,
    ...costs,
  });
}
