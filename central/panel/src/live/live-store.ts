/** Holds the live state of this tab for its components. */

import { useSyncExternalStore } from "react";
import type { LiveProject } from "@tijolo/protocol/live";
import { emptyTabState, type TabState } from "./live-state.ts";

const listeners = new Set<() => void>();
let state = emptyTabState;

export function liveState(): TabState {
  return state;
}

export function setLiveState(next: TabState): void {
  if (next === state) return;
  state = next;
  for (const listener of listeners) listener();
}

/** Calls `listener` after each change; returns what ends that. */
export function subscribeLive(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

let isLeaving = false;

/** Said around a sign-out of this tab: the end of its session is no news then. */
export function setSigningOut(isOn: boolean): void {
  isLeaving = isOn;
}

export function isSigningOut(): boolean {
  return isLeaving;
}

/** A part of the live state; the component is drawn again when that part is another value. */
export function useLive<Part>(part: (state: TabState) => Part): Part {
  return useSyncExternalStore(subscribeLive, () => part(state));
}

/** A project as it is now; undefined while nothing is known of it, and after it was deleted. */
export function useLiveProject(id: string): LiveProject | undefined {
  return useLive(({ projects }) => projects.get(id));
}
