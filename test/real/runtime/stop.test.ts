/** Stopping: the program is asked, gets its time, and is then killed with everything it started. */

import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { ContainerHost, until } from "../support/host/container-host.ts";

let host: ContainerHost;
before(async () => {
  host = await ContainerHost.create();
});
after(() => host[Symbol.asyncDispose]());

const sawLine = (line: string) => until(async () => (await host.log()).stdout.includes(line));

test("a stop is one SIGTERM, and the program's own exit code is kept", async () => {
  const script = `$SIG{TERM} = sub { $n++; print "term $n\\n" }; $| = 1; print "graceful up\\n"; sleep 1 until $n; select undef, undef, undef, 0.3; exit 9`;
  await host.writeCode("graceful.pl", script);
  const instance = await host.start("exec perl graceful.pl");
  await sawLine("graceful up");
  await host.runtime.stop("prj_test", { graceMs: 5_000 });
  const exit = await host.exitOf(instance);
  assert.deepEqual([exit.code, exit.cause], [9, "exited"]);
  const { stdout } = await host.log();
  assert.ok(stdout.includes("term 1") && !stdout.includes("term 2"));
  assert.deepEqual(await host.pids(), []);
  await host.runtime.forget(instance);
});

test("a program that ignores SIGTERM is killed when its time is over, with all that it started", async () => {
  const instance = await host.start(
    `trap '' TERM; setsid sh -c "trap '' TERM; echo child up; while :; do sleep 1; done" & while :; do sleep 1; done`,
  );
  await sawLine("child up");
  const startedAt = performance.now();
  await host.runtime.stop("prj_test", { graceMs: 400 });
  const tookMs = performance.now() - startedAt;
  assert.ok(tookMs >= 390 && tookMs < 3_000, `took ${tookMs} ms`);
  assert.deepEqual(await host.pids(), []);
  assert.equal((await host.exitOf(instance)).code, 137);
  await host.runtime.forget(instance);
});

test("a stop right after the start reaches the program", async () => {
  const instance = await host.start("exec sleep 60");
  await host.runtime.stop("prj_test", { graceMs: 10_000 });
  assert.equal((await host.exitOf(instance)).code, 143);
  await host.runtime.forget(instance);
});

test("stopping what does not run, or twice at once, is no error", async () => {
  await host.runtime.stop("prj_test", { graceMs: 100 });
  const instance = await host.start("exec sleep 60");
  await Promise.all([1, 2, 3].map(() => host.runtime.stop("prj_test", { graceMs: 5_000 })));
  assert.equal(host.ended.filter((each) => each.runNumber === instance.runNumber).length, 1);
  await host.runtime.forget(instance);
  await host.runtime.forget(instance);
});

test("starting the same run again answers with the one that is there", async () => {
  const request = await host.request("exec sleep 60");
  const first = await host.runtime.start(request);
  const second = await host.runtime.start(request);
  assert.deepEqual(
    [second.runNumber, second.startedAt, second.exit],
    [first.runNumber, first.startedAt, null],
  );
  await host.runtime.stop("prj_test", { graceMs: 5_000 });
  await host.runtime.forget(first);
});

test("usage of a running project grows and names its run", async () => {
  const instance = await host.start(`perl -e '$x = "x" x (20 << 20); 1 while 1'`);
  const usage = await until(async () => {
    const found = (await host.runtime.usage()).get("prj_test");
    return found !== undefined && found.cpuUsec > 50_000 && found.memoryBytes > 20 << 20 ? found : undefined;
  });
  assert.deepEqual([usage.runNumber, usage.oomKills], [instance.runNumber, 0]);
  await host.runtime.stop("prj_test", { graceMs: 1_000 });
  assert.equal((await host.runtime.usage()).size, 0);
  await host.runtime.forget(instance);
});

test("removing a project stops it and takes every file, also in directories that nobody may enter", async () => {
  const projectId = "prj_removed";
  await host.start("mkdir -p a/b; touch a/b/c; chmod 0 a/b a; echo locked; exec sleep 60", { projectId });
  await until(async () => (await host.log(projectId)).stdout.includes("locked"));
  assert.ok((await readdir(join(host.dataDirectory, "projects"))).includes(projectId));
  await host.runtime.remove(projectId);
  assert.ok(!(await readdir(join(host.dataDirectory, "projects"))).includes(projectId));
  assert.deepEqual(await host.pids(), []);
});
