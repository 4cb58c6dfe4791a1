/** Every operation has its place in the panel, or a reason why not, and every page is looked at by a test. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { operations } from "@tijolo/protocol";
import { notInPanel } from "../../central/panel/src/not-in-panel.ts";
import { pages as pagesOfPanel } from "../../central/panel/src/pages.ts";
import { pageRows } from "../panel/pages.ts";
import { importedBy, isUnwritten, panelRoutes, panelSource } from "../support/panel/panel-sources.ts";

const pages: Record<string, readonly string[]> = pagesOfPanel;
const absent: Record<string, string> = notInPanel;
const routes = panelRoutes();
/** Operations that people meet in two places. */
const inTwoPlaces = ["createKey"];

test("every operation stands in a page or, with a reason, in not-in-panel.ts", () => {
  const placed = new Set([...Object.values(pages).flat(), ...Object.keys(absent)]);
  assert.deepEqual(
    Object.keys(operations).filter((name) => !placed.has(name)),
    [],
  );
  assert.deepEqual(
    [...placed].filter((name) => !(name in operations)),
    [],
    "there is no such operation",
  );
  for (const [name, reason] of Object.entries(absent)) assert.match(reason, /^[A-Z].{15,}\.$/, name);
});

test("no operation stands in two places without need", () => {
  const names = [...Object.values(pages).flat(), ...Object.keys(absent)];
  const repeated = [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
  assert.deepEqual(repeated.toSorted(), inTwoPlaces);
});

test("every address of the router stands in pages.ts, and a test visits it", () => {
  const addresses = routes.map(({ path }) => path).toSorted();
  assert.ok(addresses.length > 20, `only ${addresses.length} addresses were found`);
  assert.deepEqual(Object.keys(pages).toSorted(), addresses);
  assert.deepEqual(pageRows.map(({ path }) => path).toSorted(), addresses);
});

test("each page uses the operations that it names, itself or by its frame", () => {
  const missing: string[] = [];
  for (const { path, file } of routes) {
    if (isUnwritten(file)) continue;
    const used = textOf([file, ...framesOf(file)]);
    for (const name of pages[path] ?? [])
      if (!new RegExp(`"${name}"|\\.${name}\\(`).test(used)) missing.push(`${path}: ${name}`);
  }
  assert.deepEqual(missing, []);
});

/** The frames around a page: that of all pages, and that of its area. */
function framesOf(file: string): string[] {
  const area = file.split("/")[1] ?? "";
  const frame = `pages/${area}/${area}-frame.tsx`;
  return [
    "main.tsx",
    "parts/frame/frame.tsx",
    ...(["project", "account", "cluster"].includes(area) ? [frame] : []),
  ];
}

function textOf(files: readonly string[]): string {
  const all = new Set<string>();
  for (const file of files) {
    // The router leads to every page: what a page uses is found from its own file.
    if (file === "main.tsx") all.add(file).add("api/session.ts");
    else for (const imported of importedBy(file)) all.add(imported);
  }
  all.delete("pages.ts");
  all.delete("router.tsx");
  return [...all].map(panelSource).join("\n");
}
