/** Writes and removes units of systemd; what an undo leaves is enabled as before. */

import { existsSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { writeWhole } from "./file-steps.ts";
import { places } from "./places.ts";
import { runProgram } from "./run-program.ts";
import type { Undo } from "./steps.ts";

/** Exit codes of systemctl for a unit that there is, or is not. */
const okCodes = [0, 1, 5];

/** Writes the unit. Its undo ends the service: whoever knows that it ran before starts it again. */
export async function writeUnit(name: string, text: string): Promise<Undo | null> {
  const path = join(places.units, name);
  const isFirst = !existsSync(path);
  const undo = await writeWhole({ path, text });
  if (undo === null) return null;
  await runProgram(["systemctl", "daemon-reload"]);
  return async () => {
    // One that was there before stays enabled: the machine's next start needs it.
    const end = isFirst ? ["disable", "--quiet", "--now"] : ["stop"];
    await runProgram(["systemctl", ...end, name], { okCodes });
    await undo();
    await runProgram(["systemctl", "daemon-reload"]);
  };
}

/** Ends a unit that is not wanted any more, and removes it. Resolves with null where it is not there. */
export async function removeUnit(name: string): Promise<Undo | null> {
  const path = join(places.units, name);
  const text = await readFile(path, "utf8").catch(() => null);
  if (text === null) return null;
  await runProgram(["systemctl", "disable", "--quiet", "--now", name], { okCodes });
  await rm(path);
  await runProgram(["systemctl", "daemon-reload"]);
  return async () => {
    await writeWhole({ path, text });
    await runProgram(["systemctl", "daemon-reload"]);
    await runProgram(["systemctl", "enable", "--quiet", "--now", name]);
  };
}
