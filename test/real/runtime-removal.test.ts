/** What a run leaves is removed after it was forgotten, by this agent or by the next one. */

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { ContainerHost, until } from "./support/container-host.ts";

const host = await ContainerHost.create();
after(() => host[Symbol.asyncDispose]());

const runs = join(host.dataDirectory, "runs", "prj_test");
const disk = join(host.dataDirectory, "projects", "prj_test", "disk");

async function runAndForget(): Promise<string> {
  const instance = await host.start("true");
  await host.exitOf(instance);
  await host.runtime.forget(instance);
  return `run-${instance.runNumber}`;
}

test("a forgotten run is out of the way at once, and gone soon after", async () => {
  const name = await runAndForget();
  assert.deepEqual(readdirSync(runs), [`ended-${name}`]);
  assert.deepEqual(await host.runtime.instances(), []);
  await until(() => !existsSync(join(runs, `ended-${name}`)) && !existsSync(join(disk, `scratch-${name}`)));
});

test("an agent that was killed before the removal leaves it to the next one", async () => {
  const name = await runAndForget();
  assert.ok(existsSync(join(runs, `ended-${name}`)));
  const next = await host.reopen();
  assert.deepEqual(readdirSync(runs), []);
  assert.ok(!existsSync(join(disk, `scratch-${name}`)));
  assert.deepEqual(await next.instances(), []);
  await next.close();
});

test("what stayed on a disk that was away when its run was removed is gone soon after the next start; what runs keeps its own", async () => {
  const install = host.runtime.install(await host.installRequest("sleep 5"), new AbortController().signal);
  await until(() => readdirSync(disk).some((name) => name.startsWith("scratch-install-")));
  mkdirSync(join(disk, "scratch-run-1000", "upper", "etc"), { recursive: true });
  const instance = await host.start("exec sleep 60");
  await until(() => !existsSync(join(disk, "scratch-run-1000")));
  const scratches = readdirSync(disk).filter((name) => name.startsWith("scratch-"));
  assert.deepEqual(scratches.sort(), ["scratch-install-1", `scratch-run-${instance.runNumber}`]);
  assert.equal((await install).status, "installed");
  await host.runtime.stop("prj_test", { graceMs: 0 });
  await host.runtime.forget(instance);
});
