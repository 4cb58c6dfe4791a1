/** Every test file of the repository is run, once, and shares its process only where that changes nothing. */

import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { measuringFiles } from "../measuring-files.ts";
import { ownProcessFiles } from "../own-process-files.ts";

const root = join(import.meta.dirname, "../..");
const filesOf = (pattern: string) => globSync(pattern, { cwd: root, exclude: ["**/node_modules/**"] });
const readText = (file: string) => readFileSync(join(root, file), "utf8");

const groups = filesOf("test/groups/*.test.ts");
/** By the patterns that stand in the groups' files. */
const grouped = groups
  .flatMap((group) =>
    [...readText(group).matchAll(/"([^"]*\/\*[^"]*)"/g)].flatMap(([, pattern]) => pattern ?? []),
  )
  .flatMap(filesOf);
const byThemselves = [
  ...groups,
  ...[
    "test/conformance/*.test.ts",
    "test/{real,release,vm}/**/*.test.ts",
    "cli/bootstrap/*.test.mjs",
  ].flatMap(filesOf),
];
const all = filesOf("{agent,central,cli,protocol,test}/**/*.test.{ts,mjs}");

test("each test file is in one group, or is run by itself", () => {
  const run = [...grouped, ...byThemselves].sort();
  assert.deepEqual(run, all.toSorted());
});

test("each file that is named as an exception is there", () => {
  const files = [...ownProcessFiles, ...measuringFiles];
  assert.deepEqual(
    files.filter((file) => !existsSync(join(root, file))),
    [],
  );
});

test("no cluster test that counts what its process holds shares one", () => {
  const ofProcess = /[.]memoryUsage|\/proc\/self\/fd|getActiveResourcesInfo\(\)|retainedMb\(/;
  const alone = new Set([...ownProcessFiles, ...measuringFiles]);
  const counting = grouped.filter((file) => file.startsWith("test/") && ofProcess.test(readText(file)));
  assert.ok(counting.some((file) => alone.has(file)));
  assert.deepEqual(
    counting.filter((file) => !alone.has(file)),
    [],
  );
});
