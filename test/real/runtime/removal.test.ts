/** Tests that what a run leaves is removed after it was forgotten, by this agent or by the next one. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { ContainerHost, until } from "../support/host/container-host.ts";

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

test("what a run of the same number left, deeper than any path may be long, does not keep the run from starting", async () => {
  const number = (await host.request("true")).runNumber + 1;
  mkdirSync(disk, { recursive: true });
  const deepen = `mkdir($ARGV[0]) && chdir($ARGV[0]) or die; for (1 .. 200) { mkdir("x" x 50) && chdir("x" x 50) or die $! }`;
  execFileSync("perl", ["-e", deepen, join(disk, `scratch-run-${number}`)]);
  const { code } = await host.run("true");
  assert.equal(code, 0);
  await until(
    () => readdirSync(runs).length === 0 && readdirSync(disk).every((name) => !name.startsWith("scratch-")),
  );
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

test("what cannot be removed, on a disk that takes nothing any more, keeps no agent from starting, nor what others left", async (context) => {
  const broken = join(host.dataDirectory, "projects", "prj_broken");
  mkdirSync(broken, { recursive: true });
  execFileSync("mount", ["-t", "tmpfs", "tmpfs", broken]);
  context.after(() => execFileSync("umount", [broken]));
  for (const projectId of ["prj_broken", "prj_test"]) {
    mkdirSync(join(host.dataDirectory, "projects", projectId, "disk/scratch-run-2000/upper/etc"), {
      recursive: true,
    });
    mkdirSync(join(host.dataDirectory, "runs", projectId, "ended-run-2000"), { recursive: true });
  }
  execFileSync("mount", ["-o", "remount,ro", broken]);
  const next = await host.reopen();
  assert.deepEqual([readdirSync(runs), existsSync(join(disk, "scratch-run-2000"))], [[], false]);
  await next.close();
});

test("the temporary files of an install whose agent died go with it", async () => {
  const temporaries = join(disk, "home", ".install-tmp");
  mkdirSync(join(temporaries, "pip-unpack"), { recursive: true });
  mkdirSync(join(runs, "install-7"), { recursive: true });
  const next = await host.reopen();
  assert.deepEqual([existsSync(join(runs, "install-7")), existsSync(temporaries)], [false, false]);
  await next.close();
});
