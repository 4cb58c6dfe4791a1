/**
 * Holds what one account's live streams show, with the number of the last change of each part. A stream is a
 * number in it: what has a higher one is still to be sent. So a thing that changes often is sent once, as it
 * is last, and a slow reader piles up nothing.
 */

import { isDeepStrictEqual } from "node:util";
import type { Account, LiveEvent, LiveProject, Notice } from "@tijolo/protocol";
import { isSameLiveProject } from "./live-project.ts";

/** Number of the last events after which a reader may continue. */
const defaultKept = 1_000;

interface Numbered<Value> {
  number: number;
  value: Value;
}

/** A change and its number. */
export interface Change {
  number: number;
  event: LiveEvent;
}

export class LiveState {
  readonly #first: number;
  readonly #kept: number;
  #last: number;
  readonly #projects = new Map<string, Numbered<LiveProject>>();
  /** Numbers of deletions by project, oldest first. */
  readonly #deleted = new Map<string, number>();
  /** Notices by id, the one that changed longest ago first. */
  readonly #notices = new Map<string, Numbered<Notice>>();
  #account: Numbered<Account> | null = null;
  #unread: Numbered<number>;

  /** `first` is the number before the first change: no other state has numbers from there on. */
  constructor(first: number, kept: number = defaultKept) {
    this.#first = first;
    this.#last = first;
    this.#kept = kept;
    this.#unread = { number: first, value: 0 };
  }

  /** Number of the last change. */
  get last(): number {
    return this.#last;
  }

  get account(): Account | null {
    return this.#account?.value ?? null;
  }

  get unread(): number {
    return this.#unread.value;
  }

  get projectIds(): Iterable<string> {
    return this.#projects.keys();
  }

  find(projectId: string): LiveProject | undefined {
    return this.#projects.get(projectId)?.value;
  }

  /** Returns all projects, by their ids. */
  projects(): LiveProject[] {
    return [...this.#projects.values()]
      .map(({ value }) => value)
      .toSorted((one, other) => (one.project.id < other.project.id ? -1 : 1));
  }

  putProject(live: LiveProject): void {
    const { id } = live.project;
    const known = this.#projects.get(id);
    if (known !== undefined && isSameLiveProject(known.value, live)) return;
    this.#deleted.delete(id);
    this.#projects.set(id, { number: this.#next(), value: live });
  }

  deleteProject(id: string): void {
    if (!this.#projects.delete(id)) return;
    this.#deleted.set(id, this.#next());
  }

  /** The windows of the request limits change all the time, so they alone are no change. */
  putAccount(account: Account): void {
    const known = this.#account?.value;
    if (
      known !== undefined &&
      isDeepStrictEqual({ ...known, requests: null }, { ...account, requests: null })
    )
      return;
    this.#account = { number: this.#next(), value: account };
  }

  putNotice(notice: Notice): void {
    this.#notices.delete(notice.id);
    this.#notices.set(notice.id, { number: this.#next(), value: notice });
  }

  putUnread(unread: number): void {
    if (unread !== this.#unread.value) this.#unread = { number: this.#next(), value: unread };
  }

  /** True when a reader that has seen everything up to this number can continue after it. */
  has(number: number): boolean {
    return number >= this.#oldest && number <= this.#last;
  }

  /** Returns what changed after the number, oldest first; null when that is not known any more. */
  changesSince(number: number): Change[] | null {
    if (!this.has(number)) return null;
    if (number === this.#last) return [];
    return [...this.#allChanges()]
      .filter((change) => change.number > number)
      .toSorted((one, other) => one.number - other.number);
  }

  *#allChanges(): Iterable<Change> {
    for (const { number, value } of this.#projects.values())
      yield { number, event: { event: "project", data: value } };
    for (const [id, number] of this.#deleted)
      yield { number, event: { event: "project_deleted", data: { id } } };
    for (const { number, value } of this.#notices.values())
      yield { number, event: { event: "notice", data: { notice: value, unread: this.unread } } };
    if (this.#account !== null)
      yield {
        number: this.#account.number,
        event: { event: "account", data: { account: this.#account.value } },
      };
    yield {
      number: this.#unread.number,
      event: { event: "notice", data: { notice: null, unread: this.unread } },
    };
  }

  get #oldest(): number {
    return Math.max(this.#first, this.#last - this.#kept);
  }

  /** Returns the number of a change that is made now, and forgets what nobody may continue before. */
  #next(): number {
    this.#last++;
    const oldest = this.#oldest;
    for (const [id, number] of this.#deleted) {
      if (number > oldest) break;
      this.#deleted.delete(id);
    }
    for (const [id, { number }] of this.#notices) {
      if (number > oldest) break;
      this.#notices.delete(id);
    }
    return this.#last;
  }
}
