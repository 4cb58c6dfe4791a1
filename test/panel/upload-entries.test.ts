/** The archive that the panel makes of a folder has the entries of the one that `tijolo up` sends. */

import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { test } from "node:test";
import { neededPathOf } from "@tijolo/protocol/proposal";
import type { GivenFile } from "../../central/panel/src/parts/upload/worker/messages.ts";
import { FolderUpload } from "../../central/panel/src/parts/upload/worker/prepare-upload.ts";
import { readZipText } from "../../central/panel/src/parts/upload/worker/read-zip.ts";
import { readZip } from "../../central/panel/src/parts/zip/zip-directory.ts";
import { makeArchive } from "../../cli/src/archive/make-archive.ts";
import { selectFiles } from "../../cli/src/archive/select-files.ts";
import { readUploadConfig } from "../../cli/src/deploy/upload-config.ts";

const root = join(import.meta.dirname, "../..");

const folders: Record<string, Record<string, string>> = {
  "a program with what is installed, ignored and of this computer": {
    ".gitignore": "*.log\n/dist\n",
    ".svcignore": "docs/\n!keep.log\n",
    ".git/config": "x",
    ".DS_Store": "x",
    "svc.json": '{"language":"node","entry":"index.js"}',
    "index.js": "console.log('olá')",
    "pasta com espaço/ação.txt": "x".repeat(300_000),
    "empty.txt": "",
    "a.log": "x",
    "keep.log": "x",
    "dist/app.js": "x",
    "docs/a.md": "x",
    "sub/.gitignore": "local.txt\n",
    "sub/local.txt": "x",
    "sub/b.txt": "x",
    "node_modules/x/index.js": "x",
    "env/pyvenv.cfg": "x",
    "env/lib/a.py": "x",
    "image.png": "\u0000\u0001png",
  },
  "pages whose folder is ignored and served": {
    ".gitignore": "dist/\n*.map\n",
    "svc.json": '{"language":"static","root":"./dist/"}',
    "dist/index.html": "<h1>oi</h1>",
    "dist/app.js.map": "x",
    "src/app.ts": "x",
  },
  "a command whose file is ignored": {
    ".gitignore": "build\n",
    "svc.json": '{"language":"node","command":"node build/main.js"}',
    "build/main.js": "1",
    "build/lib/a.js": "2",
  },
  "an svc.json that is ignored itself": {
    ".gitignore": "svc.json\n",
    "svc.json": '{"language":"python","entry":"main.py"}',
    "main.py": "1",
  },
};

for (const [name, files] of Object.entries(folders)) {
  test(`the same entries: ${name}`, async () => {
    await using folder = await makeFolder(files);
    await assertSame(folder.path);
  });
}

test("the same entries: each example", async () => {
  for (const name of await readdir(join(root, "examples"))) await assertSame(join(root, "examples", name));
});

test("a .env that no ignore file names is sent only when asked for", async () => {
  await using folder = await makeFolder({ "main.py": "1", ".env": "TOKEN=x" });
  const upload = new FolderUpload("x", await givenFiles(folder.path));
  const { dotenv, isDotenvIgnored } = await upload.inspect();
  assert.deepEqual([dotenv, isDotenvIgnored], ["TOKEN=x", false]);
  const entriesOf = async (withDotenv: boolean) =>
    Object.keys(
      await entriesIn((await upload.pack({ config: {}, withDotenv, mostBytes: null }, () => {})).blob),
    );
  assert.deepEqual(await entriesOf(false), ["main.py"]);
  assert.deepEqual(await entriesOf(true), [".env", "main.py"]);
});

async function assertSame(directory: string): Promise<void> {
  const upload = new FolderUpload("x", await givenFiles(directory));
  const { svcJson } = await upload.inspect();
  const config = svcJson !== null && "config" in svcJson ? svcJson.config : {};
  const { blob } = await upload.pack({ config, withDotenv: true, mostBytes: null }, () => {});
  const needed = neededPathOf((await readUploadConfig(directory, {})).config);
  const { files } = await selectFiles(directory, ["svc.json", ...(needed === null ? [] : [needed.name])]);
  const sent = new Blob((await Array.fromAsync(makeArchive(files))) as Uint8Array<ArrayBuffer>[]);
  const expected = await entriesIn(sent);
  assert.ok(Object.keys(expected).length > 0);
  assert.deepEqual(await entriesIn(blob), expected);
}

async function entriesIn(archive: Blob): Promise<Record<string, string>> {
  const entries = await readZip(archive);
  return Object.fromEntries(
    await Promise.all(entries.map(async (entry) => [entry.name, await readZipText(archive, entry)])),
  ) as Record<string, string>;
}

/** The files as a browser gives them: all of them, in the order of the disk. */
async function givenFiles(directory: string): Promise<GivenFile[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry) => {
        const path = join(entry.parentPath, entry.name);
        return { name: relative(directory, path), file: new Blob([await readFile(path)]) };
      }),
  );
}

async function makeFolder(files: Record<string, string>): Promise<AsyncDisposable & { path: string }> {
  const path = await mkdtemp(join(tmpdir(), "tijolo-entries-"));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(path, name)), { recursive: true });
    await writeFile(join(path, name), content);
  }
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
