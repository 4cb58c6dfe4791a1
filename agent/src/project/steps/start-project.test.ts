import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test, type TestContext } from "node:test";
import type { Assignment } from "@tijolo/protocol";
import { sampleAssignment } from "../../../../test/support/samples.ts";
import { versionDirectory } from "../../versions/version-files.ts";
import { installVersion } from "./install-version.ts";
import { ProjectWorker } from "../worker.ts";
import { startProject } from "./start-project.ts";
import { openTestContext } from "../test-context.ts";
import { ownerText } from "../../../../test/support/projects/owner-text.ts";

const plain = sampleAssignment().settings;
const project = sampleAssignment({ settings: { ...plain, installCommand: "" } });
const code = versionDirectory("", project.projectId, project.versionNumber).concat("/code");
const own = join("projects", project.projectId, "disk", "app");

test("a start file is looked for in the project alone, whatever its name or a link says", async (t) => {
  const dataDirectory = await directoryOf(t);
  await writeFile(join(dataDirectory, "of-the-host"), "");
  await mkdir(join(dataDirectory, own), { recursive: true });
  await symlink(dataDirectory, join(dataDirectory, own, "link"));
  const out = "../".repeat(code.split("/").length);
  for (const way of [out, `none/../${out}`, "\u2028/../".concat(out), "link/"]) {
    const [known, unknown] = [
      await start(dataDirectory, `${way}of-the-host`),
      await start(dataDirectory, `${way}of-nobody`),
    ];
    assert.deepEqual(known, unknown, way);
  }
});

test("a start file that is nowhere in the project is said before anything is started", async (t) => {
  const dataDirectory = await directoryOf(t);
  assert.deepEqual(await start(dataDirectory, "index.js"), ["running", ""]);
  assert.deepEqual(await start(dataDirectory, "other.js"), [
    "failed",
    "O arquivo de início other.js não está no .zip. Confira entry e command.",
  ]);
});

test("a folder that is served lies in the project, or the site does not start", async (t) => {
  const dataDirectory = await directoryOf(t);
  const serve = (root: string) =>
    start(dataDirectory, null, {
      ...plain,
      type: "site",
      language: "static",
      version: "",
      command: "",
      root,
    });
  assert.deepEqual(await serve(""), ["running", ""]);
  for (const root of ["..", `\u2028/${"../".repeat(code.split("/").length + 1)}`]) {
    assert.deepEqual(await serve(root), [
      "failed",
      `A pasta ${root.replace("\u2028", " ")} (root) não está no .zip. Se um build a cria, ponha um script build no package.json, ou o comando em installCommand.`,
    ]);
  }
});

/** Returns the phase after a start of the installed version, and what its owner is told. */
async function start(
  dataDirectory: string,
  entry: string | null,
  settings: Assignment["settings"] = plain,
): Promise<[string, string]> {
  const assignment = {
    ...project,
    settings: { ...settings, installCommand: settings.language === "static" ? null : "", entry },
  };
  const run = await mkdtemp(join(dataDirectory, "ledger-"));
  await using context = openTestContext(run, assignment, { dataDirectory });
  const worker = new ProjectWorker(context, assignment.projectId, () => {});
  worker.assignment = assignment;
  await installVersion(worker, AbortSignal.timeout(60_000));
  await startProject(worker, true, AbortSignal.timeout(60_000));
  return [worker.record.observed.phase, worker.record.observed.errorDetails.map(ownerText).join(" ")];
}

async function directoryOf(t: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "tijolo-start-"));
  t.after(() => rm(directory, { recursive: true, force: true }));
  await mkdir(dirname(join(directory, own)), { recursive: true });
  return directory;
}
