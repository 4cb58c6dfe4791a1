/**
 * CONTRIBUTING's table of touch points is true: its files are exactly those that know of the operations that
 * it takes as examples.
 */

import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

interface Sample {
  /** Column of the table. */
  column: number;
  /** Names that only this operation has, in any of the programs. */
  names: readonly string[];
  /** Its command, as the texts of the commands name it. */
  command: string;
  /** Other commands that call it, and what such commands share. */
  callers: readonly string[];
}

const samples: Record<string, Sample> = {
  listVersions: {
    column: 2,
    names: ["listVersions", "versionOperations", "nouns/version", "versionStatuses", "projectVersions"],
    command: "versions",
    callers: [
      "cli/src/commands/project/rollback.ts",
      "cli/src/commands/project/version-download.ts",
      "cli/src/project/find-versions.ts",
    ],
  },
  getHost: {
    column: 3,
    names: [
      "getHost",
      "getHostView",
      "nouns/cluster/host-view",
      "hostView",
      "HostView",
      "hostShow",
      '"describe-host"',
      "describeState",
      "hostMachine",
      "hostProjectState",
    ],
    command: "cluster host show",
    callers: ["cli/src/commands/cluster/host/revoke.ts"],
  },
};

const root = join(import.meta.dirname, "..", "..");
const sources = globSync("{protocol,central,agent,cli}/{src,kit}/**/*.ts", { cwd: root })
  .filter((file) => !file.endsWith(".test.ts"))
  .map((file) => ({ file, text: readFileSync(join(root, file), "utf8") }));
const rows = readFileSync(join(root, "CONTRIBUTING.md"), "utf8")
  .split("\n## ")
  .find((section) => section.startsWith("Touch points"))
  ?.split("\n")
  .filter((line) => line.startsWith("|"));

for (const [operation, { column, names, command, callers }] of Object.entries(samples)) {
  test(`CONTRIBUTING names every file that knows of ${operation}, and counts them`, () => {
    const cells = (rows ?? []).map((row) => row.split("|")[column] ?? "");
    const listed = cells
      .slice(2)
      .flatMap((cell) => Array.from(cell.matchAll(/`([^`]+)`/g), ([, file = ""]) => file));
    const named = new RegExp(`(?<![\\w-])(?:${names.join("|")})(?![\\w-])`);
    const describesCommand = new RegExp(`^ +"?${command}"?:`, "m");
    const found = sources.filter(
      ({ file, text }) =>
        named.test(text) || (/^protocol\/src\/texts\/..\/cli\//.test(file) && describesCommand.test(text)),
    );
    const touched = found.map(({ file }) => file).filter((file) => !callers.includes(file));
    assert.deepEqual(new Set(listed), new Set(touched));
    assert.match(cells[0] ?? "", new RegExp(`\`${operation}\`.*: ${touched.length} files`));
  });
}
