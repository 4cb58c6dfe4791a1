/** Tests updates on a simulated machine: what ran goes on or comes back, whatever new code does. */

import assert from "node:assert/strict";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { rawZip } from "../../../test/support/archives/raw-zip.ts";
import { until } from "../../../test/support/until.ts";
import type { SiteDrain } from "../link/link.ts";
import type { WorkerContext } from "./worker-context.ts";
import { DiskFullError } from "../disk/project-disks.ts";
import { ProjectHost, texts, version } from "../../../test/support/projects/project-host.ts";

const failing = { installCommand: "sim exit 1" };
const site = { type: "site", port: 8080 } as const;
const one = version(1);

async function hostWithVersionOne(t: Parameters<typeof ProjectHost.create>[0], first = one) {
  const host = await ProjectHost.create(t);
  await host.startAgent(first);
  await host.bringUp(first);
  return host;
}

test("a failed install leaves the same run up, through restarts of agent and host, until it is stopped", async (t) => {
  const host = await hostWithVersionOne(t);
  const two = version(2, failing);
  host.want(two);
  const told = await host.tells({ phase: "failed", versionNumber: 2 });
  assert.deepEqual(
    [told.errorCode, told.servingVersion, told.hasComeUp, told.restartCount],
    ["install_failed", 1, false, 2],
  );
  assert.deepEqual(texts(told), ["Código de saída: 1.", "A versão 1 continua no ar."]);
  assert.ok((await host.says()).includes("A versão 1 continua no ar."));
  assert.deepEqual(host.running(), ["run 1 of version 1"]);

  await host.stopAgent();
  await host.startAgent(two);
  await host.tells({ phase: "failed", servingVersion: 1 });
  assert.deepEqual(host.running(), ["run 1 of version 1"]);

  await host.stopAgent();
  host.machine.reboot();
  await host.startAgent(two);
  await until(() => host.running().length === 1);
  assert.deepEqual(host.running(), ["run 2 of version 1"]);
  assert.equal(host.told.errorCode, "install_failed");

  host.kill();
  await until(() => host.running().includes("run 3 of version 1"));
  host.want({ ...two, run: "off" });
  const stopped = await host.tells({ servingVersion: null });
  assert.deepEqual(
    [stopped.phase, stopped.errorCode, texts(stopped)],
    ["failed", "install_failed", ["Código de saída: 1."]],
  );
  assert.deepEqual(host.running(), []);
});

test("good code after a failed one comes up by itself", async (t) => {
  const host = await hostWithVersionOne(t);
  host.want(version(2, failing));
  await host.tells({ phase: "failed", servingVersion: 1 });
  host.want(version(3));
  await host.tells({ phase: "running", versionNumber: 3, servingVersion: 3 });
  assert.deepEqual(host.running(), ["run 2 of version 3"]);
});

test("a crash loop of what stayed up is its end, and says so", async (t) => {
  const host = await hostWithVersionOne(t, version(1, { command: "sim exit 3 after 7000" }));
  host.want(version(2, failing));
  await host.tells({ phase: "failed", servingVersion: 1 });
  await host.dieInARow(5);
  const { phase, errorCode } = await host.tells({ servingVersion: null });
  assert.deepEqual([phase, errorCode], ["failed", "install_failed"]);
});

const failures: [string, Parameters<typeof version>[1], RegExp][] = [
  ["exits at once", { command: "sim exit 7" }, /Código de saída: 7/],
  ["has an unknown command", { command: "sim exit 127" }, /não foi encontrado/],
  ["has no start file", { entry: "none.js" }, /none\.js não está no \.zip/],
  ["cannot be started", { command: "sim fail-start x" }, /não pôde ser iniciado/],
  ["crashes before it listens", { ...site, command: "sim deaf; exit 1 after 300" }, /Código de saída: 1/],
  [
    "is a folder that does not exist",
    {
      language: "static",
      version: "",
      command: "",
      installCommand: null,
      entry: null,
      root: "dist",
      type: "site",
      port: null,
    },
    /A pasta dist/,
  ],
];
for (const [name, settings, reason] of failures) {
  test(`an update that ${name} is taken back`, async (t) => {
    const host = await hostWithVersionOne(t, version(1, { memoryMb: 300 }));
    host.want(version(2, settings));
    const told = await host.tells({ phase: "failed", versionNumber: 2 });
    assert.deepEqual([told.errorCode, told.servingVersion], ["start_failed", 1]);
    assert.match(texts(told)[0] ?? "", reason);
    assert.equal(texts(told).at(-1), "A versão 1 voltou ao ar.");
    await until(() => host.running().length === 1 && host.worker.record.observed.phase === "running");
    assert.match(host.running()[0] ?? "", /of version 1$/);
    const [run] = [...host.machine.runs.values()].filter(({ instance }) => instance.exit === null);
    assert.equal(run?.limits.memoryMb, 300, "with its own settings");
    assert.equal(host.worker.record.mergedVersion, 1, "its files win again");
    assert.ok((await host.says()).includes("A versão 1 voltou ao ar."));
  });
}

