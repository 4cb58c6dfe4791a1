/**
 * `pnpm check:leaks`: prints what Tijolo's programs have left on this machine (`--instance <name>`,
 * repeatable: only of those); 1 if anything.
 */

import { parseArgs } from "node:util";
import { findTraces } from "./support/machine/machine-traces.ts";

const { values } = parseArgs({ options: { instance: { type: "string", multiple: true } } });
const traces = findTraces(values.instance ?? null);
for (const { kind, what } of traces) console.log(`${kind}: ${what}`);
console.log(traces.length === 0 ? "Nothing is left." : `${traces.length} left.`);
process.exitCode = traces.length === 0 ? 0 : 1;
