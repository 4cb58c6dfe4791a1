/** Opens the list of an account with 500 projects in a browser, and has an action refused there. */

import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { ApiError } from "@tijolo/protocol";
import { TestCluster } from "../support/cluster/test-cluster.ts";
import { PanelSession } from "../support/people/panel.ts";
import { until } from "../support/until.ts";
import { zipOf } from "../support/archives/zip-of.ts";
import { Visitor } from "./support/visitor.ts";

const count = 500;
/** More than the projects take, few enough to be used up by the test. */
const sessionRequestsPerMinute = 2_000;

let directory: string;
let cluster: TestCluster;
before(async () => {
  directory = await mkdtemp(join(tmpdir(), "tijolo-many-"));
  const plans = join(directory, "plans.json");
  await writeFile(
    plans,
    JSON.stringify({
      plans: { Empresas: { projects: count, sites: count, memoryMb: 64 * count } },
      limits: { sessionRequestsPerMinute, uploadEveryMs: 0, uploadsAtOnce: 1_000 },
    }),
  );
  cluster = await TestCluster.create({
    hosts: 3,
    panel: true,
    centralSettings: { TIJOLO_PLANS_FILE: plans },
  });
});
after(async () => {
  await cluster[Symbol.asyncDispose]();
  await rm(directory, { recursive: true });
});

test("of 500 projects only those in sight are in the page; a refusal stands in the row", async () => {
  const session = await PanelSession.signUp(cluster, { plan: "Empresas" });
  const names = Array.from({ length: count }, (_, index) => `bot-${String(index).padStart(3, "0")}`);
  // Static sites: they need the least memory of a host.
  const files = {
    "svc.json": JSON.stringify({ language: "static", type: "site" }),
    "index.html": "<!doctype html><title>Tijolo</title>",
  };
  const file = new File([await zipOf(files)], "site.zip");
  const waiting = [...names];
  const work = async () => {
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop())
      await session.client.createProject({ fields: { name }, file });
  };
  await Promise.all([work(), work(), work(), work()]);
  await using ana = await Visitor.open(cluster, "/", { session });
  const { page } = ana;
  const row = (name: string) =>
    page.getByRole("listitem").filter({ has: page.getByRole("link", { name, exact: true }) });
  const list = page.getByRole("list", { name: "Lista de projetos" });
  await row("bot-000").waitFor();
  assert.ok((await list.getByRole("listitem").count()) <= 120);
  await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
  await row("bot-499").waitFor();
  assert.ok((await list.getByRole("listitem").count()) <= 120);

  await page.getByLabel("Procurar projeto").fill("bot-250");
  await row("bot-250").getByText("Parado", { exact: true }).waitFor({ timeout: 120_000 });
  // All that this person may ask in a minute is asked elsewhere.
  await until(
    async () => {
      try {
        await session.client.getSession();
        return false;
      } catch (cause) {
        return cause instanceof ApiError && cause.status === 429;
      }
    },
    { everyMs: 0, timeoutMs: 120_000 },
  );
  await page.getByRole("button", { name: "Iniciar: bot-250" }).click();
  await row("bot-250").getByRole("alert").waitFor();
  await row("bot-250").getByText("Parado", { exact: true }).waitFor();
});
