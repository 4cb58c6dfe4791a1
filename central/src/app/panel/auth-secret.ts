/** The secret that authenticators' secrets are encrypted with: made once, kept beside the database and never in it. */

import { readFile } from "node:fs/promises";
import type { Random } from "../clock.ts";
import { writePrivateFile } from "../secrets/private-file.ts";

const secretBytes = 32;

/**
 * `mayMake`: no authenticator is stored yet, so a missing file is made; otherwise it was lost, and another secret would open none of them.
 * Throws with a sentence for the operator, also when the file is there and cannot be read.
 */
export async function openAuthSecret(file: string, { random, mayMake }: { random: Random; mayMake: boolean }): Promise<string> {
  const found = await findText(file);
  if (found !== undefined && found !== "") return found;
  if (found === undefined && mayMake) {
    const secret = Buffer.from(random(secretBytes)).toString("base64url");
    await writePrivateFile(file, `${secret}\n`);
    return secret;
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

async function findText(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, "utf8")).trim();
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return undefined;
    throw cause;
  }
}
