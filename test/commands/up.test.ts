/** Tests `tijolo up` against a whole cluster: what it says is what became of the project. */

import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { CommandLine } from "../support/commands/command-line.ts";
import { TestCluster, type TestAccount } from "../support/cluster/test-cluster.ts";

let cluster: TestCluster;
before(async () => {
  cluster = await TestCluster.create();
});
after(() => cluster[Symbol.asyncDispose]());

/** Sets up a computer with a key, in a folder with a program. */
async function atFolder(of: TestCluster, account: TestAccount, command: string): Promise<CommandLine> {
  const line = await CommandLine.create();
  line.environment = { TIJOLO_URL: of.central.url, TIJOLO_KEY: account.key };
  line.now = () => of.clock.now();
  await writeFile(join(line.folder, "index.js"), "");
  await setCommand(line, command);
  return line;
}

function setCommand(line: CommandLine, command: string): Promise<void> {
  const config = { language: "node", command, name: "meu-bot" };
  return writeFile(join(line.folder, "svc.json"), JSON.stringify(config));
}

interface Result {
  result: string;
  version: number;
  servingVersion: number | null;
  status: string;
  error: { code: string } | null;
  crashes: number;
  lastLines?: { text: string; version: number }[];
}

test("a failed install ends with 1, the reason and its lines", async () => {
  await using line = await atFolder(cluster, await cluster.createAccount(), "sim run");
  const install = ["--install", "sim print no such package; exit 1"];
  const { code, stdout } = await line.run(["up", ...install, "--json"]);
  const result = JSON.parse(stdout) as Result;
  assert.deepEqual(
    [code, result.result, result.version, result.status, result.error?.code, result.servingVersion],
    [1, "failed", 1, "error", "install_failed", null],
  );
  assert.ok(result.lastLines?.some(({ text }) => text === "no such package"));
});

test("a stopped project is started by up; with --no-start it stays stopped, and up says how to start it", async () => {
  await using line = await atFolder(cluster, await cluster.createAccount(), "sim run");
  assert.equal((await line.run(["up"])).code, 0);
  assert.equal((await line.run(["stop"])).code, 0);
  const off = await line.run(["up", "--no-start"]);
  assert.equal(off.code, 0, off.stderr);
  assert.match(off.stdout, /está parado\n.*tijolo start/);
  const on = await line.run(["up"]);
  assert.deepEqual([on.code, /está no ar/.test(on.stdout)], [0, true], on.stdout + on.stderr);
});

test("each of two ups within the pause between log streams shows all its own lines, once, and no others", async () => {
  await using strict = await TestCluster.create({ hasRealLimits: true });
  const account = await strict.createAccount({ plan: "Empresas" });
  await using line = await atFolder(
    strict,
    account,
    "sim print one 1; print one 2; wait 800; print one 3; run",
  );
  const first = await line.run(["up"]);
  await setCommand(line, "sim print two 1; print two 2; run");
  const second = await line.run(["up"]);
  for (const [name, { code, stderr }] of Object.entries({ one: first, two: second })) {
    assert.equal(code, 0, stderr);
    const other = name === "one" ? "two" : "one";
    for (const number of [1, 2])
      assert.equal(stderr.match(new RegExp(`${name} ${number}$`, "gm"))?.length, 1, stderr);
    assert.doesNotMatch(stderr, new RegExp(`^\\S+ ${other} \\d$`, "m"));
  }
});

test("up with a key that may only deploy refuses a changed svc.json, by the fields' names, and says what to do", async () => {
  const account = await cluster.createAccount();
  await using line = await atFolder(cluster, account, "sim run");
  assert.equal((await line.run(["up"])).code, 0);
  line.environment["TIJOLO_KEY"] = await cluster.createKey(account.id, "write");
  assert.equal((await line.run(["up"])).code, 0);
  await setCommand(line, "sim print other; run");
  const { code, stderr } = await line.run(["up"]);
  assert.equal(code, 1);
  assert.match(stderr, /\(command\)[^]*projects:settings/);
  assert.match(stderr, /tijolo config get/);
});
