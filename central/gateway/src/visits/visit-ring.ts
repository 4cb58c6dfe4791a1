/**
 * Follows HAProxy's ring of visits and reports them to central in batches. The ring keeps what comes while
 * this program is away; while central is, the newest visits wait here.
 */

import { connect, type Socket } from "node:net";
import { maxReportedVisits, type CarriedVisit } from "@tijolo/protocol";
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

export interface VisitRingOptions {
  /** Path of HAProxy's runtime socket. */
  socketPath: string;
  /**
   * Sends visits to central, of which the newest was written at `newestUs`, in microseconds. Rejects when they were
   * not counted.
   */
  report: (visits: CarriedVisit[], newestUs: number) => Promise<void>;
  logger: Pick<Logger, "warn">;
}

export class VisitRing implements AsyncDisposable {
  readonly #options: VisitRingOptions;
  readonly #waiting: ReadVisit[] = [];
  readonly #timer: NodeJS.Timeout;
  #reconnect: NodeJS.Timeout | undefined;
  #socket: Socket | undefined;
  /** Time of the newest line, in microseconds: a new connection begins with all lines of the ring. */
  #seenUs: number;
  #reporting: Promise<void> | null = null;
  #dropped = 0;
  #isClosed = false;

  /** `seenUs` is the time of the newest visit that an earlier program has reported. */
  constructor(options: VisitRingOptions, seenUs: number) {
    this.#options = options;
    this.#seenUs = seenUs;
    this.#timer = setInterval(() => this.#report(), reportEveryMs).unref();
    this.#follow();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    clearTimeout(this.#reconnect);
    this.#socket?.destroy();
    this.#report();
    await this.#reporting;
  }

  #follow(): void {
    if (this.#isClosed) return;
    const readBefore = this.#seenUs;
    const socket = connect(this.#options.socketPath);
    this.#socket = socket;
    socket.on("error", () => {}); // its 'close' is what counts
    socket.write("show events visits -w\n");
    let rest = "";
    socket.setEncoding("utf8").on("data", (text: string) => {
      const lines = (rest + text).split("\n");
      rest = (lines.pop() ?? "").slice(-maxLineCharacters);
      for (const line of lines) this.#take(line, readBefore);
    });
    socket.once("close", () => {
      if (!this.#isClosed) this.#reconnect = setTimeout(() => this.#follow(), reconnectMs);
    });
  }

  #take(line: string, readBeforeUs: number): void {
    const read = readVisit(line);
    if (read === undefined || read.atUs <= readBeforeUs) return;
    this.#seenUs = Math.max(this.#seenUs, read.atUs);
    this.#waiting.push(read);
    if (this.#waiting.length <= maxWaiting) return;
    this.#waiting.splice(0, droppedAtOnce);
    this.#dropped += droppedAtOnce;
  }

  #report(): void {
    if (this.#reporting !== null || this.#waiting.length === 0) return;
    this.#reporting = this.#reportAll()
      .catch(() => {}) // central is away: they wait
      .finally(() => {
        this.#reporting = null;
      });
  }

  async #reportAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, maxReportedVisits);
      const newestUs = Math.max(...batch.map(({ atUs }) => atUs));
      const visits = batch.map(({ visit }) => visit);
      await this.#options.report(visits, newestUs).catch((error: unknown) => {
        this.#waiting.unshift(...batch);
        throw error;
      });
    }
    if (this.#dropped > 0)
      this.#options.logger.warn(
        { visits: this.#dropped },
        "visits were not counted: central was away too long",
      );
    this.#dropped = 0;
  }
}
