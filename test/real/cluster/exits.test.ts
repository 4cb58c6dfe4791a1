/** Tests that the end of a project is reported exactly, and that what it leaves behind is removed. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { until } from "../../support/until.ts";
import { DeployedProject, nodeProgram, shellBot, type Upload } from "../support/projects/deployed-project.ts";
import { RealCluster } from "../support/cluster/real-cluster.ts";
import type { TestAccount } from "../../support/cluster/operator.ts";

let cluster: RealCluster;
let paid: TestAccount;
before(async () => {
  cluster = await RealCluster.create();
  paid = await cluster.createAccount();
});
after(() => cluster[Symbol.asyncDispose]());

/**
 * On the Free plan, which does not restart: the first exit stays to be seen. Each in an account of its own,
 * as the plan has few.
 */
async function deployFree(upload: Upload): Promise<DeployedProject> {
  const { client } = await cluster.createAccount({ plan: "Free" });
  return DeployedProject.create(client, upload);
}

function deploy(upload: Upload): Promise<DeployedProject> {
  return DeployedProject.create(paid.client, upload);
}

test("each exit code and signal reaches the owner exactly", async () => {
  const ends: [command: string, code: number][] = [
    ["exit 1", 1],
    ["exit 3", 3],
    ["exit 133", 133],
    ["exit 255", 255],
    ["kill -TERM $$", 143],
    ["kill -KILL $$", 137],
    ["kill -SEGV $$", 139],
    ["kill -ABRT $$", 134],
  ];
  await Promise.all(
    ends.map(async ([command, code]) => {
      const project = await deployFree(shellBot(`echo up; ${command}`));
      const { status, error, lastExit, consecutiveCrashes } = await project.is("error");
      assert.deepEqual(
        {
          command,
          status,
          error: error?.code,
          code: lastExit?.code,
          isOutOfMemory: lastExit?.isOutOfMemory,
          consecutiveCrashes,
        },
        {
          command,
          status: "error",
          error: "process_exited",
          code,
          isOutOfMemory: false,
          consecutiveCrashes: 1,
        },
      );
      assert.deepEqual(await project.output(), ["up"]);
    }),
  );
});

test("an end with code 0 is a stop, on any plan", async () => {
  const projects = await Promise.all([deploy(shellBot("echo done")), deployFree(shellBot("echo done"))]);
  for (const project of projects) {
    const { lastExit, error, consecutiveCrashes } = await project.when(
      ({ status, lastExit: exit }) => status === "stopped" && exit !== null,
    );
    assert.deepEqual([lastExit?.code, error, consecutiveCrashes], [0, null, 0]);
  }
});

test("a program that takes more memory than it has is killed, and told so", async () => {
  const source = `console.log("up"); const kept = []; setInterval(() => kept.push(Buffer.alloc(8 << 20, 1)), 2);`;
  const project = await deployFree(nodeProgram(source, { memoryMb: 128 }));
  const { lastExit, error } = await project.is("error");
  assert.deepEqual([lastExit?.isOutOfMemory, lastExit?.code, error?.code], [true, 137, "process_exited"]);
  assert.match(error?.message ?? "", /128 MB/);
});

test("a command that does not exist, or a start file that is not there, is start_failed with what to do", async () => {
  const command = await deploy(shellBot("no-such-program --now"));
  const { error: commandError } = await command.is("error");
  assert.equal(commandError?.code, "start_failed");
  assert.match(commandError?.message ?? "", /não foi encontrado/);

  const entry = await deploy({
    files: { "main.js": "" },
    config: { language: "node", version: "24", entry: "missing.js", installCommand: "true" },
  });
  const { error: entryError } = await entry.is("error");
  assert.equal(entryError?.code, "start_failed");
  assert.match(entryError?.message ?? "", /missing\.js/);
  assert.ok((await entry.lines()).some(({ text }) => text.includes("missing.js")));
});

test("a program that ignores SIGTERM is stopped within the grace", async () => {
  const project = await deploy(shellBot("trap '' TERM; echo deaf; while :; do sleep 1; done"));
  await project.prints("deaf");
  const fromMs = performance.now();
  await paid.client.stopProject({ id: project.id });
  const { lastExit } = await project.is("stopped");
  const tookMs = performance.now() - fromMs;
  assert.ok(tookMs > 8_000 && tookMs < 14_000, `it took ${tookMs} ms`);
  assert.equal(lastExit?.code, 137);
  assert.deepEqual(cluster.host.pidsOf(project.id), []);
});

test("what a double fork left behind is gone after a stop", async () => {
  const project = await deploy(
    shellBot(
      "(setsid sh -c 'sleep 1000 & echo $! > orphan' &) ; until [ -s orphan ]; do sleep 0.05; done; echo left $(cat orphan); exec sleep 1001",
    ),
  );
  await project.prints("left ");
  const commandOf = (pid: number) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
  // Until it is the orphan itself: its pid is known before its program is.
  await until(async () =>
    (await Promise.all(cluster.host.pidsOf(project.id).map(commandOf))).includes("sleep\u00001000\u0000"),
  );
  await paid.client.stopProject({ id: project.id });
  await project.is("stopped");
  assert.deepEqual(cluster.host.pidsOf(project.id), []);
});

test("binary output is readable, and the lines around it are whole", async () => {
  const source = `process.stdout.write("before\\n"); process.stdout.write(Buffer.from(Array.from({ length: 256 }, (_, n) => n).filter((n) => n !== 10))); process.stdout.write("\\nafter\\n"); setInterval(() => {}, 1000);`;
  const project = await deploy(nodeProgram(source));
  await project.prints("after");
  const lines = await project.output();
  assert.deepEqual([lines[0], lines.at(-1)], ["before", "after"]);
  const binary = lines.slice(1, -1).join("");
  assert.ok(binary.includes("ABCDEFGHIJ") && binary.includes("\uFFFD"), JSON.stringify(binary));
  await paid.client.stopProject({ id: project.id });
});

test("a fork bomb stays in its own limits: others keep answering and it can be stopped", async () => {
  const neighbour = await deploy(shellBot("while :; do echo tick; sleep 0.1; done"));
  await neighbour.prints("tick");
  const bomb = await deploy(
    nodeProgram(`console.log("bomb");`, {
      command: "echo bomb; f() { f & f & sleep 1000; }; f & sleep 1000",
    }),
  );
  await bomb.prints("bomb");
  await until(() => cluster.host.pidsOf(bomb.id).length > 100);
  const before = (await neighbour.output()).length;
  const fromMs = performance.now();
  await until(async () => (await neighbour.output()).length > before + 5);
  assert.ok(performance.now() - fromMs < 10_000);
  await paid.client.stopProject({ id: bomb.id });
  await bomb.when(({ status }) => status === "stopped", { timeoutMs: 40_000 });
  assert.deepEqual(cluster.host.pidsOf(bomb.id), []);
  await paid.client.stopProject({ id: neighbour.id });
});
