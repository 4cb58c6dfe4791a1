/** Shares one feed among the live streams of an account in one language, and bounds both. */

import type { TextLanguage } from "@tijolo/protocol/texts/project";
import { refusalDetails } from "@tijolo/protocol/texts/central";
import { AccountSlots } from "../limits/account-slots.ts";
import type { LiveContext } from "./live-context.ts";
import { LiveFeed } from "./live-feed.ts";

export const liveStreamsAtOnce = 3;

/** Milliseconds for which a feed without a stream is kept, for a reader that comes back. */
const keptMs = 60_000;
/** Largest number of feeds without a stream; the one that was left first goes first. */
const maxIdle = 200;
/** Numbers of each feed: none makes as many changes. */
const numbersPerFeed = 1_000_000_000;

/** A feed that stays open until it is disposed of. */
export interface FeedLease extends Disposable {
  feed: LiveFeed;
}

interface Shared {
  feed: LiveFeed;
  leases: number;
}

export class LiveFeeds implements AsyncDisposable {
  /** Slots by session. */
  readonly slots = new AccountSlots(liveStreamsAtOnce, refusalDetails.liveStreamsAtOnce(liveStreamsAtOnce));
  readonly #app: LiveContext;
  readonly #epoch: number;
  readonly #feeds = new Map<string, Shared>();
  readonly #idle = new Map<string, ReturnType<typeof setTimeout>>();
  #made = 0;
  #isClosed = false;

  constructor(app: LiveContext, epoch: number) {
    this.#app = app;
    this.#epoch = epoch;
  }

  /** Resolves with the account's feed once its state is whole. */
  async open(accountId: string, language: TextLanguage): Promise<FeedLease> {
    const key = `${accountId} ${language}`;
    const shared = this.#feeds.get(key) ?? this.#make(key, { accountId, language });
    shared.leases++;
    clearTimeout(this.#idle.get(key));
    this.#idle.delete(key);
    try {
      await shared.feed.ready;
    } catch (cause) {
      shared.leases--;
      if (this.#feeds.get(key) === shared) this.#feeds.delete(key);
      void shared.feed.close();
      throw cause;
    }
    return { feed: shared.feed, [Symbol.dispose]: () => this.#leave(key, shared) };
  }

  /** Returns the place after this change, as the id of an event. */
  cursorOf(number: number): string {
    return `${this.#epoch}-${number}`;
  }

  /** Returns the number that the id of an event names; null for one that this start of central did not give. */
  numberOf(cursor: string): number | null {
    const [, epoch, number] = /^(\d{1,15})-(\d{1,16})$/.exec(cursor) ?? [];
    return Number(epoch) === this.#epoch ? Number(number) : null;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    for (const timer of this.#idle.values()) clearTimeout(timer);
    this.#idle.clear();
    const open = [...this.#feeds.values()];
    this.#feeds.clear();
    await Promise.all(open.map(({ feed }) => feed.close()));
  }

  #make(key: string, subject: { accountId: string; language: TextLanguage }): Shared {
    const first = this.#made++ * numbersPerFeed;
    const shared = { feed: new LiveFeed(this.#app, { ...subject, first }), leases: 0 };
    if (this.#isClosed) void shared.feed.close();
    else this.#feeds.set(key, shared);
    return shared;
  }

  #leave(key: string, shared: Shared): void {
    if (--shared.leases > 0 || this.#feeds.get(key) !== shared) return;
    this.#idle.set(key, setTimeout(() => this.#forget(key), keptMs).unref());
    const [oldest] = this.#idle.keys();
    if (this.#idle.size > maxIdle && oldest !== undefined) this.#forget(oldest);
  }

  #forget(key: string): void {
    clearTimeout(this.#idle.get(key));
    this.#idle.delete(key);
    const shared = this.#feeds.get(key);
    this.#feeds.delete(key);
    void shared?.feed.close();
  }
}
