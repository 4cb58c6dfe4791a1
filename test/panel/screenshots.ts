/**
 * `pnpm panel:screenshots`: pictures of every page in both themes and languages, on a phone and on a desk, and of
 * each of its states in one of these, into `.tools/panel-screenshots`, with one sheet of all for people
 * (`index.html`).
 */

import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isUnwritten, panelRoutes } from "../support/panel/panel-sources.ts";
import type { Page } from "playwright-core";
import { pageRows, type PageRow, type PageState } from "./pages.ts";
import { addressOf, everyLane, walk } from "./support/lanes.ts";
import {
  beginState,
  dressOf,
  endState,
  statesOfCluster,
  unsaid,
  visitInState,
} from "./support/panel-states.ts";
import { createPanelWorld } from "./support/panel-world.ts";

const directory = join(import.meta.dirname, "../../.tools/panel-screenshots");
const themes = ["light", "dark"] as const;

/** Moves the bar of a phone, which stands at the window's foot, to the foot of the picture of the whole page. */
const moveBar = `(() => {
  const bar = [...document.querySelectorAll("nav")].find((nav) => getComputedStyle(nav).position === "fixed");
  if (bar === undefined) return;
  const { scrollHeight } = document.documentElement;
  Object.assign(bar.style, { position: "absolute", bottom: "auto", top: scrollHeight - bar.offsetHeight + "px" });
})()`;

interface Picture {
  row: PageRow;
  file: string;
  name: string;
}

await rm(directory, { recursive: true, force: true });
await mkdir(directory, { recursive: true });
const pictures: Picture[] = [];
const written = new Set(panelRoutes().flatMap(({ path, file }) => (isUnwritten(file) ? [] : [path])));
const rows = pageRows.filter(({ path }) => written.has(path));
await using world = await createPanelWorld();
await walk(world, everyLane(rows), async (looker, row, { phone, language }) => {
  await looker.open(addressOf(row, world));
  for (const theme of themes) {
    await looker.dress({ theme, language });
    await take(looker.page, row, `${phone ? "phone" : "desk"} ${language} ${theme}`);
  }
  for (const complaint of looker.newComplaints()) console.error(`${row.path}: ${complaint}`);
});
for (const row of rows) for (const state of row.states ?? []) await takeInState(row, state);
await writeFile(join(directory, "index.html"), sheet());
console.log(`${pictures.length} pictures: ${join(directory, "index.html")}`);

async function take(page: Page, row: PageRow, name: string): Promise<void> {
  const stem = row.path.replaceAll(/[^a-zA-Z]+/g, "-").replaceAll(/^-|-$/g, "") || "projects";
  const file = `${stem}-${name.replaceAll(" ", "-")}.png`;
  await page.evaluate(moveBar);
  await page.screenshot({ path: join(directory, file), fullPage: true, scale: "css" });
  pictures.push({ row, file, name });
}

/** A state of the whole cluster begins before the page is opened, but for the one that needs an open page. */
async function takeInState(row: PageRow, state: PageState): Promise<void> {
  const dress = dressOf(row, state);
  const isOfCluster = statesOfCluster.includes(state);
  if (isOfCluster && state !== "stale") await beginState(world, state);
  await using visit = await visitInState(world, row, state, dress);
  if (state === "stale") await beginState(world, state);
  try {
    await visit.looker.dress(dress);
    await unsaid(visit, row, state);
    await take(visit.looker.page, row, state);
  } finally {
    if (isOfCluster) await endState(world, state);
  }
}

function sheet(): string {
  const figure = ({ file, name }: Picture) =>
    `<figure><a href="${file}"><img src="${file}" loading="lazy" alt="${name}"></a><figcaption>${name}</figcaption></figure>`;
  const section = (row: PageRow) => {
    const own = pictures
      .filter((picture) => picture.row === row)
      .toSorted((a, b) => (a.name < b.name ? -1 : 1));
    return `<section><h2>${row.path}</h2><div>${own.map(figure).join("\n")}</div></section>`;
  };
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>The panel</title>
<style>
  body { font: 14px system-ui; margin: 2rem; }
  div { display: flex; flex-wrap: wrap; gap: 1rem; align-items: start; }
  figure { margin: 0; }
  img { height: 320px; border: 1px solid #999; }
</style>
<h1>The panel</h1>
${rows.map(section).join("\n")}
</html>
`;
}
