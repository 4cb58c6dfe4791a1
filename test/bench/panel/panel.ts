/**
 * Measures the panel as a person feels it, each time beside a page of plain HTML in the same browser: the first
 * paint on a slow phone, how soon an interaction shows, a log at 5,000 lines a second, 500 live projects. Central
 * and the simulated hosts run in this process, beside the browser.
 */

import { SimulatedProject } from "../../support/projects/simulated-project.ts";
import { PanelSession } from "../../support/people/panel.ts";
import { TestCluster } from "../../support/cluster/test-cluster.ts";
import { createManyProjects } from "../../panel/support/many-projects.ts";
import { StandardOutput } from "../../panel/support/standard-output.ts";
import { Visitor } from "../../panel/support/visitor.ts";
import type { Aim, Bench, Figure, Row } from "../bench.ts";
import { Sample } from "../sample.ts";
import { BarePages } from "./bare-page.ts";
import { WatchedPage } from "./watched-page.ts";

const visits = 5;
const projects = 20;
const liveProjects = 500;
const linesPerSecond = 5_000;
const batchesPerSecond = 20;
const logMs = 10_000;
const restMs = 15_000;

export const panel: Bench = {
  name: "panel",
  async run({ resources, say }): Promise<Figure[]> {
    const bare = resources.use(await BarePages.create());
    const cluster = resources.use(await TestCluster.create({ panel: true }));
    const session = await PanelSession.signUp(cluster, { plan: "Empresas" });
    say(`${projects} projects`);
    const made: SimulatedProject[] = [];
    for (let index = 0; index < projects; index++)
      made.push(await SimulatedProject.create(session, "sim run", { config: { name: `bot-${index}` } }));
    for (const project of made) await project.is("running");
    const [bot] = made;
    if (bot === undefined) throw new Error("there is no project");
    const open = () => Visitor.open(cluster, "about:blank", { session });
    say("the first paint and interactions on a slow phone");
    const figures = await slowVisits({ open, bare });
    say(`a log at ${linesPerSecond} lines a second`);
    figures.push(...(await flood({ cluster, bot, open, bare })));
    say(`${liveProjects} live projects`);
    return [...figures, ...(await manyLive(bare))];
  },
};

interface Rig {
  open(): Promise<Visitor>;
  bare: BarePages;
}

async function slowVisits({ open, bare }: Rig): Promise<Figure[]> {
  const values = { cold: [], warm: [], bare: [], shift: [], press: [], barePress: [] } as Record<
    "cold" | "warm" | "bare" | "shift" | "press" | "barePress",
    number[]
  >;
  for (let visit = 0; visit < visits; visit++) {
    await using visitor = await open();
    await visitor.carry(bare.url);
    const watched = await WatchedPage.of(visitor.page);
    await watched.slowDown();
    await watched.emptyCache();
    const { page } = visitor;
    await page.goto(bare.url);
    await settle(watched);
    await page.getByRole("button", { name: "press" }).click();
    await settle(watched);
    const plain = await watched.measured();
    values.bare.push(plain.lcpMs);
    values.barePress.push(Math.max(16, ...plain.interactionsMs));
    await watched.emptyCache();
    await page.goto(visitor.origin);
    await page.getByRole("link", { name: "bot-0", exact: true }).waitFor();
    await settle(watched);
    values.cold.push((await watched.measured()).lcpMs);
    values.shift.push((await watched.measured()).shift);
    await page.goto(visitor.origin);
    await page.getByRole("link", { name: "bot-0", exact: true }).waitFor();
    await settle(watched);
    values.warm.push((await watched.measured()).lcpMs);
    await walk(visitor);
    await settle(watched);
    values.press.push(Math.max(16, ...(await watched.measured()).interactionsMs));
  }
  const phone = "on a slow phone (1.6 Mbit/s, 150 ms, a quarter of the processor)";
  return [
    {
      title: `Largest contentful paint of the list ${phone}`,
      unit: "ms",
      rows: [row("first visit", values.cold), row("later visit", values.warm), row("bare page", values.bare)],
      aim: atMost("first visit", values.cold, 2_500, "ms"),
    },
    {
      title: "Largest contentful paint of a later visit",
      unit: "ms",
      rows: [row("later visit", values.warm), row("bare page", values.bare)],
      aim: atMost("later visit", values.warm, 1_500, "ms"),
    },
    {
      title: `Slowest of the interactions of a visit until its paint, ${phone}`,
      unit: "ms",
      rows: [row("panel", values.press), row("a button of the bare page", values.barePress)],
      aim: atMost("panel", values.press, 200, "ms"),
    },
    {
      title: "Cumulative layout shift of the list's first visit",
      unit: "",
      rows: [row("panel", values.shift)],
      aim: atMost("panel", values.shift, 0.02, ""),
    },
  ];
}

/** Searches, opens a project, its log and the palette, as a person does. */
async function walk({ page }: Visitor): Promise<void> {
  await page.getByLabel("Procurar projeto").pressSequentially("bot-1");
  await page.getByRole("link", { name: "bot-1", exact: true }).click();
  await page.getByRole("link", { name: "Logs" }).click();
  await page.getByRole("log").waitFor();
  await page.keyboard.press("Control+k");
  await page.locator("input[role=combobox]").pressSequentially("bot");
  await page.keyboard.press("Escape");
}