test("a start that a person asks for tries the version again, by the same rule", async (t) => {
  const host = await hostWithVersionOne(t);
  const two = version(2, { command: "sim exit 7" });
  host.want(two);
  await host.tells({ phase: "failed", servingVersion: 1 });
  const starts = () => host.machine.startCounts.get(two.projectId) ?? 0;
  await until(() => starts() === 3);
  host.want({ ...two, restartCount: 3 });
  await host.tells({ phase: "failed", servingVersion: 1, restartCount: 3 });
  await until(() => starts() === 5 && host.running().length === 1);
  assert.equal(host.fetches, 2, "nothing is fetched or installed again");
  host.want({ ...two, restartCount: 4, settings: { ...two.settings, command: "sim run" } });
  await host.tells({ phase: "running", versionNumber: 2, servingVersion: 2, errorCode: null });
});

test("what the program wrote is there again after each try of a version that is taken back", async (t) => {
  const host = await hostWithVersionOne(t);
  const own = join(host.dataDirectory, "projects", one.projectId, "disk/app");
  await mkdir(own, { recursive: true });
  await writeFile(join(own, "index.js"), "the program's");
  const two = version(2, { command: "sim exit 7" });
  for (const restartCount of [2, 3]) {
    host.want({ ...two, restartCount });
    await host.tells({ phase: "failed", servingVersion: 1, restartCount });
    await until(() => host.running().length === 1 && host.worker.record.mergedVersion === 1);
    assert.equal(await readFile(join(own, "index.js"), "utf8"), "the program's");
  }
  host.want({ ...two, restartCount: 4, settings: { ...two.settings, command: "sim run" } });
  await host.tells({ phase: "running", versionNumber: 2, servingVersion: 2, errorCode: null });
  assert.deepEqual(await readdir(own), []);
  assert.equal(
    await readFile(join(host.dataDirectory, "projects", one.projectId, "replaced/2/index.js"), "utf8"),
    "the program's",
  );
});

test("a file that is as the code of a rollback brought it is none of the program's", async (t) => {
  const host = await ProjectHost.create(t);
  await host.startAgent(one, {
    fetchArchive: ({ sha256 }, target) =>
      writeFile(target, rawZip([{ name: "index.js", content: sha256.slice(0, 1) }])),
  });
  for (const each of [one, version(2), version(3, {}, { archive: one.archive })]) await host.bringUp(each);
  const project = join(host.dataDirectory, "projects", one.projectId);
  await mkdir(join(project, "disk/app"), { recursive: true });
  await writeFile(join(project, "disk/app/index.js"), "1");
  await host.bringUp(version(4));
  assert.deepEqual(await readdir(join(project, "disk/app")), []);
  await assert.rejects(readdir(join(project, "replaced")), { code: "ENOENT" });
});

test("a site that does not listen within a minute is taken back; one that listens has come up", async (t) => {
  const host = await hostWithVersionOne(t, version(1, site));
  host.want(version(2, { ...site, port: 9090, command: "sim deaf; run" }));
  await host.tells({ phase: "running", versionNumber: 2, hasComeUp: false });
  host.advance(59_000);
  await until(() => host.running().includes("run 2 of version 2"));
  assert.equal(host.told.phase, "running");
  host.advance(2_000);
  const told = await host.tells({ phase: "failed", servingVersion: 1 });
  assert.match(texts(told)[0] ?? "", /Nada ouve a porta 9090/);
  await until(() => host.running().includes("run 3 of version 1"));
  await until(() => host.worker.record.observed.phase === "running");
  assert.equal(host.worker.record.startedWith?.port, 8080);
  host.want(version(3, site));
  await host.tells({ phase: "running", versionNumber: 3, hasComeUp: true });
});

