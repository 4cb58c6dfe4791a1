/** Containers live without the agent: it is killed, and another one finds everything as it is. */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { randomInt } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import type { StartRequest } from "../../../agent/src/runtime/runtime.ts";
import { ContainerHost, until } from "../support/host/container-host.ts";

let host: ContainerHost;
before(async () => {
  host = await ContainerHost.create();
});
afterEach(() => host.endAll());
after(() => host[Symbol.asyncDispose]());

/** Starts the request from a process of its own, which is then killed: once it has started, or after `untilKill`. */
async function startedByAgentThatDied(
  request: StartRequest,
  untilKill?: () => Promise<unknown>,
): Promise<void> {
  const agent = spawn(process.execPath, [join(import.meta.dirname, "../support/host/agent-process.ts")], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  agent.stdin.end(JSON.stringify({ ...host.processInput(), request }));
  await (untilKill === undefined ? once(agent.stdout, "data") : untilKill());
  agent.kill("SIGKILL");
  await once(agent, "close");
}

test("an agent's kill -9 leaves the same pids, every line and the exact exit code", async () => {
  const request = await host.request(
    "i=0; while [ $i -lt 100 ]; do i=$((i+1)); echo line $i; sleep 0.02; done; exit 42",
  );
  await startedByAgentThatDied(request);
  const pids = await host.pids();
  assert.ok(pids.length >= 4);

  const [adopted] = await host.runtime.instances();
  assert.deepEqual([adopted?.runNumber, adopted?.exit], [request.runNumber, null]);
  const still = await host.pids();
  const stable = await comms(still);
  assert.ok(stable.includes("systemd-nspawn") && stable.includes("perl"), String(stable));
  assert.deepEqual(still.filter((pid) => pids.includes(pid)).length >= 4, true);

  const exit = await host.exitOf({ ...request, startedAt: new Date(), exit: null });
  assert.deepEqual([exit.code, exit.cause], [42, "exited"]);
  const { stdout } = await host.log();
  assert.deepEqual(
    stdout,
    Array.from({ length: 100 }, (_, index) => `line ${index + 1}`),
  );
  if (adopted !== undefined) await host.runtime.forget(adopted);
});

test("an exit while no agent was there is told by the next one, once, with its time", async () => {
  const request = await host.request("exit 6");
  await startedByAgentThatDied(request);
  await until(async () => (await host.pids()).length === 0);
  const next = await host.reopen();
  const [instance] = await next.instances();
  assert.deepEqual(
    [instance?.runNumber, instance?.exit?.code, instance?.exit?.cause],
    [request.runNumber, 6, "exited"],
  );
  const again = await next.instances();
  assert.deepEqual(again[0]?.exit, instance?.exit);
  if (instance !== undefined) await next.forget(instance);
  assert.deepEqual(await next.instances(), []);
  await next.close();
});

test("a run whose agent is killed at any moment of its start either never ran or has its end told", async () => {
  for (let round = 0; round < 12; round++) {
    const request = await host.request(`echo ran ${round}; sleep 0.2; exit 7`, { runNumber: round + 1 });
    const record = join(
      host.dataDirectory,
      "runs",
      request.projectId,
      `run-${request.runNumber}`,
      "run.json",
    );
    await startedByAgentThatDied(request, async () => {
      await until(() => existsSync(record));
      await delay(randomInt(0, 150));
    });
    const next = await host.reopen();
    await until(async () => (await host.pids()).length === 0);
    const ended = await next.instances();
    if ((await host.log()).stdout.includes(`ran ${round}`))
      assert.deepEqual(
        ended.map(({ runNumber, exit }) => [runNumber, exit?.code]),
        [[request.runNumber, 7]],
      );
    for (const instance of ended) await next.forget(instance);
    await next.close();
  }
});

test("a container whose supervisor was killed too is told as killed", async () => {
  const instance = await host.start("exec sleep 60");
  const pids = await host.pids();
  const names = await comms(pids);
  const supervisor = pids[names.indexOf("perl")];
  assert.ok(supervisor !== undefined);
  process.kill(supervisor, "SIGKILL");
  const [stillThere] = await host.runtime.instances();
  assert.equal(stillThere?.exit, null);
  await host.runtime.stop("prj_test", { graceMs: 5_000 });
  const exit = await host.exitOf(instance);
  assert.deepEqual([exit.code, exit.cause], [137, "killed"]);
  assert.deepEqual(await host.pids(), []);
  await host.runtime.forget(instance);
});

test("a start works after what forks the supervisors was killed, and what it forked goes on", async () => {
  const first = await host.start("sleep 1; exit 7");
  const forker = (await readFile(`/proc/${process.pid}/task/${process.pid}/children`, "utf8"))
    .trim()
    .split(" ")
    .map(Number);
  const names = await comms(forker);
  const perl = forker[names.indexOf("perl")];
  assert.ok(perl !== undefined);
  process.kill(perl, "SIGKILL");
  await until(async () => (await readFile(`/proc/${perl}/stat`, "utf8").catch(() => "")) === "");
  const second = await host.start("exit 8", { projectId: "prj_second" });
  assert.equal((await host.exitOf(second)).code, 8);
  assert.equal((await host.exitOf(first)).code, 7);
  await host.runtime.forget(first);
  await host.runtime.forget(second);
});

test("nspawn's death takes its container with it, and the end is not told before all of it is gone", async () => {
  // Without the log open, and with memory that the kernel takes a while to free.
  const slow = `perl -e '$x = "x" x 20e6; sleep 60' >/dev/null 2>&1 &`;
  const instance = await host.start(`${slow} ${slow} ${slow} ${slow} sleep 1; echo up; exec sleep 60`);
  await until(async () => (await host.log()).stdout.includes("up"));
  const pids = await host.pids();
  const nspawn = pids[(await comms(pids)).indexOf("systemd-nspawn")];
  assert.ok(nspawn !== undefined);
  process.kill(nspawn, "SIGKILL");
  assert.equal((await host.exitOf(instance)).code, 137);
  assert.deepEqual(await host.pids(), []);
  await host.runtime.forget(instance);
});

test("a run from before the host was restarted is told as vanished", async () => {
  const instance = await host.start("exec sleep 60");
  const file = join(host.dataDirectory, "runs", "prj_test", `run-${instance.runNumber}`, "run.json");
  const record = JSON.parse(await readFile(file, "utf8"));
  await host.runtime.stop("prj_test", { graceMs: 0 });
  await writeFile(file, JSON.stringify({ ...record, bootId: "another" }));
  const next = await host.reopen();
  const [found] = await next.instances();
  assert.deepEqual([found?.runNumber, found?.exit?.cause], [instance.runNumber, "vanished"]);
  if (found !== undefined) await next.forget(found);
  await next.close();
});

function comms(pids: readonly number[]): Promise<string[]> {
  return Promise.all(
    pids.map(async (pid) => (await readFile(`/proc/${pid}/comm`, "utf8").catch(() => "")).trim()),
  );
}
