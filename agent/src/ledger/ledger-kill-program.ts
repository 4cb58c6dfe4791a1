/**
 * Writes into a ledger as fast as it can and prints after each write what is now safe; made to be killed
 * (`ledger-kill.test.ts`).
 */

import { writeSync } from "node:fs";
import { openLedger } from "./ledger.ts";
import { fullSet, makeAssignment, projectIdOf } from "../../../test/support/ledger/ledger-samples.ts";
import { sampleExit } from "../../../test/support/samples.ts";

const [, , path = "", firstText = "1"] = process.argv;
const ledger = openLedger({ path, clock: { now: () => 0 }, logger: console });
for (let step = Number(firstText); ; step++) {
  ledger.applyDesired(fullSet(step, [makeAssignment(1, { restartCount: step })]));
  ledger.saveRecord(projectIdOf(1), { step }, [sampleExit(step), sampleExit(step)]);
  writeSync(1, `${step}\n`);
}
