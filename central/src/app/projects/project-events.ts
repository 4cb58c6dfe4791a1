/**
 * Lists the events of a project: what people and keys did to it, how its runs ended, what failed, and which
 * files its versions replaced, in one order.
 */

import { AppError, makeId, type ActivityAction, type ProjectEvent } from "@tijolo/protocol";
import { projectErrorMessage, type TextLanguage } from "@tijolo/protocol/texts/project";
import { listProjectActivity, type ActivityRow } from "../../store/tables/accounts/activity.ts";
import { listExits, type ExitRow } from "../../store/tables/projects/exit.ts";
import {
  listProjectEvents as listFailures,
  type ProjectEventRow,
} from "../../store/tables/projects/project-event.ts";
import { listReplacedFiles, type ReplacedFilesRow } from "../../store/tables/projects/replaced-files.ts";
import type { Principal } from "../identity/caller.ts";
import type { ProjectsContext } from "./projects-context.ts";
import { getOwned } from "./project.ts";

const kindOfAction: Partial<Record<ActivityAction, ProjectEvent["kind"]>> = {
  "project.create": "create",
  "project.upload": "upload",
  "project.rollback": "rollback",
  "project.settings": "settings",
  "project.variables": "variables",
  "project.start": "start",
  "project.stop": "stop",
  "project.restart": "restart",
  "project.files_restore": "files_restore",
  "domain.add": "domain_add",
  "domain.remove": "domain_remove",
  "domain.active": "domain_active",
  "domain.failed": "domain_failed",
};
// The keys of the table are actions; `Object.keys` only cannot say so.
const actions = Object.keys(kindOfAction) as ActivityAction[];

/**
 * Lists events, newest first. Within a millisecond, failures stand before exits, exits before replaced files,
 * and these before activity, as each leads to the one before it. So there is one order, and a cursor (time
 * and place of the last event among those of its kind) is a position for all kinds.
 */
export async function listProjectEvents(
  app: ProjectsContext,
  { account, language }: Pick<Principal, "account" | "language">,
  projectId: string,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
): Promise<{ events: ProjectEvent[]; nextCursor: string | null }> {
  await getOwned(app.db, account, projectId);
  const older: Older = cursor === undefined ? {} : readCursor(cursor);
  const [activity, exits, failures, replaced] = await Promise.all([
    listProjectActivity(app.db, projectId, { actions, before: older.activity, limit: limit + 1 }),
    listExits(app.db, projectId, { before: older.exit, limit: limit + 1 }),
    listFailures(app.db, projectId, { before: older.failure, limit: limit + 1 }),
    listReplacedFiles(app.db, projectId, { before: older.replaced, limit: limit + 1 }),
  ]);
  const all = [
    ...failures.map((failure) => eventOfFailure(failure, language)),
    ...exits.map(eventOfExit),
    ...replaced.map(eventOfReplaced),
    ...activity.map(eventOfActivity),
  ];
  all.sort((one, other) => other.atMs - one.atMs); // stable: the order of the kinds stays
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

const nothing = {
  actor: null,
  exit: null,
  versionNumber: null,
  rolledBackFrom: null,
  error: null,
  replaced: null,
  domain: null,
};

function eventOfActivity({ id, at, actor, action, before, after }: ActivityRow): PlacedEvent {
  const kind = kindOfAction[action];
  if (kind === undefined) throw new Error(`${action} is no event of a project`);
  const event = {
    ...nothing,
    id,
    at: new Date(at).toISOString(),
    kind,
    actor: { kind: actor.kind, name: actor.name },
    versionNumber: kind === "create" ? 1 : numberOf(after?.["versionNumber"]),
    rolledBackFrom: numberOf(after?.["rolledBackFrom"]),
    domain: textOf(after?.["hostname"] ?? before?.["hostname"]),
  };
  return { atMs: at, cursor: `${at}-${id}`, event };
}

function eventOfReplaced({ at, versionNumber, count, paths }: ReplacedFilesRow): PlacedEvent {
  const cursor = `${at}-${replacedMark}${versionNumber}`;
  const replaced = { version: versionNumber, count, paths };
  const event = {
    ...nothing,
    id: cursor,
    at: new Date(at).toISOString(),
    kind: "files_replaced" as const,
    versionNumber,
    replaced,
  };
  return { atMs: at, cursor, event };
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

function numberOf(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}

function eventOfExit({ at, runNumber, code, isOutOfMemory, isCrash }: ExitRow): PlacedEvent {
  const cursor = `${at}-${runNumber}`;
  const kind = isCrash ? "crash" : "exit";
  const exit = { code, isOutOfMemory };
  return { atMs: at, cursor, event: { ...nothing, id: cursor, at: new Date(at).toISOString(), kind, exit } };
}

function eventOfFailure(
  { id, at, kind, versionNumber, error }: ProjectEventRow,
  language: TextLanguage,
): PlacedEvent {
  const shown = { code: error.code, message: projectErrorMessage(error, language) };
  return {
    atMs: at,
    cursor: `${at}-${failureMark}${id}`,
    event: { ...nothing, id, at: new Date(at).toISOString(), kind, versionNumber, error: shown },
  };
}

/** Mark before a failure's id in a cursor, which distinguishes it from an activity's. */
const failureMark = "f";
/** Mark before the version of replaced files in a cursor, which distinguishes it from an exit's run. */
const replacedMark = "v";

interface Older {
  activity?: string;
  exit?: { at: number; runNumber: number };
  failure?: string;
  replaced?: { at: number; versionNumber: number };
}

/** Returns what is older than the event with this cursor, of each kind. */
function readCursor(cursor: string): Older {
  const parts = /^(\d{1,14})-(?:(f?)([0-9A-HJKMNP-TV-Z]{26})|(v?)(\d{1,14}))$/.exec(cursor);
  if (parts === null) throw new AppError("invalid_request", { extra: { field: "cursor" } });
  const at = Number(parts[1]);
  const [, , idMark, id, numberMark, number] = parts;
  // `all`: every event of the cursor's millisecond is older; `none`: no event of that millisecond is.
  const all = {
    failure: firstIdOf(at + 1),
    exit: { at: at + 1, runNumber: 0 },
    replaced: { at: at + 1, versionNumber: 0 },
    activity: firstIdOf(at + 1),
  };
  const none = { failure: firstIdOf(at), exit: { at, runNumber: 0 }, replaced: { at, versionNumber: 0 } };
  if (id !== undefined) return idMark === failureMark ? { ...all, failure: id } : { ...none, activity: id };
  return numberMark === replacedMark
    ? { ...none, replaced: { at, versionNumber: Number(number) }, activity: all.activity }
    : { ...all, failure: none.failure, exit: { at, runNumber: Number(number) } };
}

/** Returns an id that none of this millisecond is below. */
function firstIdOf(at: number): string {
  return makeId(at, new Uint8Array(10));
}
