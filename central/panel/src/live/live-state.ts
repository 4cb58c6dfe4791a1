/** What this tab knows of the account's projects, and how sure it may be of it. */

import { applyLiveEvent, emptyLiveState, type LiveEvent, type LiveState } from "@tijolo/protocol/live";

/**
 * `connecting`: nothing was heard yet. `live`: what is shown is true now. `stale`: the connection is gone, and what
 * is shown was true at `heardAt`. `ended`: the session is over.
 */
export type Connection = "connecting" | "live" | "stale" | "ended";

export interface TabState extends LiveState {
  connection: Connection;
  /** Milliseconds since 1970 when the server was last heard; null before the first time. */
  heardAt: number | null;
  /** Id of the last event that can be continued after; null before the first one. */
  cursor: string | null;
  /** True while the projects are those of the last visit: the server has not told them yet. */
  isKept: boolean;
  /** Counts whole snapshots: each comes with a connection that begins anew, for example after an update. */
  snapshots: number;
}

export const emptyTabState: TabState = {
  ...emptyLiveState,
  connection: "connecting",
  heardAt: null,
  cursor: null,
  isKept: false,
  snapshots: 0,
};

/** Returns the state after `event`, which was received at `now`. */
export function applyEvent(state: TabState, event: LiveEvent, now: number): TabState {
  const { ended, ...rest } = applyLiveEvent(state, event);
  return {
    ...rest,
    ended,
    cursor: event.id ?? state.cursor,
    // A snapshot replaces what was kept when its last part has come.
    isKept: state.isKept && !(event.event === "snapshot" && event.data.isLast),
    heardAt: now,
    snapshots: state.snapshots + (event.event === "snapshot" && event.data.isLast ? 1 : 0),
    connection: ended === null ? state.connection : "ended",
  };
}
