/** Reads a project's log in a browser: live, searched, with gaps, over a restart of central, and in a flood. */

import assert from "node:assert/strict";
import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { SimulatedProject } from "../support/projects/simulated-project.ts";
import { PanelSession } from "../support/people/panel.ts";
import { TestCluster } from "../support/cluster/test-cluster.ts";
import { until } from "../support/until.ts";
import { StandardOutput } from "./support/standard-output.ts";
import { Visitor, type VisitorOptions } from "./support/visitor.ts";

/** As panel.md asks. */
const mostRows = 120;

let cluster: TestCluster;
before(async () => {
  cluster = await TestCluster.create({ panel: true });
});
after(() => cluster[Symbol.asyncDispose]());

const numbered = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => `line ${first + index}`);

/** A person with a running bot that wrote these lines. */
async function withLog(texts: readonly string[], { at, on = cluster }: { at?: Date; on?: TestCluster } = {}) {
  const session = await PanelSession.signUp(on);
  const project = await SimulatedProject.create(session, "sim run");
  await project.is("running");
  const output = new StandardOutput(on.host, project.id);
  await output.write(texts, at);
  const open = (search = "", options: VisitorOptions = {}) =>
    Visitor.open(on, `/projects/${project.id}/logs${search}`, { session, ...options });
  return { session, project, output, open };
}

const log = (page: Page) => page.getByRole("log", { name: "Linhas do log" });
const rowsOf = (page: Page) => log(page).locator("[data-index]");
/** Texts of the rows in the document, in the order in which they are shown, without what Tijolo itself says. */
async function linesOf(page: Page): Promise<string[]> {
  const rows: { index: number; text: string }[] = await page.evaluate(
    `[...document.querySelectorAll("[role=log] [data-index]")].map((row) => ({ index: Number(row.dataset.index), text: row.textContent.replace(/^[0-9:]{8}/, "") }))`,
  );
  return rows
    .toSorted((a, b) => a.index - b.index)
    .map(({ text }) => text)
    .filter((text) => /^(?:line|\d+ linhas|needle)/.test(text));
}
const scrollTo = (page: Page, top: number) =>
  page.evaluate(`document.querySelector("[role=log]").scrollTop = ${top}`);
const heightOf = (page: Page): Promise<number> =>
  page.evaluate(`document.querySelector("[role=log]").scrollHeight`);

test("lines arrive as they are written, with colours as classes, until the person scrolls up; the button counts and leads back", async () => {
  const { output, open } = await withLog(numbered(1, 100));
  await using ana = await open();
  const { page } = ana;
  await page.getByText("line 100", { exact: true }).waitFor();
  await output.write(["after \u001b[31mred\u001b[0m <img src=x onerror=alert(1)>", "50%\rline 101"]);
  await page.getByText("line 101", { exact: true }).waitFor();
  assert.match((await page.getByText("red", { exact: true }).getAttribute("class")) ?? "", /ansi-red/);
  await log(page).focus();
  await page.keyboard.press("PageUp");
  await page.getByRole("button", { name: "Ir para o fim" }).waitFor();
  await output.write(numbered(102, 229));
  await page.getByRole("button", { name: "128 novas" }).click();
  await page.getByText("line 229", { exact: true }).waitFor();
  await page.getByRole("button", { name: /novas|fim/ }).waitFor({ state: "detached" });
});

test("a search asks for all lines, stands in the address, and is found again; filters apply to what is here", async () => {
  const { output, open } = await withLog(["needle in the hay", ...numbered(1, 1200)]);
  await using ana = await open();
  const { page } = ana;
  await page.getByText("line 1200", { exact: true }).waitFor();
  await page.getByLabel("Procurar em todas as linhas guardadas").fill("NEEDLE");
  await page.getByText("needle in the hay").waitFor();
  assert.deepEqual(await linesOf(page), ["needle in the hay"]);
  await output.write(["needle again", "line 1201"]);
  await page.getByText("needle again").waitFor();
  assert.equal(new URL(page.url()).searchParams.get("q"), "NEEDLE");
  await page.reload();
  await page.getByText("needle again").waitFor();
  assert.deepEqual(await linesOf(page), ["needle in the hay", "needle again"]);
  await page.getByLabel("Saída").selectOption("stderr");
  await page.getByText("Nenhuma linha com este filtro.").waitFor();
  await page.getByRole("button", { name: "Sem filtros" }).click();
  await page.getByText("line 1201", { exact: true }).waitFor();
});

test("lost lines are a torn line with their count, where they were lost", async () => {
  const { output, open } = await withLog(numbered(1, 5));
  await using ana = await open();
  const { page } = ana;
  await page.getByText("line 5", { exact: true }).waitFor();
  await output.lose(120);
  await output.write(["line 126"]);
  await page.getByText("line 126", { exact: true }).waitFor();
  assert.deepEqual((await linesOf(page)).slice(-3), ["line 5", "120 linhas não couberam no log", "line 126"]);
});

test("older lines load above, and what is in sight stays where it is", async () => {
  const { open } = await withLog(numbered(1, 1500));
  await using ana = await open();
  const { page } = ana;
  await page.getByText("line 1500", { exact: true }).waitFor();
  await scrollTo(page, 600);
  const first = page.getByText("line 1031", { exact: true });
  await first.waitFor();
  const before = await first.boundingBox();
  await scrollTo(page, 399);
  await until(async () => (await heightOf(page)) > 15_000);
  const now = await first.boundingBox();
  assert.ok(before !== null && now !== null);
  assert.ok(Math.abs(now.y - before.y - 201) < 40, `moved from ${before.y} to ${now.y}`);
  await until(async () => {
    await log(page).press("Home");
    return (await linesOf(page)).includes("line 1");
  });
});

