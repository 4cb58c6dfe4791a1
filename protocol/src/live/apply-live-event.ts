/**
 * Applies the events of a live stream to what a panel knows. Pure, and free of schemas: a browser loads this
 * file alone.
 */

import type { Account } from "../nouns/account.ts";
import type { LiveEvent, LiveProject, SessionEndReason } from "../nouns/live-event.ts";
import type { Notice } from "../nouns/notice.ts";

export type { LiveAction, LiveEvent, LiveProject, LiveSnapshot, WaitingField } from "../nouns/live-event.ts";

/** State that a live stream has told so far. It is never modified: each event makes another one. */
export interface LiveState {
  /** Projects by id, in the order of their ids after a snapshot. */
  projects: ReadonlyMap<string, LiveProject>;
  account: Account | null;
  /** Number of unread notices; null until it is known. */
  unread: number | null;
  /** The newest notice of this stream; null until one comes. */
  notice: Notice | null;
  /** Time of the newest usage; null until one comes. */
  usageAt: string | null;
  /** Parts of a snapshot that is still being received; null when none is. */
  incoming: ReadonlyMap<string, LiveProject> | null;
  /** True once a whole snapshot has come. */
  isComplete: boolean;
  /** Reason why the session ended; null while it has not. */
  ended: SessionEndReason | null;
}

export const emptyLiveState: LiveState = {
  projects: new Map(),
  account: null,
  unread: null,
  notice: null,
  usageAt: null,
  incoming: null,
  isComplete: false,
  ended: null,
};

/** Returns the state after the event. A snapshot replaces the projects when its last part has come. */
export function applyLiveEvent(state: LiveState, event: LiveEvent): LiveState {
  switch (event.event) {
    case "snapshot":
      return afterPart(state, event.data);
    case "project":
      return { ...state, projects: new Map(state.projects).set(event.data.project.id, event.data) };
    case "project_deleted": {
      if (!state.projects.has(event.data.id)) return state;
      const projects = new Map(state.projects);
      projects.delete(event.data.id);
      return { ...state, projects };
    }
    case "usage":
      return afterUsage(state, event.data);
    case "account":
      return { ...state, account: event.data.account };
    case "notice": {
      const { notice, unread } = event.data;
      return { ...state, unread, ...(notice === null ? {} : { notice }) };
    }
    case "session_ended":
      return { ...state, ended: event.data.reason };
  }
}

type DataOf<Kind extends LiveEvent["event"]> = Extract<LiveEvent, { event: Kind }>["data"];

function afterPart(state: LiveState, { isFirst, isLast, projects }: DataOf<"snapshot">): LiveState {
  const incoming = new Map(isFirst ? [] : state.incoming);
  for (const live of projects) incoming.set(live.project.id, live);
  return isLast ? { ...state, projects: incoming, incoming: null, isComplete: true } : { ...state, incoming };
}

function afterUsage(state: LiveState, { at, projects: used }: DataOf<"usage">): LiveState {
  const projects = new Map(state.projects);
  for (const { id, usage, hostSeenAt } of used) {
    const live = projects.get(id);
    // What has stopped meanwhile has no usage any more.
    if (live === undefined || live.project.status !== "running") continue;
    projects.set(id, { ...live, hostSeenAt, project: { ...live.project, usage } });
  }
  return { ...state, projects, usageAt: at };
}
