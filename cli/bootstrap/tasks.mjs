/**
 * What `npm run …` can start: the program of each task, and whether it can do without the system's own tools.
 * `system`: "required" (stops when one is missing), "wanted" (goes on, says what is missing), "none" (does not look).
 */
export const tasks = {
  start: { entry: "cli/src/start/main.ts", system: "required" },
  test: { entry: "test/run.ts", system: "wanted" },
  bench: { entry: "test/bench/run.ts", system: "wanted" },
  check: { entry: "test/check.ts", system: "none" },
  "check:leaks": { entry: "test/check-leaks.ts", system: "none" },
  "test:vm": { entry: "test/vm/run.ts", system: "none" },
  agent: { entry: "agent/src/main.ts", system: "required" },
};