test("after central was killed the log goes on at its place, without loss or repeat", async () => {
  await using other = await TestCluster.create({ panel: true });
  const { output, open } = await withLog(numbered(1, 3), { on: other });
  await using ana = await open();
  ana.overlook(/net::ERR|Failed to load resource/);
  const { page } = ana;
  await page.getByText("line 3", { exact: true }).waitFor();
  await output.write(["line 4"]);
  await page.getByText("line 4", { exact: true }).waitFor();
  await other.stopCentral();
  await output.write(["line 5", "line 6"]);
  await other.startCentral();
  await page.getByText("line 6", { exact: true }).waitFor();
  await output.write(["line 7"]);
  await page.getByText("line 7", { exact: true }).waitFor();
  assert.deepEqual(await linesOf(page), numbered(1, 7));
});

test("a flood leaves few rows in the document, and the page answers", async () => {
  const { output, open } = await withLog(numbered(1, 10));
  await using ana = await open();
  const { page } = ana;
  await page.getByText("line 10", { exact: true }).waitFor();
  await page.evaluate(`(() => {
    globalThis.longest = 0;
    let last = performance.now();
    const look = () => {
      const now = performance.now();
      globalThis.longest = Math.max(globalThis.longest, now - last);
      last = now;
      setTimeout(look, 10);
    };
    look();
  })()`);
  let last = 10;
  let mostSeen = 0;
  for (let round = 0; round < 20; round++) {
    await output.write(numbered(last + 1, last + 3_000));
    last += 3_000;
    mostSeen = Math.max(mostSeen, await rowsOf(page).count());
  }
  await page.getByText(`line ${last}`, { exact: true }).waitFor();
  mostSeen = Math.max(mostSeen, await rowsOf(page).count());
  assert.ok(mostSeen > 10 && mostSeen <= mostRows, `${mostSeen} rows`);
  assert.equal(await log(page).getAttribute("aria-live"), "off");
  const height = await heightOf(page);
  assert.ok(height <= 51_000 * 20, `${height} px`);
  const longest = await page.evaluate<number>("globalThis.longest");
  assert.ok(longest < 2_000, `the page stood still for ${longest} ms`);
});

test("a link leads to its line, wherever it lies, and on to what came after it", async () => {
  const { output, open } = await withLog(numbered(1, 2000), { at: new Date(Date.now() - 60_000) });
  await output.write(["needle to link"], new Date(Date.now() - 30_000));
  await output.write(numbered(2001, 4000), new Date(Date.now() - 10_000));
  await using ana = await open("?q=needle");
  const { page } = ana;
  const row = rowsOf(page).filter({ hasText: "needle to link" });
  await row.locator("time").click();
  await page.getByRole("button", { name: "Copiar o link" }).waitFor();
  const line = new URL(page.url()).searchParams.get("line") ?? "";
  await page.goto(`${new URL(page.url()).pathname}?${new URLSearchParams({ line }).toString()}`);
  await row.waitFor();
  await page.getByText("Linha das").waitFor();
  const shown = await linesOf(page);
  const index = shown.indexOf("needle to link");
  assert.deepEqual(shown.slice(index - 1, index + 2), ["line 2000", "needle to link", "line 2001"]);
  await page.getByRole("button", { name: "Mostrar as mais novas" }).click();
  await page.getByText("line 4000", { exact: true }).waitFor();
});

test("a line is chosen, copied and released by the keyboard alone", async () => {
  const { open } = await withLog(numbered(1, 300));
  await using ana = await open();
  const { page } = ana;
  await ana.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByText("line 300", { exact: true }).waitFor();
  await log(page).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("status").filter({ hasText: "line 300" }).waitFor();
  await page.keyboard.press("ArrowUp");
  await page.getByRole("status").filter({ hasText: "line 299" }).waitFor();
  await page.getByRole("button", { name: "Copiar a linha" }).press("Enter");
  await until(async () => (await page.evaluate("navigator.clipboard.readText()")) === "line 299");
  await log(page).focus();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Copiar a linha" }).waitFor({ state: "detached" });
});

test("where no further stream is to be had, pages are read, and the page says so", async () => {
  await using scratch = await mkdtempDisposable(join(tmpdir(), "tijolo-plans-"));
  const plansFile = join(scratch.path, "plans.json");
  await writeFile(plansFile, JSON.stringify({ limits: { logStreamsAtOnce: 1, uploadEveryMs: 0 } }));
  const centralSettings = { TIJOLO_PLANS_FILE: plansFile };
  await using limited = await TestCluster.create({ panel: true, centralSettings });
  const { project, output, session, open } = await withLog(numbered(1, 5), { on: limited });
  const other = await SimulatedProject.create(session, "sim run");
  const end = new AbortController();
  const cookie = [...session.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const stream = await fetch(`${limited.centralUrl}/api/projects/${other.id}/logs`, {
    headers: { cookie },
    signal: end.signal,
  });
  assert.equal(stream.status, 200);
  await using ana = await open();
  const { page } = ana;
  await page.getByText("line 5", { exact: true }).waitFor();
  await page.getByText("Há muitos logs abertos nesta conta: este é lido a cada 5 s.").waitFor();
  await output.write(["line 6"]);
  await page.getByText("line 6", { exact: true }).waitFor();
  assert.deepEqual(await linesOf(page), numbered(1, 6));
  assert.equal((await project.get()).status, "running");
  end.abort();
});
