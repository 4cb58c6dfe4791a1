/** Tests what `tijolo up` says of programs that crash, against a whole cluster: the service decides. */

import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { PlanName } from "@tijolo/protocol";
import { CommandLine } from "../support/commands/command-line.ts";
import { TestCluster } from "../support/cluster/test-cluster.ts";

let cluster: TestCluster;
before(async () => {
  cluster = await TestCluster.create();
});
after(() => cluster[Symbol.asyncDispose]());

/** Sets up a computer with a key, in a folder with a program. */
async function atFolder(command: string, plan: PlanName = "Empresas"): Promise<CommandLine> {
  const line = await CommandLine.create();
  line.environment = {
    TIJOLO_URL: cluster.central.url,
    TIJOLO_KEY: (await cluster.createAccount({ plan })).key,
  };
  line.now = () => cluster.clock.now();
  await writeFile(join(line.folder, "index.js"), "");
  await setCommand(line, command);
  return line;
}

function setCommand(line: CommandLine, command: string): Promise<void> {
  const config = { language: "node", command, name: "meu-bot" };
  return writeFile(join(line.folder, "svc.json"), JSON.stringify(config));
}

test("a first version that crashes at once is not up: with or without restarts, it ends with 1 and its lines", async () => {
  for (const [plan, result, crashes] of [
    ["Free", "\\(process_exited\\)", 1],
    ["Empresas", "caiu 2 vezes seguidas", 2],
  ] as const) {
    await using line = await atFolder("sim print boom; exit 1", plan);
    const { code: exitCode, stdout, stderr } = await line.run(["up"]);
    assert.equal(exitCode, 1, stderr);
    assert.match(stdout, new RegExp(`não subiu[^]*${result}[^]*Últimas linhas:[^]* boom\n`));
    assert.equal(stderr.match(/ boom$/gm)?.length, crashes, stderr);
    assert.doesNotMatch(stdout + stderr, /está no ar/);
  }
});

test("an update that crashes, and one whose install fails, leave the version before them up, and up says so", async () => {
  await using line = await atFolder("sim print one; run");
  assert.equal((await line.run(["up"])).code, 0);
  await setCommand(line, "sim print two; exit 1");
  const crashed = await line.run(["up"]);
  assert.equal(crashed.code, 1, crashed.stderr);
  assert.match(
    crashed.stdout,
    /A versão 2 não subiu: [^]*A versão 1 continua no ar[^]*Últimas linhas:[^]* two\n/,
  );
  assert.doesNotMatch(crashed.stderr, / one$/m);
  await setCommand(line, "sim print three; run");
  const install = ["--install", "sim print no package; exit 3"];
  const failed = await line.run(["up", ...install, "--json"]);
  const result = JSON.parse(failed.stdout) as Record<string, unknown>;
  assert.deepEqual(
    [failed.code, result["result"], result["version"], result["servingVersion"]],
    [1, "failed", 3, 1],
    failed.stdout,
  );
  assert.match(JSON.stringify(result["lastLines"]), /no package/);
  assert.equal((result["error"] as { code: string }).code, "install_failed");
});

test("a bot is up once it has run for five seconds, and not before", async () => {
  await using line = await atFolder("sim print one; run");
  const startedAt = Date.now();
  const { code, stdout } = await line.run(["up"]);
  assert.deepEqual([code, /está no ar/.test(stdout)], [0, true]);
  assert.ok(Date.now() - startedAt >= 5_000);
  await using late = await atFolder("sim wait 1000; exit 1", "Free");
  assert.equal((await late.run(["up"])).code, 1);
});
