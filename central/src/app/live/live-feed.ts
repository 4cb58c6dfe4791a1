/**
 * Keeps the live state of one account in one language up to date. It reads what a wake names, once for all
 * streams that share it; nothing is polled but the usage, which is in memory.
 */

import { setTimeout as delay } from "node:timers/promises";
import type { LiveProject, LiveSnapshot, LiveEvent } from "@tijolo/protocol";
import { Latch } from "@tijolo/protocol/kit/latch";
import type { TextLanguage } from "@tijolo/protocol/texts/project";
import type { WakeTopic } from "../../store/wakes.ts";
import { usageOf } from "../projects/project-view.ts";
import { isReachable } from "../projects/project.ts";
import type { LiveContext } from "./live-context.ts";
import { LiveReading, type PlacedLive } from "./live-reading.ts";
import { LiveState, type Change } from "./live-state.ts";

/** Milliseconds between two readings, so that a burst of commits is read once. */
const paceMs = 50;
/** Milliseconds until a reading that failed is tried again. */
const retryMs = 1_000;
/** Milliseconds between two reports of usage. */
const usageEveryMs = 5_000;

export interface FeedSubject {
  accountId: string;
  language: TextLanguage;
  /** Number before the feed's first change. */
  first: number;
}

type UsageEvent = Extract<LiveEvent, { event: "usage" }>;

export class LiveFeed {
  /** Resolves when the state is whole; rejects when it cannot be read. */
  readonly ready: Promise<void>;
  readonly #app: LiveContext;
  readonly #accountId: string;
  readonly #state: LiveState;
  readonly #reading: LiveReading;
  readonly #ending = new AbortController();
  readonly #news = new Latch();
  readonly #readers = new Set<Latch>();
  readonly #subscriptions = new Map<WakeTopic, () => void>();
  /** Hosts by project. */
  readonly #hosts = new Map<string, string>();
  /** Projects that were woken since they were read. */
  readonly #dirty = new Set<string>();
  #isAccountDirty = true;
  #isListDirty = true;
  #areNoticesDirty = true;
  #usage: UsageEvent | null = null;
  #usageTimer: ReturnType<typeof setInterval> | null = null;
  readonly #work: Promise<void>;

  constructor(app: LiveContext, { accountId, language, first }: FeedSubject) {
    this.#app = app;
    this.#accountId = accountId;
    this.#state = new LiveState(first);
    this.#reading = new LiveReading(app, { accountId, language });
    this.#on(`account:${accountId}`, () => (this.#isAccountDirty = true));
    this.#on(`projects:${accountId}`, () => (this.#isListDirty = true));
    this.#on(`notices:${accountId}`, () => (this.#areNoticesDirty = true));
    this.ready = this.#refresh();
    this.ready.catch(() => {}); // whoever opens a stream hears of it
    this.#work = this.#follow();
  }

  /** Aborted when the feed is closed. */
  get ended(): AbortSignal {
    return this.#ending.signal;
  }

  get last(): number {
    return this.#state.last;
  }

  get usage(): UsageEvent | null {
    return this.#usage;
  }

  has(number: number): boolean {
    return this.#state.has(number);
  }

  changesSince(number: number): Change[] | null {
    return this.#state.changesSince(number);
  }

  /** Returns all that there is now, with today's usage; `cursorOf` names the place of its last change. */
  snapshot(cursorOf: (number: number) => string): LiveSnapshot {
    const { account, unread, last } = this.#state;
    if (account === null) throw new Error("the live state was asked for before it was read");
    return {
      at: this.#now(),
      cursor: cursorOf(last),
      account,
      unread,
      projects: this.#state.projects().map((live) => this.#withUsage(live)),
    };
  }

