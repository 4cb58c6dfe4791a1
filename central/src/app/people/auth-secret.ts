/**
 * Loads the secret that authenticators' secrets are encrypted with: made once, stored beside the database and
 * never in it.
 */

import type { Random } from "../clock.ts";
import { findPrivateText, writePrivateFile } from "../secrets/private-file.ts";

const secretBytes = 32;
const secret = {
  holds: "the secret that opens authenticators",
  afterwards: "have those who use one set up another: tijolo cluster account end-two-factor.",
};

/**
 * Opens the secret. `mayMake`: no authenticator is stored yet, so a missing file is made; otherwise it was
 * lost, and another secret would open none of them. Throws with a sentence for the operator, also when the
 * file exists and cannot be read, or others can read it.
 */
export async function openAuthSecret(
  file: string,
  { random, mayMake }: { random: Random; mayMake: boolean },
): Promise<string> {
  const found = (await findPrivateText(file, secret))?.trim();
  if (found !== undefined && found !== "") return found;
  if (found === undefined && mayMake) {
    const made = Buffer.from(random(secretBytes)).toString("base64url");
    await writePrivateFile(file, `${made}\n`);
    return made;
  }
  const problem = found === undefined ? "is missing" : "is empty";
  throw new Error(
    mayMake
      ? `${file} ${problem}. Remove it: no authenticator is stored, and a new secret is made.`
      : `${file} ${problem}, and authenticators are stored that only its secret opens. Restore it from a backup. If there is none, start with ` +
          `a new secret: (umask 077; head -c ${secretBytes} /dev/urandom | base64 > ${file}). Recovery codes still sign in; for who has none ` +
          `left: tijolo cluster account end-two-factor.`,
  );
}
