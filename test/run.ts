/** `npm test`: all that continuous integration does. Ends with the test runner's own summary. */

import { checks, runSteps } from "./steps.ts";

/** Unit tests beside their sources; then ever larger parts together. */
const everywhere = [
  "{protocol,central,agent,cli}/src/**/*.test.ts",
  "cli/bootstrap/*.test.mjs",
  "test/{contract,link,gateway,cluster}/**/*.test.ts",
];
/** Containers, images, networks of this machine. */
const onThisMachine = ["test/real/**/*.test.ts"];

const isRoot = process.getuid?.() === 0;
if (!isRoot) console.log("test/real is left out: containers need root. Run it again as root for everything.");

process.exitCode = await runSteps([
  ...checks,
  {
    title: "tests",
    argv: ["node", "--test", "--test-reporter=spec", "--test-timeout=600000", ...everywhere, ...(isRoot ? onThisMachine : [])],
  },
]);
