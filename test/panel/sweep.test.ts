/**
 * Visits every page of the panel, and each of its states, in both themes and both languages, on a desk and on a
 * phone: nothing the browser complains about, nothing axe finds, a heading and a title, no scrolling to the side,
 * no secret in the open. On a desk axe looks at each page in each state in all four dresses; on a phone once, and
 * at the colours of the other theme. It takes minutes, so `npm run test:all` only.
 */

import assert from "node:assert/strict";
import { after, before, test, type TestContext } from "node:test";
import { isUnwritten, panelRoutes } from "../support/panel/panel-sources.ts";
import { pageRows, type PageRow, type PageState } from "./pages.ts";
import { addressOf, atMost, lanesOf, walk } from "./support/lanes.ts";
import type { Dress, Looker } from "./support/look.ts";
import { createPanelWorld, type PanelWorld } from "./support/panel-world.ts";
import {
  beginState,
  dressOf,
  endState,
  statesOfCluster,
  unsaid,
  visitInState,
  type StateVisit,
} from "./support/panel-states.ts";

const written = new Set(panelRoutes().flatMap(({ path, file }) => (isUnwritten(file) ? [] : [path])));
const rows = pageRows.filter(({ path }) => written.has(path));
const visits = rows.flatMap((row) => (row.states ?? []).map((state) => ({ row, state })));

let world: PanelWorld;
before(async () => {
  world = await createPanelWorld();
});
after(() => world[Symbol.asyncDispose]());

test("every page is sound in both themes and languages, on a desk and on a phone", async (context) => {
  const found = new Map<string, string[]>(rows.map(({ path }) => [path, []]));
  await walk(world, lanesOf(rows), async (looker, row, { phone, language }) => {
    const address = addressOf(row, world);
    const dress: Dress = { theme: phone ? "dark" : "light", language };
    await looker.page.emulateMedia({ colorScheme: dress.theme });
    await looker.open(address);
    const texts = [
      ...(await whatIsWrong(looker, { address, dress, isPhone: phone })),
      ...(phone ? await looker.formWhenZoomed() : await looker.overflowBetween()),
      ...looker.newComplaints(),
    ];
    await looker.dress(dress);
    found.get(row.path)?.push(...texts.map((text) => `${phone ? "phone" : "desk"}: ${text}`));
  });
  for (const [path, texts] of found) await context.test(path, () => assert.deepEqual(texts, []));
});

// One test for each state: together they take ten minutes of a busy machine, which is what a test may.
for (const state of new Set(visits.map((visit) => visit.state)))
  if (!statesOfCluster.includes(state))
    test(`pages are sound in the state "${state}"`, async (context) => {
      const own = visits.filter((visit) => visit.state === state);
      await atMost(2, own, ({ row }) => lookAt(context, row, state));
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
      open.push({ row, visit: parts.use(await visitInState(world, row, state, dressOf(row, state))) });
  await beginState(world, "stale");
  try {
    for (const { row, visit } of open) await judge(context, row, "stale", visit);
  } finally {
    await endState(world, "stale");
  }
});

async function lookAt(context: TestContext, row: PageRow, state: PageState): Promise<void> {
  await using visit = await visitInState(world, row, state, dressOf(row, state));
  await judge(context, row, state, visit);
}

async function judge(context: TestContext, row: PageRow, state: PageState, visit: StateVisit): Promise<void> {
  const { looker, address } = visit;
  const texts = [
    ...(await unsaid(visit, row, state)),
    ...(await whatIsWrong(looker, { address, dress: dressOf(row, state), isPhone: false })),
    ...visit.complaints(),
  ];
  await context.test(`${row.path}: ${state}`, () => assert.deepEqual(texts, []));
}

/** `dress`: what the page stands in; it is left in another. */
async function whatIsWrong(
  looker: Looker,
  { address, dress, isPhone }: { address: string; dress: Dress; isPhone: boolean },
): Promise<string[]> {
  const say = (worn: Dress, texts: string[]) =>
    texts.map((text) => `${worn.language} ${worn.theme}: ${text}`);
  const found = [
    ...looker.strayed(address),
    ...(await looker.leaks(world.secrets)),
    ...say(dress, [...(await looker.form()), ...(await looker.axe())]),
  ];
  const theme = dress.theme === "dark" ? "light" : "dark";
  const language = dress.language === "pt" ? "en" : "pt";
  for (const other of [
    { ...dress, theme },
    { theme, language },
    { ...dress, language },
  ] as const) {
    await looker.dress(other);
    const isSeen = !isPhone || other.language === dress.language;
    const axe = isSeen ? await looker.axe({ isColoursOnly: isPhone }) : [];
    found.push(...say(other, [...(await looker.form()), ...axe]));
  }
  return found;
}
