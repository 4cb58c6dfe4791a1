/**
 * Tests that what an agent takes for done of a deploy is on the disk after a power cut: the upload's files,
 * and that new code has won over old.
 */

import assert from "node:assert/strict";
import { mkdir, open, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { ImageDisks } from "../../../agent/src/disk/image-disks.ts";
import { PlainDisks } from "../../../agent/src/disk/plain-disks.ts";
import type { ProjectDisks } from "../../../agent/src/disk/project-disks.ts";
import { sampleAssignment } from "../../support/samples.ts";
import type { WorkerContext } from "../../../agent/src/project/worker-context.ts";
import { Reconciler } from "../../../agent/src/reconcile/reconciler.ts";
import { openTestContext } from "../../../agent/src/project/test-context.ts";
import { SimulatedMachine, SimulatedRuntime } from "../../../agent/src/runtime/simulated.ts";
import { rawZip } from "../../support/archives/raw-zip.ts";
import { until } from "../../support/until.ts";
import { PowerCutDisk } from "../support/disks/power-cut-disk.ts";

const sizeMb = 600;
const projectId = "prj_cut";
const logger = { info() {}, warn() {}, error() {} };

/** A directory of the host's own file system is what a disk with a quota is, too. */
const kinds: Record<string, (dataDirectory: string) => Promise<ProjectDisks>> = {
  "an image": (dataDirectory) => ImageDisks.create({ dataDirectory, logger }),
  "a directory": async (dataDirectory) => new PlainDisks(dataDirectory),
};

/** Every archive's one file says which it was made of. */
const fetchArchive: WorkerContext["fetchArchive"] = ({ sha256 }, target) =>
  writeFile(target, rawZip([{ name: "index.js", content: `code ${sha256[0]}` }]));

const version = (versionNumber: number) =>
  sampleAssignment({
    projectId,
    versionNumber,
    restartCount: versionNumber,
    diskMb: 64,
    archive: { sha256: String(versionNumber).repeat(64), sizeBytes: 100 },
  });

/** Runs an agent that wants this version, until `isReached`. */
async function serve(
  dataDirectory: string,
  disks: ProjectDisks,
  { versionNumber, changes = {} }: { versionNumber: number; changes?: Partial<WorkerContext> },
  isReached: (reconciler: Reconciler, fetches: number) => boolean,
): Promise<{ fetches: number } & AsyncDisposable> {
  let fetches = 0;
  const counted: WorkerContext["fetchArchive"] = (...words) => {
    fetches++;
    return fetchArchive(...words);
  };
  const machine = new SimulatedMachine();
  const runtime = new SimulatedRuntime({ dataDirectory, machine, clock: { now: () => new Date() } });
  const context = openTestContext(dataDirectory, version(versionNumber), {
    fetchArchive: counted,
    disks,
    runtime,
    ...changes,
  });
  const reconciler = await Reconciler.create(context);
  await until(() => isReached(reconciler, fetches));
  return {
    fetches,
    async [Symbol.asyncDispose]() {
      machine.reboot();
      await reconciler[Symbol.asyncDispose]();
      await context[Symbol.asyncDispose]();
    },
  };
}

const runs = (versionNumber: number) => (reconciler: Reconciler) => {
  const record = reconciler.find(projectId)?.record;
  return record?.observed.phase === "running" && record.mergedVersion === versionNumber;
};

/** Commits names before contents, as the file system does by itself within seconds. */
async function commitNames(path: string): Promise<void> {
  await using directory = await open(path);
  await directory.chmod(0o700);
  await directory.sync();
}

for (const [kind, openDisks] of Object.entries(kinds)) {
  test(`on ${kind}, code that was extracted before a power cut is whole`, async () => {
    await using disk = await PowerCutDisk.create(sizeMb);
    const dataDirectory = join(disk.path, "data");
    await mkdir(dataDirectory);
    // The dependencies take their time.
    const images: WorkerContext["images"] = {
      ensure: (_need, { signal } = {}) =>
        new Promise((_resolve, reject) => signal?.addEventListener("abort", () => reject(signal.reason))),
    };
    const disks = await openDisks(dataDirectory);
    const begun = await serve(
      dataDirectory,
      disks,
      { versionNumber: 1, changes: { images } },
      (reconciler) => {
        return reconciler.find(projectId)?.record.next?.phase === "installing";
      },
    );
    assert.equal(begun.fetches, 1);
    await commitNames(join(dataDirectory, "projects", projectId, "versions/1"));
    disk.cut();
    await begun[Symbol.asyncDispose]();
    await disk.startAgain();

    const disksAgain = await openDisks(dataDirectory);
    await disksAgain.recover();
    await using _next = await serve(dataDirectory, disksAgain, { versionNumber: 1 }, runs(1));
    assert.equal(
      await readFile(join(dataDirectory, "projects", projectId, "versions/1/code/index.js"), "utf8"),
      "code 1",
    );
  });

  test(`on ${kind}, new code that had won over a project's file before a power cut has won after it`, async () => {
    await using disk = await PowerCutDisk.create(sizeMb);
    const dataDirectory = join(disk.path, "data");
    await mkdir(dataDirectory);
    const disks = await openDisks(dataDirectory);
    const first = await serve(dataDirectory, disks, { versionNumber: 1 }, runs(1));
    const own = join(dataDirectory, "projects", projectId, "disk/app");
    await mkdir(join(own, "deep"), { recursive: true });
    await writeFile(join(own, "index.js"), "the program's own, of version 1");
    await disks.flush(projectId);
    await first[Symbol.asyncDispose]();

    const second = await serve(dataDirectory, disks, { versionNumber: 2 }, runs(2));
    disk.cut();
    await second[Symbol.asyncDispose]();
    await disk.startAgain();

    const disksAgain = await openDisks(dataDirectory);
    await disksAgain.recover();
    await using _next = await serve(dataDirectory, disksAgain, { versionNumber: 2 }, runs(2));
    await assert.rejects(readFile(join(own, "index.js")), { code: "ENOENT" }, "version 2 is what is seen");
  });
}