test("a site that listens and is not healthy within a minute is taken back; one that is has come up", async (t) => {
  const health = { path: "/health", host: "shop.example.com" };
  const host = await hostWithVersionOne(t, version(1, site, { health }));
  const { projectId } = one;
  host.machine.healthStatus.set(projectId, 503);
  host.want(version(2, site, { health }));
  await until(() => host.running().includes("run 2 of version 2"));
  assert.deepEqual([host.told.hasComeUp, host.told.site], [false, null], "no gateway is sent to it");
  host.advance(60_000);
  const told = await host.tells({ phase: "failed", versionNumber: 2, servingVersion: 1 });
  assert.match(texts(told).join(), /respondeu com 503 em \/health/);
  await until(() => host.running().includes("run 3 of version 1"));
  host.machine.healthStatus.delete(projectId);
  host.want(version(3, site, { health }));
  await host.tells({ versionNumber: 3, hasComeUp: true });
  assert.equal(host.told.site?.runNumber, 4);
});

test("visitors of a run that gives way are waited for, but not by a stop for good, nor by an agent that ends", async (t) => {
  const wanted = version(1, site, { drainSeconds: 300 });
  const drains: Omit<SiteDrain, "projectId">[] = [];
  const host = await ProjectHost.create(t);
  const drainSite: WorkerContext["drainSite"] = ({ projectId: _only, ...drain }, signal) => {
    drains.push(drain);
    return new Promise((resolve) => signal.addEventListener("abort", () => resolve()));
  };
  await host.startAgent(wanted, { drainSite });
  await host.bringUp(wanted);

  const restarted = { ...wanted, restartCount: 2 };
  host.want(restarted);
  await until(() => drains.length === 1);
  await host.stopAgent();
  assert.deepEqual(host.running(), ["run 1 of version 1"], "the agent ends, and stops nothing");

  await host.startAgent(restarted, { drainSite });
  await until(() => drains.length === 2);
  assert.deepEqual(host.running(), ["run 1 of version 1"]);
  host.want({ ...restarted, run: "off" });
  await host.tells({ phase: "ready" });
  assert.deepEqual(host.running(), []);
  const drain = { runNumber: 1, seconds: 300, hasStreams: false };
  assert.deepEqual(drains, [drain, drain]);
});

test("a version that had come up goes by the restart policy when it crashes", async (t) => {
  const host = await hostWithVersionOne(t);
  await host.bringUp(version(2));
  host.kill();
  const { servingVersion } = await host.tells({ consecutiveCrashes: 1, phase: "running" });
  assert.equal(servingVersion, 2);
});

test("what its owner wants to keep is not taken back", async (t) => {
  const host = await hostWithVersionOne(t);
  host.want(version(2, { command: "sim exit 7", onFailure: "keep" }, { hasAutoRestart: false }));
  const told = await host.tells({ phase: "failed", versionNumber: 2 });
  assert.deepEqual([told.errorCode, told.servingVersion], ["process_exited", null]);
});

test("its owner may also say so while it is on trial, and take it back", async (t) => {
  const host = await hostWithVersionOne(t, version(1, site));
  const two = version(2, { ...site, command: "sim deaf; run" });
  host.want(two);
  await host.tells({ phase: "running", versionNumber: 2, hasComeUp: false });
  host.want({ ...two, settings: { ...two.settings, onFailure: "keep" } });
  host.kill();
  await host.tells({ phase: "running", versionNumber: 2, consecutiveCrashes: 1 });
  assert.deepEqual(host.running(), ["run 3 of version 2"]);
  host.want(two);
  host.kill();
  await host.tells({ phase: "failed", errorCode: "start_failed", servingVersion: 1 });
});

test("a rollback takes the kept install over: nothing is fetched, nothing installed", async (t) => {
  const host = await hostWithVersionOne(t);
  await host.bringUp(version(2));
  const fetches = host.fetches;
  await host.bringUp(version(3, {}, { archive: one.archive }));
  assert.equal(host.fetches, fetches);
  assert.ok((await host.says()).some((line) => line.startsWith("Os arquivos da versão 1 ainda estão aqui")));
  assert.equal(host.worker.record.mergedVersion, 3, "its files win over those of version 2");
  const versions = join(host.dataDirectory, "projects", one.projectId, "versions");
  assert.deepEqual((await readdir(versions)).sort(), ["1", "2"]);
  await host.bringUp(version(4, {}, { archive: version(2).archive }));
  assert.equal(host.fetches, fetches);
});

test("two earlier versions are kept, and no more", async (t) => {
  const host = await hostWithVersionOne(t);
  for (const each of [2, 3, 4, 5]) await host.bringUp(version(each));
  const versions = join(host.dataDirectory, "projects", one.projectId, "versions");
  await until(async () => (await readdir(versions)).length === 3);
  assert.deepEqual((await readdir(versions)).sort(), ["3", "4", "5"]);
});

