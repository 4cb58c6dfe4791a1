/**
 * Visits every page of the panel in both themes, both languages, on a desk and on a phone: nothing the browser
 * complains about, nothing axe finds, a heading and a title, no scrolling to the side, no secret in the open.
 */

import assert from "node:assert/strict";
import { after, before, test, type TestContext } from "node:test";
import { isUnwritten, panelRoutes } from "../support/panel/panel-sources.ts";
import { pageRows, type PageRow, type PageState } from "./pages.ts";
import { addressOf, atMost, lanesOf, walk } from "./support/lanes.ts";
import type { Looker } from "./support/look.ts";
import type { VisitorOptions } from "./support/visitor.ts";
import { createPanelWorld, type PanelWorld } from "./support/panel-world.ts";
import {
  beginState,
  endState,
  statesOfCluster,
  unsaid,
  visitInState,
  type StateVisit,
} from "./support/panel-states.ts";

const written = new Set(panelRoutes().flatMap(({ path, file }) => (isUnwritten(file) ? [] : [path])));

let world: PanelWorld;
before(async () => {
  world = await createPanelWorld();
});
after(() => world[Symbol.asyncDispose]());

const rows = pageRows.filter(({ path }) => written.has(path));

test("every page is sound in both themes and languages, on a desk and on a phone", async (context) => {
  const found = new Map<string, string[]>(rows.map(({ path }) => [path, []]));
  await walk(world, lanesOf(rows), async (looker, row, { phone, language }) => {
    const place = `${phone ? "phone" : "desk"} ${language}`;
    const say = (texts: readonly string[]) =>
      found.get(row.path)?.push(...texts.map((text) => `${place}: ${text}`));
    await looker.page.emulateMedia({ colorScheme: phone ? "dark" : "light" });
    await looker.open(addressOf(row, world));
    say(await whatIsWrong(looker, addressOf(row, world)));
    if (phone) say(await looker.formWhenZoomed());
    await looker.setTheme(phone ? "light" : "dark");
    say(await looker.axe({ isColoursOnly: true }));
    say(looker.newComplaints());
  });
  for (const [path, texts] of found) await context.test(path, () => assert.deepEqual(texts, []));
});

const visits = rows.flatMap((row) => (row.states ?? []).map((state) => ({ row, state })));

test("pages are sound while they load, when nothing is there, refused, suspended or offline", async (context) => {
  const own = visits.filter(({ state }) => !statesOfCluster.includes(state));
  await atMost(2, own, ({ row, state }) => lookAt(context, row, state));
});

test("pages are sound while the machine is away", async (context) => {
  await beginState(world, "host away");
  try {
    const away = visits.filter(({ state }) => state === "host away");
    await atMost(2, away, ({ row, state }) => lookAt(context, row, state));
  } finally {
    await endState(world, "host away");
  }
});

test("pages that were open are sound while central is away", async (context) => {
  await using parts = new AsyncDisposableStack();
  const open: { row: PageRow; visit: StateVisit }[] = [];
  for (const { row, state } of visits)
    if (state === "stale")
      open.push({ row, visit: parts.use(await visitInState(world, row, state, optionsOf(row, state))) });
  await beginState(world, "stale");
  try {
    for (const { row, visit } of open) await judge(context, row, "stale", visit);
  } finally {
    await endState(world, "stale");
  }
});

/** On a phone or on a desk, in either language and theme, by turns. */
function optionsOf(row: PageRow, state: PageState): VisitorOptions {
  const isEven = visits.findIndex((visit) => visit.row === row && visit.state === state) % 2 === 0;
  return {
    phone: isEven,
    language: rows.indexOf(row) % 2 === 0 ? "pt" : "en",
    theme: isEven ? "light" : "dark",
  };
}

async function lookAt(context: TestContext, row: PageRow, state: PageState): Promise<void> {
  await using visit = await visitInState(world, row, state, optionsOf(row, state));
  await judge(context, row, state, visit);
}

async function judge(context: TestContext, row: PageRow, state: PageState, visit: StateVisit): Promise<void> {
  const { looker, address } = visit;
  const missing = await unsaid(visit, row, state);
  const texts = [...missing, ...(await whatIsWrong(looker, address)), ...visit.complaints()];
  await context.test(`${row.path}: ${state}`, () => assert.deepEqual(texts, []));
}

async function whatIsWrong(looker: Looker, address: string): Promise<string[]> {
  return [
    ...looker.strayed(address),
    ...(await looker.form()),
    ...(await looker.axe()),
    ...(await looker.leaks(world.secrets)),
  ];
}
