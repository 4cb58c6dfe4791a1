/**
 * Follows HAProxy's ring of visits and reports them to central in batches. The ring keeps what comes while
 * this program is away; while central is, the newest visits wait here.
 */

import { randomUUID } from "node:crypto";
import { connect, type Socket } from "node:net";
import { maxReportedVisits, type CarriedVisits } from "@tijolo/protocol";
import type { Logger } from "pino";
import { readVisit, type ReadVisit } from "./read-visit.ts";

const reportEveryMs = 1_000;
const reconnectMs = 1_000;
/** Visits that wait for central: 250 a second for 10 minutes, which take 70 MB. The oldest are dropped first. */
const maxWaiting = 150_000;
/** Visits that are dropped at once: each time all others are moved. */
const droppedAtOnce = 1_000;
/** A line is shorter: HAProxy cuts it. */
const maxLineCharacters = 32 * 1024;
/** HAProxys whose positions are remembered: one serves, others end. */
const maxPositions = 4;

/** How far the ring of each HAProxy was read: by its pid, when its newest visit was written, in microseconds. */
export type RingPositions = Readonly<Record<string, number>>;

export interface VisitRingOptions {
  /** Path of HAProxy's runtime socket. */
  socketPath: string;
  /** Sends a batch to central. When it rejects, the same batch is sent again under the same name. */
  report: (visits: CarriedVisits) => Promise<void>;
  /** Saves how far the rings have been reported, for the next program. */
  savePositions: (positions: RingPositions) => Promise<void>;
  logger: Pick<Logger, "warn">;
}

/** Reads the ring of one HAProxy. */
interface Follower {
  socket: Socket;
  pid: string;
  /** A connection begins with all lines of the ring: those up to here have been read before. */
  readBeforeUs: number;
}

interface Waiting extends ReadVisit {
  pid: string;
}

export class VisitRing implements AsyncDisposable {
  readonly #options: VisitRingOptions;
  readonly #waiting: Waiting[] = [];
  readonly #timer: NodeJS.Timeout;
  readonly #followers = new Set<Follower>();
  readonly #read: Map<string, number>;
  readonly #reported: Map<string, number>;
  #reconnect: NodeJS.Timeout | undefined;
  /** Holds the batch that was sent last until central has answered. */
  #batch: { name: string; visits: Waiting[] } | undefined;
  #reporting: Promise<void> | null = null;
  #dropped = 0;
  #isClosed = false;

  /** `positions` is what an earlier program has saved. */
  constructor(options: VisitRingOptions, positions: RingPositions) {
    this.#options = options;
    this.#read = new Map(Object.entries(positions));
    this.#reported = new Map(this.#read);
    this.#timer = setInterval(() => this.#report(), reportEveryMs).unref();
    this.follow();
  }

  /** Follows the HAProxy that answers now, and those before it until they end. */
  follow(): void {
    if (this.#isClosed) return;
    clearTimeout(this.#reconnect);
    const socket = connect(this.#options.socketPath);
    const follower = { socket, pid: "", readBeforeUs: 0 };
    this.#followers.add(follower);
    socket.on("error", () => {}); // its 'close' is what counts
    socket.write("show info; show events visits -w\n");
    let rest = "";
    socket.setEncoding("utf8").on("data", (text: string) => {
      const lines = (rest + text).split("\n");
      rest = (lines.pop() ?? "").slice(-maxLineCharacters);
      for (const line of lines) this.#take(line, follower);
    });
    socket.once("close", () => {
      this.#followers.delete(follower);
      if (this.#isClosed || this.#followers.size > 0) return;
      this.#reconnect = setTimeout(() => this.follow(), reconnectMs);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    clearTimeout(this.#reconnect);
    for (const { socket } of this.#followers) socket.destroy();
    this.#report();
    await this.#reporting;
  }

  #take(line: string, follower: Follower): void {
    const pid = /^Pid: (\d+)$/.exec(line)?.[1];
    if (pid !== undefined) return this.#know(follower, pid);
    const read = follower.socket.destroyed ? undefined : readVisit(line);
    if (read === undefined || read.atUs <= follower.readBeforeUs) return;
    move(this.#read, follower.pid, read.atUs);
    this.#waiting.push({ ...read, pid: follower.pid });
    if (this.#waiting.length <= maxWaiting) return;
    this.#waiting.splice(0, droppedAtOnce);
    this.#dropped += droppedAtOnce;
  }

  #know(follower: Follower, pid: string): void {
    for (const other of this.#followers) if (other.pid === pid) return void follower.socket.destroy();
    follower.pid = pid;
    follower.readBeforeUs = this.#read.get(pid) ?? 0;
  }

  #report(): void {
    if (this.#reporting !== null) return;
    this.#reporting = this.#reportAll()
      .catch(() => {}) // central is away: they wait
      .finally(() => {
        this.#reporting = null;
      });
  }

  async #reportAll(): Promise<void> {
    while (this.#batch !== undefined || this.#waiting.length > 0) {
      this.#batch ??= { name: randomUUID(), visits: this.#waiting.splice(0, maxReportedVisits) };
      const { name, visits } = this.#batch;
      await this.#options.report({ batch: name, visits: visits.map(({ visit }) => visit) });
      this.#batch = undefined;
      for (const { pid, atUs } of visits) move(this.#reported, pid, atUs);
      await this.#options.savePositions(Object.fromEntries(this.#reported));
    }
    if (this.#dropped > 0)
      this.#options.logger.warn(
        { visits: this.#dropped },
        "visits were not counted: central was away too long",
      );
    this.#dropped = 0;
  }
}

/** Moves the position in the ring of a HAProxy on, as the newest of those that are remembered. */
function move(positions: Map<string, number>, pid: string, atUs: number): void {
  const before = positions.get(pid);
  positions.set(pid, Math.max(before ?? 0, atUs));
  const [oldest] = positions.keys();
  if (before === undefined && positions.size > maxPositions && oldest !== undefined) positions.delete(oldest);
}
