/**
 * `npm test`: what is needed to trust a change; it takes 10 minutes on two processors. `npm run test:all`, which is
 * this program with `--all`: every test, as continuous integration runs it; it ends with the test runner's own
 * summary. With `--only-tests` types, lint and format are not checked first.
 */

import { globSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { measuringFiles } from "./measuring-files.ts";
import { ownProcessFiles } from "./own-process-files.ts";
import { runTests } from "./run-tests.ts";
import { checks, runSteps } from "./steps.ts";

const { all: isAll, "only-tests": isOnlyTests } = parseArgs({
  options: { all: { type: "boolean", default: false }, "only-tests": { type: "boolean", default: false } },
}).values;
const root = join(import.meta.dirname, "..");
const isRoot = process.getuid?.() === 0;
const processors = availableParallelism();

/**
 * Unit tests, which stand beside their sources, and cluster tests by folder, each group of files in one process
 * (`test/groups/`), and the files that need a process of their own. What takes longest comes first.
 */
const everywhere = [
  "test/panel/sweep.test.ts",
  "test/groups/panel.test.ts",
  "test/groups/{agent-machine,projects,accounts,agent-rules,central,hosts,contract}.test.ts",
  "test/conformance/*.test.ts",
  ...ownProcessFiles,
  "test/groups/*.test.ts",
  "cli/bootstrap/*.test.mjs",
];
/**
 * Containers, images, networks of this machine. First what takes longest: the images of all languages, the
 * projects that run on them as they become ready, and a minute's absence. The clusters come last: they use
 * the images, too.
 */
const onThisMachine = [
  "test/real/images/languages.test.ts",
  "test/real/cluster/{languages-matrix,kill-loops}.test.ts",
  "test/real/images/*.test.ts",
  "test/real/{disks,network,power-cut,runtime}/*.test.ts",
  "test/real/**/*.test.ts",
  "test/release/*.test.ts",
];
/** Number of the first files that start before anything else. */
const longest = 3;
/**
 * The real tests that `npm test` runs, too: a whole deploy, and for each promise to projects (isolation, network,
 * disk, life without the agent, power cuts) the file that shows most of it.
 */
const telling = [
  "test/real/cluster/languages.test.ts",
  "test/real/network/network.test.ts",
  "test/real/{disks/disk-quota,power-cut/disk,runtime/autonomy,runtime/isolation,sandbox/writing}.test.ts",
];
/** The panel's files that `npm test` runs, too: its way to the browser, its size, and each flow by the keyboard. */
const tellingOfPanel = ["test/panel/{keyboard,new-project,budgets,serving,upload-entries}.test.ts"];
const panel = ["test/groups/panel.test.ts"];
/**
 * Sets the compile cache of all programs that tests start: reading and stripping sources is half of what most
 * of them cost.
 */
process.env.NODE_COMPILE_CACHE ??= join(root, ".tools/compile-cache");

const startedMs = performance.now();
if (!isRoot) console.log("test/real is left out: containers need root. Run it again as root for those.");
process.exitCode = await runSteps(isOnlyTests ? [] : checks);
if (process.exitCode === 0) {
  console.log("▸ tests");
  const measuring = filesOf(measuringFiles).filter((file) => isRoot || !file.startsWith("test/real/"));
  const leftOutHere = isAll ? [] : [...ownProcessFiles, ...panel];
  const others = [
    ...(isAll ? [] : filesOf(tellingOfPanel)),
    ...without(filesOf(everywhere), [...measuring, ...leftOutHere]),
  ];
  const real = without(filesOf(onThisMachine), filesOf(measuringFiles));
  const chosenReal = isRoot ? (isAll ? real : filesOf(telling)) : [];
  const first = isAll ? longest : 0;
  process.exitCode = await runTests(root, [
    // Two more than processors: much of the time is waiting for programs to start, stop and stay down, and
    // for images. With four more it takes as long, and pages are slow to look at.
    {
      files: [...chosenReal.slice(0, first), ...spread(chosenReal.slice(first), others)],
      atOnce: processors + 2,
    },
    { files: isAll ? measuring : [], atOnce: 1 },
  ]);
  const leftOut = real.length - chosenReal.length;
  const minutes = ((performance.now() - startedMs) / 60_000).toFixed(1);
  const leftOutFiles = [
    `${leftOut} of containers and images`,
    `most of the panel's`,
    `${ownProcessFiles.length} that count what a process holds or take minutes`,
    `${measuring.length} that measure an idle machine`,
  ];
  if (!isAll)
    console.log(`▸ ${minutes} min. Files left out: ${leftOutFiles.join(", ")}. Everything: npm run test:all`);
}

/**
 * All of both, in their orders, with the rarer ones evenly among the others: so each moment has its share of
 * waiting and of work.
 */
function spread(rare: readonly string[], others: readonly string[]): string[] {
  const every = (others.length + 1) / (rare.length + 1);
  return others
    .map((file, index) => ({ file, place: index + 1 }))
    .concat(rare.map((file, index) => ({ file, place: index * every })))
    .sort((one, other) => one.place - other.place)
    .map(({ file }) => file);
}

/** Returns each file once, by the order of the patterns and then of names. Each must match a file. */
function filesOf(patterns: readonly string[]): string[] {
  const found = patterns.flatMap((pattern) => {
    const files = globSync(pattern, { cwd: root, exclude: ["**/node_modules/**"] }).sort();
    if (files.length === 0) throw new Error(`${pattern} names no test`);
    return files;
  });
  return [...new Set(found)];
}

function without(files: readonly string[], others: readonly string[]): string[] {
  return files.filter((file) => !others.includes(file));
}
