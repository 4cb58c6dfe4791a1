import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test, type TestContext } from "node:test";
import { sampleAssignment, sampleSettings } from "../../../../test/support/samples.ts";
import { versionDirectory } from "../../versions/version-files.ts";
import { openTestContext } from "../test-context.ts";
import { ProjectWorker } from "../worker.ts";
import { prepareSite } from "./prepare-site.ts";

const page = `<p>${"text ".repeat(500)}`;
const signal = new AbortController().signal;

test("what a build made is the site, and the layers of this version go", async (t) => {
  const site = await siteOf(t, "dist", { code: { "index.html": "source" } });
  await site.write("dependencies", { "node_modules/a.js": "a" });
  await site.write("build", { "dist/index.html": page, "dist/a.png": "a" });
  const kept = await site.write("../../kept", { "dist/kept.txt": "of the account" });
  assert.equal(await site.prepare(["build", "dependencies"], [kept]), undefined);
  assert.deepEqual(await site.files(), [
    "code/index.html",
    "compressed/br/index.html",
    "compressed/gzip/index.html",
    "site/a.png",
    "site/index.html",
    "site/kept.txt",
  ]);
});

test("without a named folder, the first that the build made a page in is the site", async (t) => {
  const rows: [made: Record<string, string>, code: Record<string, string>, site: string[] | string][] = [
    [{ "build/index.html": "b", "public/index.html": "p" }, {}, ["index.html"]],
    [{ "out/index.html": "o", "out/a/b": "b" }, { "out/old": "" }, ["a/b", "index.html", "old"]],
    [{ "public/index.html": "p" }, { "public/index.html": "template" }, ["index.html"]],
    [{ "style.css": "s" }, { "index.html": "i", "svc.json": "{}" }, ["index.html", "style.css"]],
    [{ "style.css": "s" }, { "public/index.html": "template" }, "built_site_missing"],
    [{ "dist/assets/a.js": "a" }, {}, "built_site_missing"],
  ];
  for (const [made, code, expected] of rows) {
    const site = await siteOf(t, "", { code });
    await site.write("build", made);
    const problem = await site.prepare(["build"]);
    const files = (await site.files())
      .filter((file) => file.startsWith("site/"))
      .map((file) => file.slice(5));
    assert.deepEqual(problem?.code ?? files, expected, JSON.stringify(made));
  }
});

test("a folder that the build left empty, made of links or did not make is told", async (t) => {
  const site = await siteOf(t, "dist", { code: {} });
  const build = await site.write("build", { "other/a": "a" });
  assert.deepEqual(await site.prepare(["build"]), { code: "built_folder_missing", folder: "dist" });
  await symlink("other", join(build, "dist"));
  assert.equal((await site.prepare(["build"]))?.code, "built_folder_missing");
  assert.ok(!(await site.files()).some((file) => file.startsWith("site/")));
});

test("an upload without a build is served where it lies, compressed beside it", async (t) => {
  const site = await siteOf(t, "public", { code: { "public/index.html": page, "secret.txt": page } });
  assert.equal(await site.prepare([]), undefined);
  assert.deepEqual(await site.files(), [
    "code/public/index.html",
    "code/secret.txt",
    "compressed/br/index.html",
    "compressed/gzip/index.html",
  ]);
});

async function siteOf(t: TestContext, root: string, { code }: { code: Record<string, string> }) {
  const dataDirectory = await mkdtemp(join(tmpdir(), "prepare-site-"));
  const settings = sampleSettings({ language: "static", type: "site", version: "", command: "", root });
  const assignment = sampleAssignment({ settings });
  const context = openTestContext(dataDirectory, assignment);
  t.after(async () => {
    await context[Symbol.asyncDispose]();
    await rm(dataDirectory, { recursive: true });
  });
  const worker = new ProjectWorker(context, assignment.projectId, () => {});
  const version = versionDirectory(dataDirectory, assignment.projectId, assignment.versionNumber);
  const write = async (name: string, files: Record<string, string>): Promise<string> => {
    await mkdir(join(version, name), { recursive: true });
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(version, name, path)), { recursive: true });
      await writeFile(join(version, name, path), text);
    }
    return join(version, name);
  };
  await write("code", code);
  return {
    write,
    prepare(layers: readonly string[], others: readonly string[] = []) {
      const directories = [...layers.map((name) => join(version, name)), ...others];
      return prepareSite(
        worker,
        assignment,
        directories.map((directory) => ({ directory, uidBase: 0 })),
        signal,
      );
    },
    async files(): Promise<string[]> {
      const entries = await readdir(version, { recursive: true, withFileTypes: true });
      return entries
        .filter((entry) => entry.isFile() && !entry.parentPath.includes("-unfinished"))
        .map((entry) => join(entry.parentPath, entry.name).slice(version.length + 1))
        .sort();
    },
  };
}
