/** Brings about what may be wrong or missing at a page: by real parts, never by answers of our own. */

import { pageRows, type PageRow, type PageState } from "../pages.ts";
import { addressOf, sessionOf } from "./lanes.ts";
import { Looker, type Dress } from "./look.ts";
import type { PanelWorld } from "./panel-world.ts";
import { Visitor, type VisitorOptions } from "./visitor.ts";

/** Milliseconds each answer takes while a page is seen to load: longer than the slowest machine looks at it. */
const slowMs = 600_000;
/** What a browser says by itself about requests that got nowhere, or to a machine that does not answer. */
const lostRequest = /^console: Failed to load resource: net::ERR_/;
const explained: Partial<Record<PageState, RegExp>> = {
  offline: lostRequest,
  stale: lostRequest,
  loading: lostRequest,
  "host away": /^console: Failed to load resource: the server responded with a status of 503/,
};
/** An id of nothing. */
const unknownId = "00000000000000000000000000";

/** What the frame says while its stream is away. */
const staleWords = /Reconect|Reconnect|Sem internet|Offline/;

/** States that hold for the whole cluster; the others are one visitor's own. */
export const statesOfCluster: readonly PageState[] = ["stale", "host away"];

/** On a phone or on a desk, in either language and theme, by turns. */
export function dressOf(row: PageRow, state: PageState): Dress & Pick<VisitorOptions, "phone"> {
  const place = pageRows.indexOf(row);
  const isEven = (place + (row.states ?? []).indexOf(state)) % 2 === 0;
  return { phone: isEven, language: place % 2 === 0 ? "pt" : "en", theme: isEven ? "light" : "dark" };
}

/** A page in a state, while the state lasts. */
export interface StateVisit extends AsyncDisposable {
  looker: Looker;
  address: string;
  /** What the browser complained about that the state does not explain. */
  complaints(): string[];
}

/** Opens the row's page in the state. */
export async function visitInState(
  world: PanelWorld,
  row: PageRow,
  state: PageState,
  options: Pick<VisitorOptions, "phone" | "language" | "theme">,
): Promise<StateVisit> {
  const who = visitorOf(world, row, state);
  const visitor = await Visitor.open(world.cluster, "about:blank", { ...options, ...who });
  visitor.overlook(/^/); // told by `complaints`
  const looker = new Looker(visitor);
  const address = addressIn(world, row, state);
  const visit: StateVisit = {
    looker,
    address,
    complaints: () => looker.newComplaints(explained[state] ?? /$^/),
    [Symbol.asyncDispose]: () => visitor[Symbol.asyncDispose](),
  };
  await looker.open(address);
  if (state === "offline") await looker.page.context().setOffline(true);
  if (state === "loading") await load(looker, address);
  return visit;
}

/** What a page should say of its state and does not. */
export async function unsaid({ looker }: StateVisit, row: PageRow, state: PageState): Promise<string[]> {
  const isOld = (state === "offline" || state === "stale") && row.session !== "none";
  return !isOld || (await looker.says(staleWords)) ? [] : ["it does not say that its data are old"];
}

function visitorOf(world: PanelWorld, row: PageRow, state: PageState): Pick<VisitorOptions, "session"> {
  if (state === "empty") return { session: world.newcomer };
  if (state === "suspended") return { session: world.suspended };
  return sessionOf(row.session, world);
}

function addressIn(world: PanelWorld, row: PageRow, state: PageState): string {
  if (state === "suspended") return addressOf(row, { ...world, projectId: world.suspendedProjectId });
  if (state === "failed") return addressOf(row, { ...world, projectId: unknownId, siteId: unknownId });
  return addressOf(row, world);
}

/** Leads to a page whose chunks the browser has, with answers that are long on their way. */
async function load(looker: Looker, address: string): Promise<void> {
  await looker.open(address.startsWith("/sign-in") ? "/password/forgot" : "/help");
  const browser = await looker.page.context().newCDPSession(looker.page);
  const network = { offline: false, latency: slowMs, downloadThroughput: -1, uploadThroughput: -1 };
  await browser.send("Network.emulateNetworkConditions", network);
  await looker.follow(address);
  await looker.says(/\S/);
}

/** Brings the cluster into a state: a silent machine before pages are opened, a lost central after. */
export async function beginState(world: PanelWorld, state: PageState): Promise<void> {
  if (state === "host away") await world.cluster.host.stop();
  if (state === "stale") await world.cluster.stopCentral();
}

/** Brings the cluster back to what it was. */
export async function endState(world: PanelWorld, state: PageState): Promise<void> {
  const { cluster } = world;
  if (state === "stale") await cluster.startCentral();
  if (state === "host away") await cluster.host.start();
  await cluster.untilConnected();
}
