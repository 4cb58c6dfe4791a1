/** What a browser loads, in brotli KB as a release sends it: at first, for each page, and for what comes lazily. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { before, test, type TestContext } from "node:test";
import { brotliCompressSync, constants } from "node:zlib";
import { builtPanel } from "../support/panel/built-panel.ts";
import { isUnwritten, panelRoutes } from "../support/panel/panel-sources.ts";

const budgets = { script: 115, styles: 12, font: 25, page: 30, overlays: 60, palette: 30, chart: 22 };
/** Shared chunks by the start of their names; each has a budget of its own. */
const lazy = {
  overlays: /^(?:dialog|confirm-dialog|menu|tooltip-popup|useScrollLock|InternalBackdrop)-/,
  palette: /^(?:palette|go-to)/,
  chart: /^(?:u[pP]lot|chart)/,
};

let directory = "";
let assets: ReadonlySet<string> = new Set();
before(async () => {
  directory = await builtPanel();
  assets = new Set(readdirSync(join(directory, "assets")).filter((name) => !/\.(?:br|gz)$/.test(name)));
});

const readAsset = (name: string) => readFileSync(join(directory, "assets", name));
const sizes = new Map<string, number>();

/** Bytes as a release carries the file; fonts are compressed already. */
function bytesOf(name: string): number {
  const known = sizes.get(name);
  if (known !== undefined) return known;
  const content = readAsset(name);
  const isFont = name.endsWith(".woff2");
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
  const bytes = isFont ? content.length : brotliCompressSync(content, { params }).length;
  sizes.set(name, bytes);
  return bytes;
}

const kilobytes = (names: Iterable<string>) =>
  Math.round([...names].reduce((sum, name) => sum + bytesOf(name), 0) / 102.4) / 10;

/** The chunks that a chunk loads with it, and their style sheets; what it loads later is not among them. */
function loadedWith(name: string, seen = new Set<string>()): Set<string> {
  if (seen.has(name) || !assets.has(name)) return seen;
  seen.add(name);
  const text = readAsset(name).toString();
  for (const [, imported = ""] of text.matchAll(/(?:from|import)\s*["`]\.\/([\w.-]+\.js)["`]/g))
    loadedWith(imported, seen);
  return seen;
}

function firstLoad(): { html: string; names: string[] } {
  const html = readFileSync(join(directory, "index.html"), "utf8");
  const names = [...html.matchAll(/(?:src|href)="\/assets\/([^"]+)"/g)].map(([, name = ""]) => name);
  const all = new Set(names.flatMap((name) => (name.endsWith(".js") ? [...loadedWith(name)] : [name])));
  return { html, names: [...all] };
}

/** Checks a figure after it was told. */
function within(context: TestContext, what: string, names: Iterable<string>, budget: number): string[] {
  const size = kilobytes(names);
  context.diagnostic(`${what}: ${size} of ${budget} KB`);
  return size <= budget ? [] : [`${what}: ${size} KB, budget ${budget}`];
}

test("the first load fits its budgets", (context) => {
  const { names } = firstLoad();
  const ends = (extension: string) => names.filter((name) => name.endsWith(extension));
  const styles = ends(".css").map((name) => readAsset(name).toString());
  const fonts = [...assets].filter(
    (name) => name.endsWith(".woff2") && styles.some((css) => css.includes(name)),
  );
  assert.ok(ends(".js").length > 0 && fonts.length === 1);
  assert.deepEqual(
    [
      ...within(context, "script", ends(".js"), budgets.script),
      ...within(context, "styles", ends(".css"), budgets.styles),
      ...within(context, "font", fonts, budgets.font),
    ],
    [],
  );
});

test("each page fits its budget, beside what it shares lazily", (context) => {
  const first = new Set(firstLoad().names);
  const over: string[] = [];
  for (const { path, file } of panelRoutes()) {
    if (isUnwritten(file)) continue;
    const stem = basename(file, ".tsx");
    const chunks = [...assets].filter(
      (name) => name.startsWith(`${stem}-`) && /^-[\w-]{8}\.(?:js|css)$/.test(name.slice(stem.length)),
    );
    assert.ok(chunks.length > 0, `${path} has no chunk`);
    const own = [...new Set(chunks.flatMap((name) => [...loadedWith(name)]))].filter(
      (name) => !first.has(name) && !Object.values(lazy).some((shared) => shared.test(name)),
    );
    over.push(...within(context, path, own, budgets.page));
  }
  assert.deepEqual(over, []);
});

test("overlays, palette and chart fit theirs", (context) => {
  const first = new Set(firstLoad().names);
  const over = Object.entries(lazy).flatMap(([name, shared]) => {
    const chunks = [...assets].filter((asset) => shared.test(asset) && !first.has(asset));
    return within(context, name, chunks, budgets[name as keyof typeof lazy]);
  });
  assert.deepEqual(over, []);
});

test("the document has no script or style of its own, and all that is named is there", () => {
  const { html } = firstLoad();
  assert.doesNotMatch(html, /<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=/);
  const named = [...assets]
    .filter((name) => /\.(?:js|css)$/.test(name))
    .flatMap((name) => [
      ...readAsset(name)
        .toString()
        .matchAll(
          /(?:["'`(]\.?\/?)(?:assets\/)?([\w.]+(?:-[\w.]+)*-[\w-]{8}\.(?:js|css|woff2|svg|zip))(?=["'`)])/g,
        ),
    ])
    .map(([, name = ""]) => name);
  assert.ok(named.length > 50);
  assert.deepEqual(
    [...new Set(named)].filter((name) => !assets.has(name)),
    [],
  );
});

test("no chunk carries the schemas, but for the worker that reads a folder", () => {
  const carrying = [...assets].filter(
    (name) =>
      name.endsWith(".js") &&
      !name.startsWith("upload-worker-") &&
      /ZodError|invalid_union|_zod\b/.test(readAsset(name).toString()),
  );
  assert.deepEqual(carrying, []);
});
