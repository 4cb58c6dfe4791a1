/** Visitors who go through rows of pages one after the other, a few at a time. */

import type { PageRow } from "../pages.ts";
import type { PanelWorld } from "./panel-world.ts";
import { Looker } from "./look.ts";
import { Visitor, type VisitorOptions } from "./visitor.ts";

const visitorsAtOnce = 2;

export interface Lane {
  session: PageRow["session"];
  phone: boolean;
  language: "pt" | "en";
  rows: readonly PageRow[];
}

/** Each row on a desk and on a phone: in one language here, in the other there. */
export function lanesOf(rows: readonly PageRow[]): Lane[] {
  const inLanguage = (row: PageRow, phone: boolean) =>
    (rows.indexOf(row) % 2 === 0) === phone ? "en" : "pt";
  return everyLane(rows).map((lane) => ({
    ...lane,
    rows: lane.rows.filter((row) => inLanguage(row, lane.phone) === lane.language),
  }));
}

/** Each row in each language on each device. */
export function everyLane(rows: readonly PageRow[]): Lane[] {
  return (["none", "person", "operator"] as const).flatMap((session) =>
    [false, true].flatMap((phone) =>
      (["pt", "en"] as const).map((language) => ({
        session,
        phone,
        language,
        rows: rows.filter((row) => row.session === session),
      })),
    ),
  );
}

export function addressOf({ address, path }: PageRow, world: PanelWorld): string {
  return address?.(world) ?? path;
}

export function sessionOf(session: PageRow["session"], world: PanelWorld): Pick<VisitorOptions, "session"> {
  if (session === "none") return {};
  return { session: session === "operator" ? world.operator : world.person };
}

/** Calls `look` for each row, in a browser of each lane's own. */
export async function walk(
  world: PanelWorld,
  lanes: readonly Lane[],
  look: (looker: Looker, row: PageRow, lane: Lane) => Promise<void>,
): Promise<void> {
  await atMost(
    visitorsAtOnce,
    lanes.filter(({ rows }) => rows.length > 0),
    async (lane) => {
      const { phone, language, session } = lane;
      const options = { phone, language, ...sessionOf(session, world) };
      const visitor = await Visitor.open(world.cluster, "about:blank", options);
      try {
        const looker = new Looker(visitor);
        for (const row of lane.rows) await look(looker, row, lane);
      } finally {
        visitor.overlook(/^/); // told by what looks
        await visitor[Symbol.asyncDispose]();
      }
    },
  );
}

/** Calls `work` for each item, a few at a time. */
export async function atMost<Item>(
  count: number,
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const left = [...items];
  const next = async (): Promise<void> => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: count }, next));
}
