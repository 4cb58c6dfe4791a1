/** Lists the events of a project: what people and keys did to it, and how its runs ended, in one order. */

import { AppError, makeId, type ActivityAction, type ProjectEvent } from "@tijolo/protocol";
import type { AccountRow } from "../../store/tables/account.ts";
import { listProjectActivity, type ActivityRow } from "../../store/tables/activity.ts";
import { listExits, type ExitRow } from "../../store/tables/exit.ts";
import type { ProjectsContext } from "./projects-context.ts";
import { getProject } from "./project.ts";

const kindOfAction: Partial<Record<ActivityAction, ProjectEvent["kind"]>> = {
  "project.create": "create",
  "project.upload": "upload",
  "project.settings": "settings",
  "project.variables": "variables",
  "project.start": "start",
  "project.stop": "stop",
  "project.restart": "restart",
};
// The keys of the table are actions; `Object.keys` only cannot say so.
const actions = Object.keys(kindOfAction) as ActivityAction[];

/**
 * Lists events, newest first. At the same millisecond exits stand before activity, so that the order is one,
 * and a cursor, the last event's time and place among those of its kind, tells for both kinds what is older.
 */
export async function listProjectEvents(
  app: ProjectsContext,
  account: AccountRow,
  projectId: string,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
): Promise<{ events: ProjectEvent[]; nextCursor: string | null }> {
  await getProject(app, account, projectId);
  const older = cursor === undefined ? { activity: undefined, exit: undefined } : readCursor(cursor);
  const [activity, exits] = await Promise.all([
    listProjectActivity(app.db, projectId, { actions, before: older.activity, limit: limit + 1 }),
    listExits(app.db, projectId, { before: older.exit, limit: limit + 1 }),
  ]);
  const all = [...exits.map(eventOfExit), ...activity.map(eventOfActivity)];
  all.sort((one, other) => other.atMs - one.atMs); // stable: exits stay before activity
  const page = all.slice(0, limit);
  return {
    events: page.map(({ event }) => event),
    nextCursor: all.length > limit ? (page.at(-1)?.cursor ?? null) : null,
  };
}

interface PlacedEvent {
  atMs: number;
  cursor: string;
  event: ProjectEvent;
}

function eventOfActivity({ id, at, actor, action }: ActivityRow): PlacedEvent {
  const kind = kindOfAction[action];
  if (kind === undefined) throw new Error(`${action} is no event of a project`);
  const event = {
    id,
    at: new Date(at).toISOString(),
    kind,
    actor: { kind: actor.kind, name: actor.name },
    exit: null,
  };
  return { atMs: at, cursor: `${at}-${id}`, event };
}

function eventOfExit({ at, runNumber, code, isOutOfMemory, isCrash }: ExitRow): PlacedEvent {
  const cursor = `${at}-${runNumber}`;
  const kind = isCrash ? "crash" : "exit";
  return {
    atMs: at,
    cursor,
    event: { id: cursor, at: new Date(at).toISOString(), kind, actor: null, exit: { code, isOutOfMemory } },
  };
}

const earliest = new Uint8Array(10);

/** Returns what is older than the event with this cursor, of either kind. */
function readCursor(cursor: string): { activity: string; exit: { at: number; runNumber: number } } {
  const parts = /^(\d{1,14})-(?:([0-9A-HJKMNP-TV-Z]{26})|(\d{1,14}))$/.exec(cursor);
  if (parts === null) throw new AppError("invalid_request", { extra: { field: "cursor" } });
  const at = Number(parts[1]);
  const [, , activityId, runNumber] = parts;
  if (activityId !== undefined) return { activity: activityId, exit: { at, runNumber: 0 } };
  return { activity: makeId(at + 1, earliest), exit: { at, runNumber: Number(runNumber) } };
}