  /** Wakes the latch at each change, and at each report of usage. Returns the unsubscribe function. */
  subscribe(reader: Latch): () => void {
    this.#readers.add(reader);
    if (this.#usageTimer === null) {
      this.#reportUsage();
      this.#usageTimer = setInterval(() => this.#reportUsage(), usageEveryMs).unref();
    }
    return () => {
      this.#readers.delete(reader);
      if (this.#readers.size > 0 || this.#usageTimer === null) return;
      clearInterval(this.#usageTimer);
      this.#usageTimer = null;
    };
  }

  async close(): Promise<void> {
    this.#ending.abort();
    for (const unsubscribe of this.#subscriptions.values()) unsubscribe();
    if (this.#usageTimer !== null) clearInterval(this.#usageTimer);
    await this.#work;
  }

  async #follow(): Promise<void> {
    const { signal } = this.#ending;
    await this.ready.catch(() => {});
    while ((await this.#news.wait({ signal, timeoutMs: null })) === "set") {
      let pauseMs = paceMs;
      try {
        await this.#refresh();
      } catch (error) {
        this.#app.logger.error({ err: error, accountId: this.#accountId }, "a live feed could not be read");
        this.#news.set();
        pauseMs = retryMs;
      }
      await delay(pauseMs, undefined, { signal }).catch(() => {});
    }
  }

  /** Reads what has changed. What could not be read stays to be read. */
  async #refresh(): Promise<void> {
    const before = this.#state.last;
    if (this.#isAccountDirty) {
      this.#isAccountDirty = false;
      const isOtherPlan = await this.#reading.readAccount().catch((cause: unknown) => {
        this.#isAccountDirty = true;
        throw cause;
      });
      if (isOtherPlan) this.#isListDirty = true;
    }
    if (this.#isListDirty) await this.#refreshAll();
    else await this.#refreshDirty();
    this.#state.putAccount(await this.#reading.viewAccount());
    await this.#refreshNotices();
    if (this.#state.last !== before) for (const reader of this.#readers) reader.set();
  }

  /** Reads the list again where it names a project that was not watched yet: it may have changed since. */
  async #refreshAll(): Promise<void> {
    this.#isListDirty = false;
    this.#dirty.clear();
    try {
      let found = await this.#reading.readAll(this.#state);
      if (found.filter((each) => this.#watch(each)).length > 0)
        found = (await this.#reading.readAll(this.#state)).filter((each) => !this.#watch(each));
      const ids = new Set(found.map(({ live }) => live.project.id));
      for (const id of this.#state.projectIds) if (!ids.has(id)) this.#delete(id);
      for (const { live } of found) this.#state.putProject(live);
    } catch (cause) {
      this.#isListDirty = true;
      throw cause;
    }
  }

  async #refreshDirty(): Promise<void> {
    for (const id of this.#dirty) {
      this.#dirty.delete(id);
      const found = await this.#reading.readProject(id, this.#state).catch((cause: unknown) => {
        this.#dirty.add(id);
        throw cause;
      });
      if (found === undefined) this.#delete(id);
      else {
        this.#watch(found);
        this.#state.putProject(found.live);
      }
    }
  }

  async #refreshNotices(): Promise<void> {
    if (!this.#areNoticesDirty) return;
    this.#areNoticesDirty = false;
    const { unread, changed } = await this.#reading.readNotices().catch((cause: unknown) => {
      this.#areNoticesDirty = true;
      throw cause;
    });
    this.#state.putUnread(unread);
    for (const notice of changed) this.#state.putNotice(notice);
  }

  /** Follows the project's changes and its host from now on. Returns whether it was not watched before. */
  #watch({ live, hostId }: PlacedLive): boolean {
    const { id } = live.project;
    const isNew = !this.#subscriptions.has(`project:${id}`);
    this.#hosts.set(id, hostId);
    this.#on(`project:${id}`, () => this.#dirty.add(id));
    this.#on(`contact:${hostId}`, () => {
      for (const [projectId, placedOn] of this.#hosts) if (placedOn === hostId) this.#dirty.add(projectId);
    });
    return isNew;
  }

  #delete(id: string): void {
    this.#hosts.delete(id);
    this.#state.deleteProject(id);
    this.#subscriptions.get(`project:${id}`)?.();
    this.#subscriptions.delete(`project:${id}`);
  }

  #on(topic: WakeTopic, mark: () => void): void {
    if (this.#subscriptions.has(topic) || this.ended.aborted) return;
    const unsubscribe = this.#app.wakes.on(topic, () => {
      mark();
      this.#news.set();
    });
    this.#subscriptions.set(topic, unsubscribe);
  }

  #reportUsage(): void {
    const projects = this.#state
      .projects()
      .filter(({ project }) => project.status === "running")
      .map((live) => {
        const { project, hostSeenAt } = this.#withUsage(live);
        return { id: project.id, usage: usageOf(this.#app, project), hostSeenAt };
      });
    this.#usage = { event: "usage", data: { at: this.#now(), projects } };
    for (const reader of this.#readers) reader.set();
    this.#noteReachable();
  }

  /** A project that is held back counts as on a disconnected host, and nothing wakes when that changes. */
  #noteReachable(): void {
    for (const [id, hostId] of this.#hosts) {
      const isAway = this.#state.find(id)?.isHostAway;
      if (isAway === undefined || isAway !== isReachable(this.#app, { id, hostId })) continue;
      this.#dirty.add(id);
      this.#news.set();
    }
  }

  #withUsage(live: LiveProject): LiveProject {
    const { project } = live;
    const hostId = this.#hosts.get(project.id);
    const heardAt = hostId === undefined ? null : this.#app.hostStates.lastHeardAt(hostId);
    return {
      ...live,
      hostSeenAt: heardAt === null ? live.hostSeenAt : new Date(heardAt).toISOString(),
      project: project.status === "running" ? { ...project, usage: usageOf(this.#app, project) } : project,
    };
  }

  #now(): string {
    return new Date(this.#app.clock.now()).toISOString();
  }
}
