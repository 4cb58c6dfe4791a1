/** All that continuous integration does, in one command: type check, lint, unit tests. */

import { spawn } from "node:child_process";
import { once } from "node:events";

const steps: readonly (readonly string[])[] = [
  ["tsc", "--noEmit"],
  ["node", "--test", "{protocol,central,agent,cli}/**/*.test.ts", "cli/bootstrap/*.test.mjs"],
];

for (const [command = "", ...args] of steps) {
  console.log(`▸ ${command} ${args.join(" ")}`);
  const path = `node_modules/.bin:${process.env.PATH ?? ""}`;
  const [code] = await once(spawn(command, args, { stdio: "inherit", env: { ...process.env, PATH: path } }), "close");
  if (code !== 0) {
    process.exitCode = 1;
    break;
  }
}
