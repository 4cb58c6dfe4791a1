import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test, type TestContext } from "node:test";
import { panelBuild } from "../../../central/panel/build.ts";
import { until } from "../../../test/support/until.ts";
import { PanelBuildError, PanelPreparation } from "./panel-preparation.ts";

const environment = { PATH: process.env["PATH"] ?? "" };
const builder = join(import.meta.dirname, "../../../central/panel/build.ts");

/** Makes sources of a panel whose program notes its start in `root/starts` and then does what `program` says. */
function makeSources(t: TestContext, program: string): string {
  const root = mkdtempSync(join(tmpdir(), "tijolo-panel-sources-"));
  t.after(() => rmSync(root, { recursive: true }));
  const note = `import { appendFileSync, mkdirSync } from "node:fs"; appendFileSync(${JSON.stringify(join(root, "starts"))}, "x");`;
  const files = {
    "index.html": "",
    "vite.config.ts": "",
    "node_modules/vite/package.json": "",
    "build.ts": `${note}\n${program}`,
  };
  for (const [name, text] of Object.entries(files)) {
    const path = join(root, "central/panel", name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  return root;
}

const startsOf = (root: string) =>
  existsSync(join(root, "starts")) ? readFileSync(join(root, "starts"), "utf8").length : 0;

test("a panel that is not built is built, and a second start builds nothing", async (t) => {
  const root = makeSources(
    t,
    `const { panelBuild } = await import(${JSON.stringify(builder)});
     mkdirSync(panelBuild(import.meta.dirname.replace("/central/panel", "")).directory, { recursive: true });`,
  );
  for (const starts of [1, 1]) {
    await using panel = await PanelPreparation.find(root, environment);
    await panel.run();
    assert.equal(startsOf(root), starts);
    const directory = panelBuild(root)?.directory ?? "";
    assert.ok(existsSync(directory));
    assert.deepEqual(panel.settings, { TIJOLO_PANEL_DIRECTORY: directory });
  }
});

test("nothing is built where an operator names a build, or where there are no sources", async (t) => {
  const root = makeSources(t, "");
  const named = { ...environment, TIJOLO_PANEL_DIRECTORY: "/srv/panel" };
  for (const panel of [
    await PanelPreparation.find(root, named),
    await PanelPreparation.find(tmpdir(), environment),
  ]) {
    await panel.run();
    assert.deepEqual(panel.settings, {});
  }
  assert.equal(startsOf(root), 0);
});

test("a build that fails says why, and one that takes long ends with npm start", async (t) => {
  const failing = await PanelPreparation.find(
    makeSources(t, 'console.error("no such module"); process.exit(1);'),
    environment,
  );
  await assert.rejects(
    failing.run(),
    (error) => error instanceof PanelBuildError && error.lines.includes("no such module"),
  );
  const root = makeSources(t, "setInterval(() => {}, 1000);");
  const lasting = await PanelPreparation.find(root, environment);
  const run = lasting.run();
  await until(() => startsOf(root) === 1);
  await lasting[Symbol.asyncDispose]();
  await run;
});