async function flood({
  cluster,
  bot,
  open,
  bare,
}: Rig & { cluster: TestCluster; bot: SimulatedProject }): Promise<Figure[]> {
  await using visitor = await open();
  await visitor.carry(bare.url);
  const watched = await WatchedPage.of(visitor.page);
  const { page } = visitor;
  await page.goto(`${bare.url}/log`);
  const plain = await watched.busy(logMs);
  await page.goto(`${visitor.origin}/projects/${bot.id}/logs`);
  await page.getByRole("log").waitFor();
  await page.evaluate(watchMarks);
  const output = new StandardOutput(cluster.host, bot.id);
  const end = new AbortController();
  const pouring = pour(output, end.signal);
  await page.waitForTimeout(2_000);
  const busy = await watched.busy(logMs);
  const delays = await page.evaluate<number[]>("globalThis.delays");
  end.abort();
  await pouring;
  return [
    {
      title: `Share of the main thread that a log at ${linesPerSecond} lines/s takes`,
      unit: "%",
      rows: [row("panel", [busy.share * 100]), row("bare page, made there", [plain.share * 100])],
      aim: atMost("panel", [busy.share * 100], 50, "%"),
    },
    {
      title: `Frames a second beside a log at ${linesPerSecond} lines/s`,
      unit: "/s",
      rows: [row("panel", [busy.framesPerSecond]), row("bare page", [plain.framesPerSecond])],
      aim: null,
    },
    {
      title: `A line at ${linesPerSecond} lines/s, written to the host's log → in the page`,
      unit: "ms",
      rows: [row("panel", delays.length === 0 ? [Number.POSITIVE_INFINITY] : delays)],
      aim: null,
    },
  ];
}

/** Notes for each line with a time how long it took, once it is in the page. */
const watchMarks = `(() => {
  globalThis.delays = [];
  const seen = new Set();
  const look = () => {
    for (const [, at] of document.querySelector("[role=log]").textContent.matchAll(/mark (\\d{13})/g))
      if (!seen.has(at)) { seen.add(at); globalThis.delays.push(Date.now() - Number(at)); }
  };
  new MutationObserver(look).observe(document.querySelector("[role=log]"), { childList: true, subtree: true, characterData: true });
})()`;

async function pour(output: StandardOutput, signal: AbortSignal): Promise<void> {
  const size = linesPerSecond / batchesPerSecond;
  const startedMs = performance.now();
  for (let batch = 0; !signal.aborted; batch++) {
    const lines = Array.from(
      { length: size - 1 },
      (_, index) => `line ${batch * size + index} of a busy bot`,
    );
    await output.write([...lines, `mark ${Date.now()}`]);
    const nextMs = startedMs + ((batch + 1) * 1_000) / batchesPerSecond;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, nextMs - performance.now())));
  }
}

async function manyLive(bare: BarePages): Promise<Figure[]> {
  await using many = await createManyProjects(liveProjects, { start: true });
  await using visitor = await Visitor.open(many.cluster, "about:blank", { session: many.session });
  await visitor.carry(bare.url);
  const watched = await WatchedPage.of(visitor.page);
  const { page } = visitor;
  const paints = { panel: [] as number[], bare: [] as number[] };
  for (let visit = 0; visit < visits; visit++) {
    await page.goto(bare.url);
    await settle(watched);
    paints.bare.push((await watched.measured()).lcpMs);
    await page.goto(visitor.origin);
    await page.getByRole("link", { name: "bot-000", exact: true }).waitFor();
    await settle(watched);
    paints.panel.push((await watched.measured()).lcpMs);
  }
  const busy = await watched.busy(restMs);
  await page.goto(bare.url);
  const plain = await watched.busy(restMs);
  return [
    {
      title: `Largest contentful paint of a list of ${liveProjects} live projects, this machine's speed`,
      unit: "ms",
      rows: [row("panel", paints.panel), row("bare page", paints.bare)],
      aim: atMost("panel", paints.panel, 1_500, "ms"),
    },
    {
      title: `Share of the main thread that ${liveProjects} live projects take at rest`,
      unit: "%",
      rows: [row("panel", [busy.share * 100]), row("bare page", [plain.share * 100])],
      aim: null,
    },
    {
      title: `Memory of scripts with ${liveProjects} live projects`,
      unit: "MB",
      rows: [row("panel", [busy.heapMb]), row("bare page", [plain.heapMb])],
      aim: null,
    },
  ];
}

/** Lets the last paint be observed. */
async function settle({ page }: WatchedPage): Promise<void> {
  await page.waitForTimeout(1_000);
}

function row(name: string, values: readonly number[]): Row {
  return { name, sample: new Sample(values) };
}

function atMost(of: string, values: readonly number[], limit: number, unit: string): Aim {
  return { of, value: new Sample(values).median, unit, limit, isReachedBy: "at most" };
}
