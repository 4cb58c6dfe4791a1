import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { makeArchive } from "./make-archive.ts";
import { selectFiles } from "./select-files.ts";

/** Makes a folder with these files, removed at the end. */
async function makeFolder(files: Record<string, string>): Promise<AsyncDisposable & { path: string }> {
  const path = await mkdtemp(join(tmpdir(), "tijolo-select-"));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(path, name)), { recursive: true });
    await writeFile(join(path, name), content);
  }
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

async function namesIn(path: string): Promise<string[]> {
  return (await selectFiles(path)).files.map((file) => file.name);
}

test("what is made anew on the host, and what is of this machine, stays here", async () => {
  await using folder = await makeFolder({
    "index.js": "",
    "src/a.js": "",
    "node_modules/x/index.js": "",
    "src/node_modules/y.js": "",
    ".git/config": "",
    ".venv/bin/python": "",
    "env/pyvenv.cfg": "",
    "env/lib/x.py": "",
    ".tijolo/project.json": "{}",
    ".env": "A=1",
  });
  assert.deepEqual(await namesIn(folder.path), [".env", "index.js", "src/a.js"]);
});

test(".gitignore and .svcignore count, in every folder, and the nearer and the later decides", async () => {
  await using folder = await makeFolder({
    ".gitignore": "*.log\n/dist\n.env\n",
    ".svcignore": "!/dist\ndocs/\n!keep.log\n",
    ".env": "A=1",
    "a.log": "",
    "keep.log": "",
    "dist/app.js": "",
    "docs/readme.md": "",
    "sub/.gitignore": "local.txt\n!b.log\n",
    "sub/local.txt": "",
    "sub/b.log": "",
    "sub/c.log": "",
    "sub/dist/x.js": "",
    "local.txt": "",
  });
  assert.deepEqual(await namesIn(folder.path), [
    ".gitignore",
    ".svcignore",
    "dist/app.js",
    "keep.log",
    "local.txt",
    "sub/.gitignore",
    "sub/b.log",
    "sub/dist/x.js",
  ]);
});

test("a link to a file inside becomes that file; a link out, to a folder or to nothing is left out and told", async () => {
  await using outside = await makeFolder({ secret: "secret" });
  await using folder = await makeFolder({ "real.txt": "1234", "sub/x.txt": "" });
  await symlink("real.txt", join(folder.path, "inside"));
  await symlink(join(outside.path, "secret"), join(folder.path, "out"));
  await symlink(
    "../".repeat(20) + join(outside.path, "secret").slice(1),
    join(folder.path, "sub/relative-out"),
  );
  await symlink(outside.path, join(folder.path, "folder-out"));
  await symlink("sub", join(folder.path, "folder-in"));
  await symlink(".", join(folder.path, "loop"));
  await symlink("nowhere", join(folder.path, "broken"));
  const { files, leftOut } = await selectFiles(folder.path);
  assert.deepEqual(
    files.map(({ name, sizeBytes }) => [name, sizeBytes]),
    [
      ["inside", 4],
      ["real.txt", 4],
      ["sub/x.txt", 0],
    ],
  );
  assert.deepEqual(leftOut.sort(), ["broken", "folder-in", "folder-out", "loop", "out", "sub/relative-out"]);
});

test("the archive is a zip with the chosen names, and says how far it is", async () => {
  await using folder = await makeFolder({
    "index.js": "console.log('olá')",
    "pasta com espaço/ação.txt": "x".repeat(100_000),
  });
  const { files } = await selectFiles(folder.path);
  let told = 0;
  const bytes = Buffer.concat(await Array.fromAsync(makeArchive(files, (made) => (told = made))));
  assert.equal(told, bytes.length);
  assert.equal(bytes.subarray(0, 4).toString("latin1"), "PK\u0003\u0004");
  for (const { name } of files) assert.ok(bytes.includes(Buffer.from(name)), name);
  assert.ok(bytes.length < 10_000, "it is compressed");
});

test("a file that is gone when it is read fails the archive", async () => {
  await using folder = await makeFolder({ "a.txt": "1" });
  const { files } = await selectFiles(folder.path);
  await rm(join(folder.path, "a.txt"));
  await assert.rejects(Array.fromAsync(makeArchive(files)), { code: "ENOENT" });
});

test("what the upload cannot do without is selected although it is ignored, with the rule that ignores it", async () => {
  const rows: [
    files: Record<string, string>,
    needed: string,
    names: string[],
    restored: [string, string | null][],
  ][] = [
    [
      {
        ".gitignore": "dist/\n*.log\n",
        "dist/index.html": "",
        "dist/a/b.js": "",
        "dist/x.log": "",
        "c.log": "",
      },
      "dist",
      [".gitignore", "dist/a/b.js", "dist/index.html"],
      [["dist", "dist/"]],
    ],
    [
      { ".gitignore": "/build", "build/app.js": "", "build/lib.js": "" },
      "build/app.js",
      [".gitignore", "build/app.js", "build/lib.js"],
      [["build", "/build"]],
    ],
    [
      { ".gitignore": "dist/*", "dist/index.html": "" },
      "dist",
      [".gitignore", "dist/index.html"],
      [["dist", null]],
    ],
    [
      { ".gitignore": "*.min.js", "a.min.js": "", "b.min.js": "" },
      "a.min.js",
      [".gitignore", "a.min.js"],
      [["a.min.js", "*.min.js"]],
    ],
    [
      { ".gitignore": "svc.json", "svc.json": "{}", "a.js": "" },
      "svc.json",
      [".gitignore", "a.js", "svc.json"],
      [["svc.json", "svc.json"]],
    ],
    [
      { "out/.gitignore": "*", "out/index.html": "" },
      "out",
      ["out/.gitignore", "out/index.html"],
      [["out", null]],
    ],
    [{ "a.js": "" }, "a.js", ["a.js"], []],
    [{ "a.js": "" }, "gone.js", ["a.js"], []],
    [{ "a.js": "", "node_modules/x/index.js": "" }, "node_modules/x/index.js", ["a.js"], []],
  ];
  for (const [files, needed, names, restored] of rows) {
    await using folder = await makeFolder(files);
    const selection = await selectFiles(folder.path, [needed]);
    assert.deepEqual(
      selection.files.map(({ name }) => name),
      names,
      needed,
    );
    assert.deepEqual(
      selection.restored.map(({ name, rule }) => [name, rule]),
      restored,
    );
  }
});
