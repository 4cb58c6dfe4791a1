/**
 * Keeps the last list of projects in this browser, so that the next visit has something to show before the server
 * has answered; it is marked as old until then. Of each project it keeps what the list shows: no command, no
 * message (which may quote a log), no variables. Only one account's list is ever kept, and none after a sign-out.
 */

import type { LiveProject } from "@tijolo/protocol/live";
import type { TabState } from "./live-state.ts";

const storageKey = "tijolo.last-list";
/** Counted up when what is kept changes its form. */
const form = 1;

export interface KeptList {
  form: number;
  accountId: string;
  /** Milliseconds since 1970 when the server was last heard. */
  heardAt: number;
  projects: LiveProject[];
}

/** Stores the list of a state that the server told; anything else leaves what is stored. */
export function keepList(accountId: string, state: TabState): void {
  const list = listOf(accountId, state);
  if (list === null) return;
  try {
    localStorage.setItem(storageKey, JSON.stringify(list));
  } catch {
    forgetList(); // no room, or a browser that stores nothing
  }
}

/** The list of this account's last visit; null when there is none. Another account's is removed. */
export function keptList(accountId: string): KeptList | null {
  try {
    const list = JSON.parse(localStorage.getItem(storageKey) ?? "null") as KeptList | null;
    if (list === null || (list.form === form && list.accountId === accountId)) return list;
  } catch {
    // What cannot be read is removed, too.
  }
  forgetList();
  return null;
}

export function forgetList(): void {
  try {
    localStorage.removeItem(storageKey);
  } catch {
    // A browser that stores nothing has nothing to forget.
  }
}

/** What is kept of a state; null when it is nothing that the server told, or there is no project. */
export function listOf(
  accountId: string,
  { isComplete, isKept, ended, heardAt, projects }: TabState,
): KeptList | null {
  if (!isComplete || isKept || ended !== null || heardAt === null || projects.size === 0) return null;
  return { form, accountId, heardAt, projects: [...projects.values()].map(withoutSecrets) };
}

function withoutSecrets(live: LiveProject): LiveProject {
  const { project } = live;
  const error = project.error === null ? null : { ...project.error, message: "" };
  return { ...live, project: { ...project, command: "", installCommand: null, error } };
}
