/**
 * Actions that the person pressed and that the server has not told of yet: the mark stands at once, and is taken
 * back when the server refuses, or when the live stream says what became of it.
 */

import type { LiveAction, LiveProject } from "@tijolo/protocol/live";
import { useSyncExternalStore } from "react";
import { liveState, subscribeLive } from "../../live/live-store.ts";

/** Milliseconds after which a mark goes, whatever the stream says: it never outlives what is known. */
const longestMs = 30_000;
/** Milliseconds for which it stays once the server has accepted: an action that changes nothing is not told of. */
const settledMs = 4_000;

interface Pending {
  action: LiveAction;
  /** The project as it was when the button was pressed. */
  before: LiveProject | undefined;
  timer: ReturnType<typeof setTimeout>;
}

const pending = new Map<string, Pending>();
const listeners = new Set<() => void>();

export function markAction(projectId: string, action: LiveAction): void {
  clearMark(projectId);
  const timer = setTimeout(() => clearMark(projectId), longestMs);
  pending.set(projectId, { action, before: liveState().projects.get(projectId), timer });
  changed();
}

/** Said when the server has accepted: the stream tells within a moment what became of it. */
export function settleMark(projectId: string): void {
  const mark = pending.get(projectId);
  if (mark === undefined) return;
  clearTimeout(mark.timer);
  mark.timer = setTimeout(() => clearMark(projectId), settledMs);
}

export function clearMark(projectId: string): void {
  const mark = pending.get(projectId);
  if (mark === undefined) return;
  clearTimeout(mark.timer);
  pending.delete(projectId);
  changed();
}

/** The action that was pressed for a project and is not told of yet, outside of a component. */
export function pendingAction(projectId: string): LiveAction | null {
  return pending.get(projectId)?.action ?? null;
}

/** The action that was pressed for this project and is not told of yet. */
export function usePendingAction(projectId: string): LiveAction | null {
  return useSyncExternalStore(subscribe, () => pending.get(projectId)?.action ?? null);
}

/** How many marks stand, for a component that looks at several. */
export function usePendingCount(): number {
  return useSyncExternalStore(subscribe, () => pending.size);
}

subscribeLive(() => {
  const { projects } = liveState();
  for (const [id, { before }] of pending) if (hasMoved(before, projects.get(id))) clearMark(id);
});

/** True once the stream told anything new of the project beside its usage. */
function hasMoved(before: LiveProject | undefined, now: LiveProject | undefined): boolean {
  if (before === undefined || now === undefined) return before !== now;
  return (
    before.action !== now.action ||
    before.project.status !== now.project.status ||
    before.project.updatedAt !== now.project.updatedAt
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function changed(): void {
  for (const listener of listeners) listener();
}
