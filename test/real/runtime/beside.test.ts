/** Two runs of one project at once: each has files, lines and an end of its own. */

import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { StartError } from "../../../agent/src/runtime/runtime.ts";
import { ContainerHost, until } from "../support/host/container-host.ts";

let host: ContainerHost;
before(async () => {
  host = await ContainerHost.create();
});
after(() => host[Symbol.asyncDispose]());

const appLog = (stream: string) =>
  until(async () => {
    const directory = join(host.dataDirectory, "logs", "prj_test", "app", stream);
    return (await readdir(directory).catch(() => [])).some((name) => name.endsWith(".log"));
  });

test("a second run has no file of the first, and the first none of the second; each is stopped alone", async () => {
  await assert.rejects(async () => {
    await host.start("exec sleep 60");
    await host.start("exec sleep 60");
  }, StartError);
  await host.runtime.stop("prj_test", { graceMs: 5_000 });
  for (const instance of await host.runtime.instances()) await host.runtime.forget(instance);

  const first = await host.start("echo one > mine; echo first; exec sleep 60", { keepsNothing: true });
  await appLog("stdout");
  const beside = { keepsNothing: true, isBeside: true, logSet: "beside" as const };
  const second = await host.start(
    "ls; echo two > mine; ls /home/project; echo second; exec sleep 60",
    beside,
  );
  await appLog("stdout-beside");
  await until(async () => (await host.log()).stdout.includes("first"));
  await until(async () => (await host.log("prj_test", "app", "beside")).stdout.includes("second"));
  assert.ok(!(await host.log("prj_test", "app", "beside")).stdout.includes("mine"));
  assert.equal((await host.runtime.usage()).get("prj_test")?.runNumber, second.runNumber);

  // The next agent finds both.
  await host.runtime.close();
  const reopened = await host.reopen();
  const found = (await reopened.instances()).filter(({ exit }) => exit === null);
  assert.deepEqual(
    new Set(found.map(({ runNumber }) => runNumber)),
    new Set([first.runNumber, second.runNumber]),
  );
  assert.equal((await reopened.usage()).get("prj_test")?.runNumber, second.runNumber);
  await reopened.stop("prj_test", { graceMs: 5_000, runNumber: first.runNumber });
  const left = (await reopened.instances()).filter(({ exit }) => exit === null);
  assert.deepEqual(
    left.map(({ runNumber }) => runNumber),
    [second.runNumber],
  );
  await reopened.stop("prj_test", { graceMs: 5_000 });
  for (const instance of await reopened.instances()) await reopened.forget(instance);
  assert.deepEqual(await host.pids(), []);
  await reopened.close();
  const disk = join(host.dataDirectory, "projects", "prj_test", "disk");
  const kept = (await readdir(disk)).filter((name) => name.startsWith("scratch-"));
  assert.deepEqual(kept, [], "what they wrote has gone with them");
});
