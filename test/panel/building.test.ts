/** Tests how the panel is built: once for each state of its sources, compressed, beside other builds. */

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { panelBuild } from "../../central/panel/build.ts";
import { builtPanel, buildPanel } from "../support/panel/built-panel.ts";

let root: string;
before(async () => {
  root = await mkdtemp(join(tmpdir(), "tijolo-sources-"));
  await write(
    "central/panel/index.html",
    '<!doctype html><script type="module" src="/src/main.ts"></script>',
  );
  await write("central/panel/src/main.ts", `document.title = ${JSON.stringify("tijolo ".repeat(1_000))};`);
  await write("central/panel/vite.config.ts", "export default { build: { modulePreload: false } };");
  await write("central/panel/public/favicon.svg", "<svg/>");
  await write("protocol/src/index.ts", "");
  await write("pnpm-lock.yaml", "");
  const packages = join(import.meta.dirname, "../../central/panel/node_modules");
  await symlink(packages, join(root, "central/panel/node_modules"));
});
after(() => rm(root, { recursive: true }));

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
}

const builds = async () => (await readdir(join(root, ".tools/panel"))).filter((name) => name !== "lock");

test("two builds at once make one, whole and compressed; what does not decide it builds nothing", async () => {
  const [directory, other] = await Promise.all([builtPanel(root), builtPanel(root)]);
  assert.equal(directory, other);
  assert.equal((await builds()).length, 1);
  const [script = ""] = (await readdir(join(directory, "assets"))).filter((name) => name.endsWith(".js"));
  const text = await readFile(join(directory, "assets", script), "utf8");
  assert.match(text, /tijolo tijolo/);
  assert.equal(
    brotliDecompressSync(await readFile(join(directory, "assets", `${script}.br`))).toString(),
    text,
  );
  assert.equal(gunzipSync(await readFile(join(directory, "assets", `${script}.gz`))).toString(), text);
  assert.ok(existsSync(join(directory, "favicon.svg")) && !existsSync(join(directory, "favicon.svg.br")));

  await write("central/panel/src/main.test.ts", "a test");
  await write("examples/bot/.tijolo/project.json", "{}");
  assert.deepEqual([panelBuild(root)?.directory, panelBuild(root)?.isBuilt()], [directory, true]);
});

test("each change of what decides it is another build, and the last two stay", async () => {
  const seen = [await builtPanel(root)];
  for (const path of ["protocol/src/index.ts", "pnpm-lock.yaml"]) {
    await write(path, "// changed");
    assert.equal(panelBuild(root)?.isBuilt(), false, path);
    seen.push(await builtPanel(root));
  }
  assert.equal(new Set(seen).size, 3);
  assert.deepEqual(
    seen.map((directory) => existsSync(directory)),
    [false, true, true],
  );
});

test("sources that do not build leave no build, and the next try begins anew", async () => {
  const right = await readFile(join(root, "central/panel/src/main.ts"), "utf8");
  const before = await builds();
  await write("central/panel/src/main.ts", "const = broken");
  await assert.rejects(buildPanel(root), /main\.ts/);
  assert.equal(panelBuild(root)?.isBuilt(), false);
  await write("central/panel/src/main.ts", right);
  await buildPanel(root, ["--release"]);
  assert.deepEqual(await builds(), before);
  assert.ok(existsSync(join(root, "panel/index.html")));
});

test("without the panel's packages there is nothing to build", async () => {
  await rm(join(root, "central/panel/node_modules"));
  assert.equal(panelBuild(root), null);
});
