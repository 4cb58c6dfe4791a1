/** Sends mail from a bounded queue, so that no request waits for it. */

import { setTimeout as delay } from "node:timers/promises";
import { createTransport, type Transporter } from "nodemailer";
import type { Logger } from "pino";

export interface Message {
  to: string;
  subject: string;
  text: string;
  html: string;
}

export interface Mail {
  /** True when a server to send by is configured. */
  isConfigured: boolean;
  /** Queues a message to be made and sent; null sends nothing. A full queue drops it, and logs that. */
  post(make: () => Promise<Message | null>): void;
  /**
   * Queues a message to be sent once. Resolves when the mail server has accepted it; rejects when it has not,
   * and when the queue is full or ends. The caller tries again.
   */
  deliver(message: Message): Promise<void>;
}

export interface MailSettings {
  /** Address of the mail server; null: no mail is sent. */
  smtpUrl: string | null;
  from: string;
}

export const defaultMailBounds = {
  /** Most messages that wait to be made or sent. */
  maxWaiting: 1_000,
  /** Milliseconds for one attempt to send. */
  sendMs: 30_000,
  /** Pauses before the second, third … attempt. */
  retryMs: [5_000, 30_000, 120_000] as readonly number[],
};

export type MailBounds = typeof defaultMailBounds;

const workers = 2;

/** A queued message: makes it, and does with it what the caller asked for. */
type Task = () => Promise<void>;

export class MailQueue implements Mail, AsyncDisposable {
  readonly isConfigured: boolean;
  readonly #transport: Transporter | null;
  readonly #from: string;
  readonly #bounds: MailBounds;
  readonly #logger: Logger;
  readonly #waiting: Task[] = [];
  /** Rejects what waits to be delivered, when the queue ends. */
  readonly #dropped = new Set<(reason: unknown) => void>();
  readonly #ending = new AbortController();
  readonly #running = new Set<Promise<void>>();

  constructor(
    { smtpUrl, from }: MailSettings,
    { logger, bounds = defaultMailBounds }: { logger: Logger; bounds?: MailBounds },
  ) {
    this.isConfigured = smtpUrl !== null;
    this.#from = from;
    this.#logger = logger;
    this.#bounds = bounds;
    const timeouts = {
      connectionTimeout: bounds.sendMs,
      greetingTimeout: bounds.sendMs,
      socketTimeout: bounds.sendMs,
    };
    this.#transport =
      smtpUrl === null
        ? null
        : createTransport({ url: smtpUrl, disableFileAccess: true, disableUrlAccess: true, ...timeouts });
  }

  post(make: () => Promise<Message | null>): void {
    if (this.#ending.signal.aborted) return;
    const isQueued = this.#queue(async () => {
      const message = await make();
      if (message !== null) await this.#send(message, this.#bounds.retryMs);
    });
    if (!isQueued)
      this.#logger.warn({ waiting: this.#waiting.length }, "the mail queue is full; a message was dropped");
  }

  deliver(message: Message): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#dropped.add(reject);
    const isQueued = this.#queue(() => this.#send(message, []).then(resolve, reject));
    if (!isQueued) reject(new Error("the mail queue is full or has ended"));
    return promise.finally(() => this.#dropped.delete(reject));
  }

  /** Returns false when there is no room, or the queue ends. */
  #queue(task: Task): boolean {
    if (this.#ending.signal.aborted || this.#waiting.length >= this.#bounds.maxWaiting) return false;
    this.#waiting.push(task);
    if (this.#running.size >= workers) return true;
    const worker = this.#work().finally(() => this.#running.delete(worker));
    this.#running.add(worker);
    return true;
  }

  async #work(): Promise<void> {
    // The caller that posted answers first.
    await delay(0);
    for (
      let task = this.#waiting.shift();
      task !== undefined && !this.#ending.signal.aborted;
      task = this.#waiting.shift()
    ) {
      try {
        await task();
      } catch (error) {
        this.#logger.warn({ err: error }, "a message could not be made or sent");
      }
    }
  }

  async #send(message: Message, retryMs: readonly number[]): Promise<void> {
    const { signal } = this.#ending;
    for (let attempt = 0; this.#transport !== null; attempt++) {
      signal.throwIfAborted();
      try {
        await withDeadline(
          this.#transport.sendMail({
            from: this.#from,
            headers: { "Auto-Submitted": "auto-generated" },
            ...message,
          }),
          AbortSignal.any([signal, AbortSignal.timeout(this.#bounds.sendMs)]),
        );
        return;
      } catch (error) {
        const pauseMs = retryMs[attempt];
        if (pauseMs === undefined || signal.aborted || isRefusal(error)) throw error;
        await delay(pauseMs, undefined, { signal });
      }
    }
  }

  /** Ends all sending; waiting mails are dropped. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort();
    this.#waiting.length = 0;
    for (const drop of this.#dropped) drop(new Error("the mail queue ends"));
    await Promise.all(this.#running);
    this.#transport?.close();
  }
}

/** True when the server refuses the message for ever (5xx). */
function isRefusal(error: unknown): boolean {
  return (
    error instanceof Error &&
    "responseCode" in error &&
    typeof error.responseCode === "number" &&
    error.responseCode >= 500
  );
}

function withDeadline<Result>(promise: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    promise.then(resolve, reject);
  });
}
