/** The import rules fire: each is broken once, in a copy of the layout that holds nothing else. */

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";

const root = join(import.meta.dirname, "..", "..");

const violations: [file: string, source: string][] = [
  ["protocol/src/clock.ts", 'import { readFile } from "node:fs/promises";\nexport { readFile };\n'],
  ["central/src/api/project.ts", 'import { findProject } from "../db/project.ts";\nexport { findProject };\n'],
  ["central/src/link/hosts.ts", 'import { findHost } from "../db/host.ts";\nexport { findHost };\n'],
  ["central/src/app/project.ts", 'import { createApi } from "../api/create-api.ts";\nexport { createApi };\n'],
  ["central/src/db/project.ts", 'import { listProjects } from "../app/project.ts";\nexport { listProjects };\n'],
  ["central/src/app/run.ts", 'import { spawn } from "node:child_process";\nexport { spawn };\n'],
  ["central/src/api/agent.ts", 'import { Agent } from "@tijolo/agent";\nexport { Agent };\n'],
  ["agent/src/runtime/start.ts", 'import { createLink } from "../link/link.ts";\nexport { createLink };\n'],
  ["agent/src/runtime/spawn.ts", 'import { spawn } from "node:child_process";\nexport { spawn };\n'],
  ["agent/src/host/boot-id.ts", 'import { plan } from "../reconcile/plan.ts";\nexport { plan };\n'],
  ["agent/src/images/central.ts", 'import { Central } from "@tijolo/central";\nexport { Central };\n'],
];

test("each import rule is seen to fire", async () => {
  const directory = await mkdtemp(join(tmpdir(), "tijolo-layers-"));
  try {
    const config = JSON.parse(await readFile(join(root, ".oxlintrc.json"), "utf8")) as Record<string, unknown>;
    await writeFile(join(directory, ".oxlintrc.json"), JSON.stringify({ ...config, $schema: undefined, options: {} }));
    const legal = join(directory, "agent/src/host/exec.ts");
    for (const [file, source] of [
      ...violations,
      ["agent/src/host/exec.ts", 'import { spawn } from "node:child_process";\nexport { spawn };\n'] as const,
    ]) {
      await mkdir(dirname(join(directory, file)), { recursive: true });
      await writeFile(join(directory, file), source);
    }
    const silent = violations
      .map(([file]) => file)
      .filter((file) => !lint(directory, join(directory, file)).includes("no-restricted-imports"));
    assert.deepEqual(silent, [], "no rule was seen to fire there");
    assert.doesNotMatch(lint(directory, legal), /no-restricted-imports/);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});

function lint(cwd: string, file: string): string {
  return spawnSync(join(root, "node_modules/.bin/oxlint"), ["--format", "unix", file], { cwd, encoding: "utf8" }).stdout;
}
