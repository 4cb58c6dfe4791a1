/** Tests the test browser itself at a stand-in panel: policy, languages, sessions, and that it tells of faults. */

import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { TestCluster } from "../support/cluster/test-cluster.ts";
import { PanelSession } from "../support/people/panel.ts";
import { until } from "../support/until.ts";
import { writeStandInPanel } from "./support/stand-in-panel.ts";
import { Visitor } from "./support/visitor.ts";

let cluster: TestCluster;
let directory: string;
before(async () => {
  directory = await mkdtemp(join(tmpdir(), "tijolo-panel-"));
  const panel = join(directory, "panel");
  await writeStandInPanel(panel);
  cluster = await TestCluster.create({ hosts: 0, centralSettings: { TIJOLO_PANEL_DIRECTORY: panel } });
});
after(async () => {
  await cluster[Symbol.asyncDispose]();
  await rm(directory, { recursive: true });
});

test("a page runs with its worker under the policy, in the visitor's language, as who is signed in", async () => {
  const session = await PanelSession.signUp(cluster);
  await using stranger = await Visitor.open(cluster, "/projects", { language: "en", theme: "dark" });
  await stranger.page.getByText("worker /projects en-US 401").waitFor();
  await using ana = await Visitor.open(cluster, "/", { session, phone: true });
  await ana.page.getByText("worker / pt-BR 200").waitFor();
  assert.equal(await ana.page.evaluate("getComputedStyle(document.body).color"), "rgb(168, 64, 42)");
});

test("what the policy refuses, and what scripts throw, is told", async () => {
  const visitor = await Visitor.open(cluster, "/");
  await visitor.page.getByText("worker").waitFor();
  await visitor.page.evaluate(
    'document.body.append(Object.assign(document.createElement("img"), { src: "http://127.0.0.2/x.png" })); setTimeout(() => { throw new Error("broken") });',
  );
  await until(() => visitor.complaints.length >= 2);
  await assert.rejects(async () => visitor[Symbol.asyncDispose](), /img-src[^]*broken|broken[^]*img-src/);
});
