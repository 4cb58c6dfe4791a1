/**
 * `npm run test:busy`: runs the whole suite several times in a row (`-- 3`, the default) while a load
 * generator keeps every processor busy. Ends at the first round that fails. Prints the duration and the
 * machine's load of each round. Types, lint and format are checked by `npm run test:all` alone: no load changes
 * what they find.
 */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { availableParallelism, loadavg } from "node:os";
import { join } from "node:path";

/** Program of a busy process; it also ends by itself, in case this process is killed. */
const computeForAnHour = "const end = performance.now() + 3_600_000; while (performance.now() < end);";

const rounds = Number(process.argv[2] ?? 3);
if (!Number.isInteger(rounds) || rounds < 1) throw new Error("npm run test:busy -- <how many rounds>");

for (let round = 1; round <= rounds && (process.exitCode ?? 0) === 0; round++) {
  using _load = startLoad();
  const startedMs = performance.now();
  console.log(`▸ round ${round} of ${rounds}, beside ${availableParallelism()} busy processes`);
  const suite = spawn(process.execPath, [join(import.meta.dirname, "run.ts"), "--all", "--only-tests"], {
    stdio: "inherit",
  });
  const [code] = (await once(suite, "close")) as [number | null];
  const minutes = ((performance.now() - startedMs) / 60_000).toFixed(1);
  const [, , load = 0] = loadavg();
  console.log(
    `▸ round ${round}: ${code === 0 ? "green" : "red"} after ${minutes} min, load ${load.toFixed(1)} (15 min)`,
  );
  process.exitCode = code ?? 1;
}

/** Starts one process per processor that computes without a pause, until it is disposed. */
function startLoad(): Disposable {
  const busy = Array.from({ length: availableParallelism() }, () =>
    spawn(process.execPath, ["--eval", computeForAnHour], { stdio: "ignore" }),
  );
  return {
    [Symbol.dispose]() {
      for (const child of busy) child.kill("SIGKILL");
    },
  };
}
