import { systemTools, testTools } from "./system-tools.mjs";

/** A change below these folders restarts the program; they hold the sources of its worker threads, too. */
const restartOnChange = [
  "--watch",
  "--watch-preserve-output",
  ...["central/src", "agent/src", "protocol", "test/dev", "test/support"].map(
    (path) => `--watch-path=${path}`,
  ),
];

/** The agent's flags, as `npm start` gives them (`cli/src/start/node-flags.ts`; a test compares the two). */
const agentFlags = [
  "--disable-warning=ExperimentalWarning",
  "--max-semi-space-size=2",
  "--v8-pool-size=1",
  "--use-system-ca",
];

/**
 * What `npm run …` can start: the program of each task, and whether it can do without the system's own tools.
 * `system`: "required" (stops when one is missing), "wanted" (goes on, says what is missing), "none" (does
 * not look). `tools`: which, where they are not only the ones that a host needs. `args`: the program's first
 * arguments. `nodeFlags`: options of Node itself.
 */
export const tasks = {
  start: { entry: "cli/src/start/main.ts", system: "required" },
  test: { entry: "test/run.ts", system: "wanted", tools: [...systemTools, ...testTools] },
  "test:all": {
    entry: "test/run.ts",
    args: ["--all"],
    system: "wanted",
    tools: [...systemTools, ...testTools],
  },
  "test:busy": { entry: "test/busy.ts", system: "wanted", tools: [...systemTools, ...testTools] },
  bench: { entry: "test/bench/run.ts", system: "wanted", tools: [...systemTools, ...testTools] },
  dev: { entry: "test/dev/main.ts", nodeFlags: restartOnChange, system: "none" },
  "panel:build": { entry: "central/panel/build.ts", system: "none" },
  "panel:dev": { entry: "test/dev/panel.ts", nodeFlags: restartOnChange, system: "none" },
  "panel:screenshots": {
    entry: "test/panel/screenshots.ts",
    system: "wanted",
    tools: [...systemTools, ...testTools],
  },
  check: { entry: "test/check.ts", system: "none" },
  "check:leaks": { entry: "test/check-leaks.ts", system: "none" },
  "test:vm": { entry: "test/vm/run.ts", system: "none" },
  release: { entry: "cli/release/main.ts", system: "none" },
  "client:pack": { entry: "protocol/client/pack.ts", system: "none" },
  gateway: { entry: "central/gateway/src/main.ts", system: "required" },
  agent: { entry: "agent/src/main.ts", nodeFlags: agentFlags, system: "required" },
};
