/** Tests requests and failures that arrive in the middle of an update, on a simulated machine. */

import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { until } from "../../../test/support/until.ts";
import { ProjectHost, texts, version } from "../../../test/support/projects/project-host.ts";
import { DiskFullError } from "../disk/project-disks.ts";
import { ArchiveFetchError } from "../versions/fetch-archive.ts";

const one = version(1, { memoryMb: 300 });
const deaf = { type: "site", port: 8080, command: "sim deaf; run" } as const;

async function hostWithVersionOne(t: TestContext): Promise<ProjectHost> {
  const host = await ProjectHost.create(t);
  await host.startAgent(one);
  await host.bringUp(one);
  return host;
}

/** Brings version 2 into its trial: it runs, and does not listen. */
async function hostInTrial(t: TestContext): Promise<ProjectHost> {
  const host = await hostWithVersionOne(t);
  host.want(version(2, deaf));
  await host.tells({ phase: "running", versionNumber: 2, hasComeUp: false });
  return host;
}

test("a restart in the middle of a trial begins it anew, and it is taken back all the same", async (t) => {
  const host = await hostInTrial(t);
  host.want(version(2, deaf, { restartCount: 3 }));
  await until(() => host.running().includes("run 3 of version 2"));
  host.kill();
  const told = await host.tells({ phase: "failed", servingVersion: 1, restartCount: 3 });
  assert.equal(told.errorCode, "start_failed");
  await until(() => host.running().length === 1);
  assert.deepEqual(host.running(), ["run 4 of version 1"]);
});

test("a stop in the middle of a trial leaves nothing running; the start after it tries the version again", async (t) => {
  const host = await hostInTrial(t);
  host.want(version(2, deaf, { run: "off" }));
  await host.tells({ phase: "ready", servingVersion: null });
  assert.deepEqual(host.running(), []);
  host.want(version(2, deaf, { restartCount: 3 }));
  await host.tells({ phase: "running", versionNumber: 2 });
  host.kill();
  await host.tells({ phase: "failed", versionNumber: 2, servingVersion: 1 });
});

test("settings that change in the middle of a trial are not those of the version that comes back", async (t) => {
  const host = await hostInTrial(t);
  host.want(version(2, { ...deaf, memoryMb: 900 }, { configTag: "changed" }));
  host.kill();
  await host.tells({ phase: "failed", servingVersion: 1 });
  await until(() => host.running().length === 1);
  const [run] = [...host.machine.runs.values()].filter(({ instance }) => instance.exit === null);
  assert.deepEqual([run?.instance.versionNumber, run?.limits.memoryMb], [1, 300]);
});

test("a deletion in the middle of a swap leaves nothing", async (t) => {
  const host = await hostWithVersionOne(t);
  const { projectId } = one;
  const hold = host.machine.hold(projectId);
  host.want(version(2));
  await hold.reached;
  host.worker.assign(undefined, { reason: "deleted", atMs: 0 });
  hold[Symbol.dispose]();
  const projects = join(host.dataDirectory, "projects");
  await until(async () => !(await readdir(projects)).includes(projectId));
  assert.deepEqual(host.running(), []);
});

test("newer code in the middle of a trial goes on beside the version that comes back, and takes over", async (t) => {
  const host = await hostInTrial(t);
  host.want(version(3, { installCommand: "sim gate" }));
  await host.tells({ phase: "installing", versionNumber: 3 });
  host.kill();
  await until(() => host.running().includes("run 3 of version 1"));
  assert.equal((await host.tells({ phase: "installing", versionNumber: 3 })).servingVersion, 1);
  host.machine.openGate(one.projectId);
  await host.tells({ phase: "running", versionNumber: 3, servingVersion: 3 });
  assert.deepEqual(host.running(), ["run 4 of version 3"]);
});

for (const [kind, details] of [
  ["gone", ["upload_gone"]],
  ["mismatch", []],
] as const) {
  test(`a rollback whose archive is fetched and is ${kind} is interrupted, and what runs goes on`, async (t) => {
    const host = await hostWithVersionOne(t);
    await host.bringUp(version(2));
    await host.stopAgent();
    const other = { sha256: "f".repeat(64), sizeBytes: 100 };
    await host.startAgent(version(3, {}, { archive: other }), {
      fetchArchive: async () => {
        throw new ArchiveFetchError(kind, "of the test");
      },
    });
    const told = await host.tells({ phase: "failed", versionNumber: 3 });
    assert.deepEqual([told.errorCode, told.servingVersion], ["install_interrupted", 2]);
    assert.deepEqual(
      told.errorDetails.map(({ code }) => code),
      [...details, "earlier_version_stays_up"],
    );
    assert.equal(texts(told).at(-1), "A versão 2 continua no ar.");
    assert.deepEqual(host.running(), ["run 2 of version 2"]);
  });
}

test("a version that dies after each minute comes back at once each time, and is not taken back", async (t) => {
  const host = await hostWithVersionOne(t);
  await host.bringUp(version(2));
  for (let run = 3; run <= 8; run++) {
    host.advance(61_000);
    host.kill();
    await until(() => host.running().includes(`run ${run} of version 2`));
    const { servingVersion } = await host.tells({ phase: "running", consecutiveCrashes: 1 });
    assert.equal(servingVersion, 2);
  }
});

test("a version that has come up and then dies in a row ends in a crash loop of its own", async (t) => {
  const host = await hostWithVersionOne(t);
  await host.bringUp(version(2));
  await host.dieInARow(5);
  const told = await host.tells({ phase: "failed", versionNumber: 2 });
  assert.deepEqual([told.errorCode, told.servingVersion, host.running()], ["crash_loop", null, []]);
});

test("what crashed waits while the host's disk is full, and comes back with room; a start that is asked for fails", async (t) => {
  const host = await ProjectHost.create(t);
  let isFull = false;
  let refused = 0;
  const ensure = async () => {
    if (isFull) refused++;
    if (isFull) throw new DiskFullError("host", { code: "host_disk_full" });
    return { layers: [], environment: {} };
  };
  await host.startAgent(one, { images: { ensure } });
  await host.bringUp(one);
  isFull = true;
  host.kill();
  await until(() => refused > 0);
  assert.deepEqual([host.told.phase, host.told.servingVersion, host.running()], ["waiting", 1, []]);
  isFull = false;
  await until(() => host.running().length === 1);
  isFull = true;
  host.want({ ...one, restartCount: 2 });
  const told = await host.tells({ phase: "failed", restartCount: 2 });
  assert.deepEqual([told.errorCode, told.errorDetails[0]?.code], ["start_failed", "host_disk_full"]);
});