test("a second upload takes the place of the one that installs; a stop, and a deletion, end the update", async (t) => {
  const host = await hostWithVersionOne(t);
  host.want(version(2, { installCommand: "sim gate" }));
  await host.tells({ phase: "installing", versionNumber: 2, servingVersion: 1 });
  host.want(version(3, { installCommand: "sim gate" }));
  await host.tells({ phase: "installing", versionNumber: 3, servingVersion: 1 });
  assert.deepEqual(host.running(), ["run 1 of version 1"]);
  host.want(version(4, {}, { run: "off" }));
  await host.tells({ phase: "ready", versionNumber: 4, servingVersion: null });
  assert.deepEqual(host.running(), []);
  host.want(version(5, { installCommand: "sim gate" }));
  await host.tells({ phase: "installing", versionNumber: 5 });
  const { worker } = host;
  worker.assign(undefined, { reason: "deleted", atMs: 0 });
  await until(async () => !(await readdir(join(host.dataDirectory, "projects"))).includes(one.projectId));
  assert.deepEqual(host.running(), []);
});

test("what crashes while new code installs is back before the install is made again", async (t) => {
  const host = await hostWithVersionOne(t);
  host.want(version(2, { installCommand: "sim gate" }));
  await host.tells({ phase: "installing" });
  host.kill();
  await until(() => host.running().includes("run 2 of version 1"));
  await host.tells({ phase: "installing", servingVersion: 1, consecutiveCrashes: 1 });
  host.machine.openGate(one.projectId);
  await host.tells({ phase: "running", versionNumber: 2 });
});

test("what crashes more often than its update takes to install does not keep it from being installed", async (t) => {
  const host = await hostWithVersionOne(t);
  host.want(version(2, { installCommand: "sim gate" }));
  for (const tries of [1, 2, 3]) {
    await until(async () => (await host.says()).filter((line) => line === "$ sim gate").length === tries);
    host.advance(61_000); // its crashes are forgiven
    host.kill();
  }
  host.machine.openGate(one.projectId);
  await host.tells({ phase: "running", versionNumber: 2 });
  assert.deepEqual(host.running(), ["run 4 of version 2"]);
});

test("a disk that is full ends no run: neither while code comes, nor at its start", async (t) => {
  const host = await hostWithVersionOne(t);
  await host.stopAgent();
  let isFull = true;
  const full = () => {
    if (isFull)
      throw new DiskFullError("project", { code: "project_disk_full", usedMb: 9, limitMb: 9, full: "bytes" });
  };
  const two = version(2);
  await host.startAgent(two, {
    async fetchArchive(_archive, target) {
      full();
      await writeFile(target, rawZip([{ name: "index.js", content: "1" }]));
    },
    images: {
      async ensure() {
        if (host.worker.record.observed.versionNumber === 3) full();
        return { layers: [], environment: {} };
      },
    },
  });
  const told = await host.tells({ phase: "failed", versionNumber: 2 });
  assert.deepEqual([told.errorCode, told.servingVersion], ["install_failed", 1]);
  assert.deepEqual(host.running(), ["run 1 of version 1"]);
  isFull = false;
  host.want(version(3, { installCommand: "sim gate" }));
  await host.tells({ phase: "installing", versionNumber: 3 });
  isFull = true;
  host.machine.openGate(one.projectId);
  const back = await host.tells({ phase: "failed", versionNumber: 3 });
  assert.deepEqual([back.errorCode, back.servingVersion], ["start_failed", 1]);
  await until(() => host.running().length === 1);
  assert.match(host.running()[0] ?? "", /of version 1$/);
});

test("versions that are kept for a rollback make room for one that does not fit", async (t) => {
  const host = await hostWithVersionOne(t);
  await host.bringUp(version(2));
  await host.bringUp(version(3));
  await host.stopAgent();
  const versions = join(host.dataDirectory, "projects", one.projectId, "versions");
  const found: string[][] = [];
  await host.startAgent(version(4), {
    async fetchArchive(_archive, target) {
      found.push((await readdir(versions)).sort());
      const message = { code: "project_disk_full", usedMb: 9, limitMb: 9, full: "bytes" } as const;
      if (found.length === 1) throw new DiskFullError("project", message);
      await writeFile(target, rawZip([{ name: "index.js", content: "1" }]));
    },
  });
  await host.tells({ phase: "running", versionNumber: 4, servingVersion: 4 });
  assert.deepEqual(found, [
    ["1", "2", "3", "4"],
    ["3", "4"],
  ]);
});
