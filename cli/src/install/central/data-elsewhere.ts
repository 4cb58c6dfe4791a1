/** Finds data of `npm start` that an installation does not take over, as they are not where services have theirs. */

import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { Messages } from "../../messages.ts";
import type { Output } from "../../show/output.ts";
import { centralFiles, places } from "../places.ts";
import { runProgram } from "../run-program.ts";

/** File that every central's data have, below the data directory of `npm start`. */
const central = "central/central.sqlite";
/** Where `npm start --runtime process` has them, below a person's own directory. */
const ofPerson = ".local/share/tijolo";

/**
 * Throws where the environment names another data directory, which the services do not use. Warns of data below a
 * person's own directory, which stay there.
 */
export async function checkDataElsewhere(
  environment: Readonly<Record<string, string | undefined>>,
  { output, messages }: { output: Pick<Output, "note">; messages: Pick<Messages, "install"> },
): Promise<void> {
  if (existsSync(centralFiles.settings)) return;
  const { install: texts } = messages;
  const named = environment["TIJOLO_DATA_DIRECTORY"];
  if (named && resolve(named) !== places.data)
    throw new Error(texts.dataNotHere(resolve(named), places.data));
  const homes = [homedir(), ...(await homeOf(environment["SUDO_USER"]))];
  const found = findData(homes);
  if (found !== null) output.note(texts.dataElsewhere(found, places.data));
}

/** Returns the data directory of a person that has a central's data, while the services have none in `own`. */
export function findData(homes: readonly string[], own: string = places.data): string | null {
  if (existsSync(join(own, central))) return null;
  return homes.map((home) => join(home, ofPerson)).find((place) => existsSync(join(place, central))) ?? null;
}

async function homeOf(user: string | undefined): Promise<string[]> {
  if (user === undefined || !/^[a-z_][a-z0-9_-]{0,31}$/.test(user)) return [];
  const { code, stdout } = await runProgram(["getent", "passwd", user], { okCodes: [0, 2] });
  return code === 0 ? [stdout.split(":")[5] ?? ""] : [];
}
