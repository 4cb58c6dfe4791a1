import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import type { Assignment } from "@tijolo/protocol";
import { DiskFullError } from "../../disk/project-disks.ts";
import { rawZip } from "../../../../test/support/archives/raw-zip.ts";
import { sampleAssignment } from "../../../../test/support/samples.ts";
import { versionDirectory } from "../../versions/version-files.ts";
import { reportedState } from "../reported-state.ts";
import type { WorkerContext } from "../worker-context.ts";
import { installVersion } from "./install-version.ts";
import { ProjectWorker } from "../worker.ts";
import { openTestContext } from "../test-context.ts";
import { ownerText } from "../../../../test/support/projects/owner-text.ts";

const assignment = sampleAssignment({
  settings: { ...sampleAssignment().settings, installCommand: "sim exit 0" },
});

/** Files that an agent that is killed leaves beside the code, by when it was killed. */
const leftovers = [
  { killed: "while it fetched the archive", names: [".fetch-archive.zip.1a2b"], hasCode: false },
  { killed: "while it extracted", names: ["archive.zip", ".extract-a1B2c3/root/index.js"], hasCode: false },
  { killed: "right after it had extracted", names: ["archive.zip"], hasCode: true },
  { killed: "while it installed", names: ["home/.npmrc", "build-work/work/x"], hasCode: true },
];

for (const { killed, names, hasCode } of leftovers) {
  test(`an install leaves nothing on the disk of what an agent made that was killed ${killed}`, async (t) => {
    const dataDirectory = await mkdtemp(join(tmpdir(), "tijolo-install-"));
    t.after(() => rm(dataDirectory, { recursive: true, force: true }));
    const directory = versionDirectory(dataDirectory, assignment.projectId, assignment.versionNumber);
    for (const name of [...names, ...(hasCode ? ["code/index.js"] : [])]) {
      await mkdir(join(directory, name, ".."), { recursive: true });
      await writeFile(join(directory, name), "left");
    }
    await using context = openTestContext(dataDirectory, assignment);
    const worker = new ProjectWorker(context, assignment.projectId, () => {});
    worker.assignment = assignment;
    await installVersion(worker, AbortSignal.timeout(60_000));
    assert.equal(
      worker.record.installed?.versionNumber,
      assignment.versionNumber,
      JSON.stringify(worker.record),
    );
    assert.deepEqual((await readdir(directory)).sort(), ["build", "code"]);
    assert.deepEqual(await readdir(join(directory, "code")), ["index.js"]);
  });
}

/**
 * Makes a worker that is to install uploads of one project, one after the other, and reads what lies on the
 * project's disk.
 */
async function uploading(
  t: TestContext,
  changes: Partial<Assignment>,
  contextChanges: Partial<WorkerContext> = {},
) {
  const dataDirectory = await mkdtemp(join(tmpdir(), "tijolo-install-"));
  t.after(() => rm(dataDirectory, { recursive: true, force: true }));
  const wanted = { ...assignment, ...changes };
  const context = openTestContext(dataDirectory, wanted, contextChanges);
  t.after(() => context[Symbol.asyncDispose]());
  const worker = new ProjectWorker(context, wanted.projectId, () => {});
  const install = async (versionNumber: number) => {
    worker.assignment = { ...wanted, versionNumber };
    await installVersion(worker, AbortSignal.timeout(60_000));
    assert.equal(reportedState(worker.record).versionNumber, versionNumber);
  };
  const versions = async () =>
    (await readdir(join(versionDirectory(dataDirectory, wanted.projectId, 1), ".."))).sort();
  return { worker, install, versions };
}

test("of uploads whose install fails, no more than the last stays on the project's disk", async (t) => {
  const { worker, install, versions } = await uploading(t, {
    settings: { ...assignment.settings, installCommand: "sim exit 1" },
  });
  for (let version = 1; version <= 12; version++) await install(version);
  assert.equal(reportedState(worker.record).errorCode, "install_failed");
  assert.deepEqual(await versions(), ["12"]);
});

test("of uploads that are never started, the last alone stays on the project's disk", async (t) => {
  const { worker, install, versions } = await uploading(t, { run: "off" });
  for (let version = 1; version <= 3; version++) await install(version);
  assert.deepEqual([worker.record.observed.phase, await versions()], ["ready", ["3"]]);
});

test("what is said of an install that ends before its first step is of its version", async (t) => {
  const fetchArchive = async () => {
    throw new DiskFullError("project", { code: "disk_full" });
  };
  const { worker, install } = await uploading(t, {}, { fetchArchive });
  for (const version of [1, 2]) await install(version);
  const { lines } = await worker.context.logs.readLast(assignment.projectId, { lines: 10 });
  assert.deepEqual(
    lines.map(({ version, text }) => [version, text]),
    [1, 2].map((version) => [version, ownerText({ code: "disk_full" })]),
  );
});

test("there is room for new code before it comes, and what runs keeps its own", async (t) => {
  const beforeFetch: string[][] = [];
  const { worker, install, versions } = await uploading(
    t,
    {},
    {
      async fetchArchive(_archive, target) {
        beforeFetch.push(await versions());
        await writeFile(target, rawZip([{ name: "index.js", content: "1" }]));
      },
    },
  );
  await install(1);
  const { projectId } = assignment;
  worker.instance = { projectId, runNumber: 1, versionNumber: 1, startedAt: new Date(), exit: null };
  await install(2);
  await install(3);
  worker.instance = undefined;
  await install(4);
  assert.deepEqual(beforeFetch, [["1"], ["1", "2"], ["1", "3"], ["4"]]);
  assert.deepEqual(await versions(), ["4"]);
});
