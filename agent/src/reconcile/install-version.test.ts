import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { sampleAssignment } from "../ledger/sample-assignment.ts";
import { versionDirectory } from "../versions/version-files.ts";
import { installVersion } from "./install-version.ts";
import { ProjectWorker } from "./project-worker.ts";
import { openTestContext } from "./test-context.ts";

const assignment = sampleAssignment({ settings: { ...sampleAssignment().settings, installCommand: "sim exit 0" } });

/** What an agent that is killed leaves beside the code, by when it was killed. */
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
    assert.equal(worker.record.installed?.versionNumber, assignment.versionNumber, JSON.stringify(worker.record));
    assert.deepEqual((await readdir(directory)).sort(), ["build", "code"]);
    assert.deepEqual(await readdir(join(directory, "code")), ["index.js"]);
  });
}
