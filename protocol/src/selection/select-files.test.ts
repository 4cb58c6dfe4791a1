import assert from "node:assert/strict";
import { test } from "node:test";
import { listedFolder, selectFiles } from "./select-files.ts";

/** Makes the folder of a browser's list of files. */
function folderOf(files: Record<string, string>) {
  return listedFolder(Object.entries(files).map(([name, text]) => ({ name, text: async () => text })));
}

test("a list of files is selected by its ignore files, and what is left out says why", async () => {
  const folder = folderOf({
    ".gitignore": "*.log\n/dist\n",
    ".svcignore": "!keep.log\n",
    "index.js": "",
    "a.log": "",
    "keep.log": "",
    "dist/app.js": "",
    "node_modules/x/index.js": "",
    "sub/.gitignore": "local.txt\n",
    "sub/local.txt": "",
    "sub/index.js": "",
    "env/pyvenv.cfg": "",
    "env/lib/x.py": "",
  });
  const { files, ignored, leftOut, restored } = await selectFiles(folder);
  assert.deepEqual(
    files.map(({ name }) => name),
    [".gitignore", ".svcignore", "index.js", "keep.log", "sub/.gitignore", "sub/index.js"],
  );
  assert.deepEqual(
    ignored.map(({ name, isFolder, reason, rule }) => [name, isFolder, reason, rule]),
    [
      ["a.log", false, "rule", "*.log"],
      ["dist", true, "rule", "/dist"],
      ["node_modules", true, "service", null],
      ["sub/local.txt", false, "rule", "local.txt"],
      ["env", true, "service", null],
    ],
  );
  assert.deepEqual([leftOut, restored], [[], []]);
});

test("what the upload cannot run without is sent, and is not told as left out", async () => {
  const folder = folderOf({ ".gitignore": "dist/\n*.log\n", "dist/index.html": "", "dist/x.log": "" });
  const { files, ignored, restored } = await selectFiles(folder, ["dist", "gone.js"]);
  assert.deepEqual(
    files.map(({ name }) => name),
    [".gitignore", "dist/index.html"],
  );
  assert.deepEqual(
    ignored.map(({ name }) => name),
    ["dist/x.log"],
  );
  assert.deepEqual(restored, [{ name: "dist", rule: "dist/" }]);
});
