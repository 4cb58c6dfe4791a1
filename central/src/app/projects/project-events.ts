/**
 * Lists the events of a project: what people and keys did to it, how its runs ended, and which files its
 * versions replaced, in one order.
 */

import { AppError, makeId, type ActivityAction, type ProjectEvent } from "@tijolo/protocol";
import type { AccountRow } from "../../store/tables/account.ts";
import { listProjectActivity, type ActivityRow } from "../../store/tables/activity.ts";
import { listExits, type ExitRow } from "../../store/tables/exit.ts";
import { listReplacedFiles, type ReplacedFilesRow } from "../../store/tables/replaced-files.ts";
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
  "project.files_restore": "files_restore",
};
// The keys of the table are actions; `Object.keys` only cannot say so.
const actions = Object.keys(kindOfAction) as ActivityAction[];

/**
 * Lists events, newest first. At the same millisecond exits stand before replaced files, and these before
 * activity, so that the order is one, and a cursor, the last event's time and place among those of its kind,
 * tells for all kinds what is older.
 */
export async function listProjectEvents(
  app: ProjectsContext,
  account: AccountRow,
  projectId: string,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
): Promise<{ events: ProjectEvent[]; nextCursor: string | null }> {
  await getProject(app, account, projectId);
  const older = cursor === undefined ? noCursor : readCursor(cursor);
  const [activity, exits, replaced] = await Promise.all([
    listProjectActivity(app.db, projectId, { actions, before: older.activity, limit: limit + 1 }),
    listExits(app.db, projectId, { before: older.exit, limit: limit + 1 }),
    listReplacedFiles(app.db, projectId, { before: older.replaced, limit: limit + 1 }),
  ]);
  const all = [...exits.map(eventOfExit), ...replaced.map(eventOfReplaced), ...activity.map(eventOfActivity)];
  all.sort((one, other) => other.atMs - one.atMs); // stable: the kinds stay in this order
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
    replaced: null,
  };
  return { atMs: at, cursor: `${at}-${id}`, event };
}

function eventOfReplaced({ at, versionNumber, count, paths }: ReplacedFilesRow): PlacedEvent {
  const cursor = `${at}-v${versionNumber}`;
  const event = {
    id: cursor,
    at: new Date(at).toISOString(),
    kind: "files_replaced" as const,
    actor: null,
    exit: null,
    replaced: { version: versionNumber, count, paths },
  };
  return { atMs: at, cursor, event };
}

function eventOfExit({ at, runNumber, code, isOutOfMemory, isCrash }: ExitRow): PlacedEvent {
  const cursor = `${at}-${runNumber}`;
  const kind = isCrash ? "crash" : "exit";
  const exit = { code, isOutOfMemory };
  return {
    atMs: at,
    cursor,
    event: { id: cursor, at: new Date(at).toISOString(), kind, actor: null, exit, replaced: null },
  };
}

const earliest = new Uint8Array(10);

/** Where a page goes on, for each kind of event. */
interface Older {
  activity: string | undefined;
  exit: { at: number; runNumber: number } | undefined;
  replaced: { at: number; versionNumber: number } | undefined;
}

const noCursor: Older = { activity: undefined, exit: undefined, replaced: undefined };

/** Returns what is older than the event with this cursor, of each kind. */
function readCursor(cursor: string): Older {
  const parts = /^(\d{1,14})-(?:([0-9A-HJKMNP-TV-Z]{26})|(v?)(\d{1,14}))$/.exec(cursor);
  if (parts === null) throw new AppError("invalid_request", { extra: { field: "cursor" } });
  const at = Number(parts[1]);
  const [, , activityId, isReplaced, number] = parts;
  const none = { exit: { at, runNumber: 0 }, replaced: { at, versionNumber: 0 } };
  if (activityId !== undefined) return { ...none, activity: activityId };
  const activity = makeId(at + 1, earliest);
  return isReplaced === "v"
    ? { activity, exit: none.exit, replaced: { at, versionNumber: Number(number) } }
    : { activity, exit: { at, runNumber: Number(number) }, replaced: { at: at + 1, versionNumber: 0 } };
}
