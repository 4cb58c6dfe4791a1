/**
 * Runs `pnpm bench [name pattern …] [--json]`: each figure beside its comparison, measured in the same run. A
 * figure that misses its aim is marked, and fails nothing: machines have slow days.
 */

import { cpus, freemem, loadavg, release, totalmem } from "node:os";
import { parseArgs } from "node:util";
import { isReached, type Bench, type Figure } from "./bench.ts";
import { containerStart } from "./container-start.ts";
import { density } from "./density.ts";
import { deploys } from "./deploys.ts";
import { firstRestart } from "./first-restart.ts";
import { gateway } from "./gateway/gateway.ts";
import { mesh } from "./gateway/mesh.ts";
import { hostWake } from "./host-wake.ts";
import { imageBuilds } from "./image-build.ts";
import { logFlow } from "./log-flow.ts";
import { memory } from "./memory.ts";
import { panel } from "./panel/panel.ts";
import { printFigure } from "./print-figures.ts";
import { projectStart } from "./project-start.ts";
import { removal } from "./removal.ts";
import { requests } from "./requests.ts";
import { rollbacks } from "./rollbacks.ts";
import { visits } from "./visits.ts";

const benches: readonly Bench[] = [
  containerStart,
  projectStart,
  firstRestart,
  deploys,
  rollbacks,
  requests,
  hostWake,
  memory,
  logFlow,
  density,
  removal,
  panel,
  visits,
  gateway,
  mesh,
  ...imageBuilds,
];
const gibibyte = 2 ** 30;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { json: { type: "boolean", default: false } },
});
const chosen = benches.filter(
  ({ name }) => positionals.length === 0 || positionals.some((pattern) => name.includes(pattern)),
);
const unknown = positionals.find((pattern) => !benches.some(({ name }) => name.includes(pattern)));
if (unknown !== undefined) {
  console.error(
    `No bench is called like ${JSON.stringify(unknown)}. There are: ${benches.map(({ name }) => name).join(", ")}.`,
  );
  process.exit(2);
}

const machine = describeMachine();
if (!values.json) console.log(machine);
const results: { bench: string; figures: Figure[] }[] = [];
for (const { name, run } of chosen) {
  await using resources = new AsyncDisposableStack();
  const say = (text: string) => void process.stderr.write(`  ${name}: ${text}\n`);
  try {
    const figures = await run({ say, resources });
    results.push({ bench: name, figures });
    if (!values.json) figures.forEach(printFigure);
  } catch (error) {
    console.error(`${name} could not be measured:`, error);
    process.exitCode = 1;
  }
}
if (values.json) console.log(JSON.stringify({ machine, results }, null, 2));
else {
  const aims = results.flatMap(({ figures }) => figures.flatMap(({ aim }) => aim ?? []));
  console.log(`\n${aims.filter(isReached).length} of ${aims.length} aims reached.`);
}
process.exit();

function describeMachine(): string {
  const [cpu] = cpus();
  const load = loadavg().map((value) => value.toFixed(1));
  const memoryText = `${(freemem() / gibibyte).toFixed(1)} of ${(totalmem() / gibibyte).toFixed(1)} GB free`;
  return `${cpus().length} × ${cpu?.model.trim()}, ${memoryText}, Linux ${release()}, Node ${process.versions.node}, load ${load.join(" ")}`;
}
