/**
 * `pnpm panel:screenshots`: pictures of every page in both themes and languages, on a phone and on a desk, into
 * `.tools/panel-screenshots`, with one sheet of all for people (`index.html`).
 */

import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isUnwritten, panelRoutes } from "../support/panel/panel-sources.ts";
import { pageRows, type PageRow } from "./pages.ts";
import { addressOf, everyLane, walk } from "./support/lanes.ts";
import { createPanelWorld } from "./support/panel-world.ts";

const directory = join(import.meta.dirname, "../../.tools/panel-screenshots");
const themes = ["light", "dark"] as const;

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
  const page = row.path.replaceAll(/[^a-zA-Z]+/g, "-").replaceAll(/^-|-$/g, "") || "projects";
  await looker.open(addressOf(row, world));
  for (const theme of themes) {
    const name = `${phone ? "phone" : "desk"} ${language} ${theme}`;
    const file = `${page}-${name.replaceAll(" ", "-")}.png`;
    await looker.setTheme(theme);
    await looker.page.screenshot({ path: join(directory, file), fullPage: true, scale: "css" });
    pictures.push({ row, file, name });
  }
  for (const complaint of looker.newComplaints()) console.error(`${row.path}: ${complaint}`);
});
await writeFile(join(directory, "index.html"), sheet());
console.log(`${pictures.length} pictures: ${join(directory, "index.html")}`);

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
