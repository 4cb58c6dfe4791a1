/** The install step: its layer, its limits, its outcomes. */

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { ContainerHost, until } from "../support/host/container-host.ts";

let host: ContainerHost;
before(async () => {
  host = await ContainerHost.create();
});
after(() => host[Symbol.asyncDispose]());

const layer = () => join(host.dataDirectory, "projects", "prj_test", "versions", "1", "install");
const never = () => new AbortController().signal;

test("what the install step makes is there in every run, which may change it without changing the layer", async () => {
  await host.writeCode("package.txt", "code\n");
  const request = await host.installRequest(
    "cat package.txt; mkdir modules; echo installed > modules/a; echo patched > package.txt",
  );
  assert.deepEqual(await host.runtime.install(request, never()), { status: "installed" });
  const first = await host.run("cat modules/a package.txt; echo mine > modules/a; cat modules/a");
  assert.deepEqual(first.stdout, ["installed", "patched", "mine"]);
  const other = await host.run("cat modules/a", { projectId: "prj_test", versionNumber: 1 });
  assert.deepEqual(other.stdout, ["mine"]);
  assert.ok(existsSync(join(layer(), "modules", "a")));
});

test("an install step that fails tells its code and leaves no layer", async () => {
  const request = await host.installRequest("echo half > half; exit 5");
  assert.deepEqual(await host.runtime.install(request, never()), {
    status: "failed",
    code: "install_failed",
    exitCode: 5,
  });
  assert.equal(existsSync(layer()), false);
});

test("an install step that takes too long is killed", async () => {
  const request = await host.installRequest("echo slow; sleep 60", { timeoutMs: 500 });
  assert.deepEqual(await host.runtime.install(request, never()), {
    status: "failed",
    code: "install_timeout",
    exitCode: null,
  });
  assert.deepEqual(await host.pids(), []);
  assert.equal(existsSync(layer()), false);
});

test("an install step that takes too much memory says so", async () => {
  const limits = { memoryMb: 64, cpuPercent: null, cpuWeight: 100, pids: 64 };
  const request = await host.installRequest(`perl -e 'push @a, "y" x (8 << 20) while 1'`, { limits });
  const outcome = await host.runtime.install(request, never());
  assert.deepEqual(outcome, { status: "failed", code: "install_out_of_memory", exitCode: 137 });
});

test("an aborted install step rejects with the reason, with nothing left over", async () => {
  const abort = new AbortController();
  const installing = host.runtime.install(await host.installRequest("echo begun; sleep 60"), abort.signal);
  await until(async () => (await host.log("prj_test", "install")).stdout.includes("begun"));
  abort.abort(new Error("the project is deleted"));
  await assert.rejects(installing, /the project is deleted/);
  assert.deepEqual(await host.pids(), []);
  assert.equal(existsSync(layer()), false);
});

test("an install step whose agent died is ended by the next agent", async () => {
  const installing = host.runtime.install(await host.installRequest("echo orphaned; sleep 60"), never());
  await until(async () => (await host.log("prj_test", "install")).stdout.includes("orphaned"));
  const next = await host.reopen();
  assert.deepEqual(await host.pids(), []);
  await installing.catch(() => {}); // here the first agent still lives, and sees its step killed
  assert.equal(existsSync(layer()), false);
  await next.close();
});

test("a run goes on, and can be stopped and listed, while another version is installed", async () => {
  const abort = new AbortController();
  const instance = await host.start("exec sleep 60");
  const request = await host.installRequest("echo second; sleep 60", { versionNumber: 2 });
  await host.request("true", { versionNumber: 2 });
  const installing = host.runtime.install(request, abort.signal);
  await until(async () => (await host.log("prj_test", "install")).stdout.includes("second"));
  assert.deepEqual(
    (await host.runtime.instances()).map((each) => [each.runNumber, each.exit]),
    [[instance.runNumber, null]],
  );
  await host.runtime.stop("prj_test", { graceMs: 5_000 });
  abort.abort();
  await assert.rejects(installing, { name: "AbortError" });
  await host.runtime.forget(instance);
});
