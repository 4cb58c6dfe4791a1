/**
 * Sends central's requests to one host over its bulk socket and receives the answers, each stream bounded and
 * with deadlines.
 */

import {
  AppError,
  hostQuestion,
  hostRequests,
  itemKindsOf,
  type HostAnswer,
  type HostItem,
  type HostQuestion,
  type HostQuestionOf,
  type HostRequest,
  type HostRequestKind,
  type HostRequestRow,
} from "@tijolo/protocol";
import { Latch } from "@tijolo/protocol/kit";
import type { LinkBounds } from "./link-options.ts";

type StreamBounds = Pick<
  LinkBounds,
  "maxStreams" | "maxUnreadBatches" | "firstAnswerMs" | "nextAnswerMs" | "wholeAnswerMs" | "maxListedItems"
>;

interface AnswerBounds {
  /** Milliseconds between two batches after the first. */
  nextMs: number | null;
  /** Milliseconds that the host may keep its reader waiting, in all. */
  wholeMs: number | null;
  maxItems: number;
}

export class HostStreams {
  readonly #bounds: StreamBounds;
  readonly #streams = new Map<string, AnswerStream>();
  readonly #outgoing: HostRequest[] = [];
  readonly #change = new Latch();
  #lastNumber = 0;
  #isClosed = false;

  constructor(bounds: StreamBounds) {
    this.#bounds = bounds;
  }

  /**
   * Asks the host. The request is sent when the iteration begins; ending the iteration, or aborting, cancels
   * it on the host.
   */
  async *ask<Kind extends HostRequestKind>(
    question: HostQuestionOf<Kind>,
    signal: AbortSignal,
  ): AsyncGenerator<HostItem<Kind>[]> {
    const request = readable(question);
    const kinds = itemKindsOf(question.kind);
    const isOwn = (item: HostItem): item is HostItem<Kind> => kinds.has(item.kind);
    if (this.#isClosed || this.#streams.size >= this.#bounds.maxStreams)
      throw new AppError("server_unavailable");
    const requestId = String(++this.#lastNumber);
    const stream = new AnswerStream(this.#bounds, request);
    this.#streams.set(requestId, stream);
    this.#send({ requestId, request });
    try {
      for await (const items of stream.read(signal)) yield items.filter(isOwn);
    } finally {
      this.#streams.delete(requestId);
      if (stream.cancel() === "was open") this.#cancelOnHost(requestId);
    }
  }

  /** Yields the requests to the agent, in order. One consumer at a time. */
  async *requests(signal: AbortSignal): AsyncGenerator<HostRequest> {
    while (!this.#isClosed) {
      const next = this.#outgoing.shift();
      if (next !== undefined) yield next;
      else if ((await this.#change.wait({ signal, timeoutMs: null })) === "aborted") return;
    }
  }

  /**
   * Takes a batch of an answer. Resolves when there is room for the next one: the agent waits for it, so
   * central holds little.
   */
  async answer(answer: HostAnswer): Promise<{ isCancelled: boolean }> {
    return (await this.#streams.get(answer.requestId)?.push(answer)) ?? { isCancelled: true };
  }

  /** Fails every stream, because the bulk socket ended. */
  close(): void {
    this.#isClosed = true;
    for (const stream of this.#streams.values()) stream.fail(new AppError("server_unavailable"));
    this.#outgoing.length = 0;
    this.#change.set();
  }

  #send(request: HostRequest): void {
    this.#outgoing.push(request);
    this.#change.set();
  }

  /**
   * Cancels a request. One that is still in the queue is removed from it, so the queue never outgrows two
   * entries per stream.
   */
  #cancelOnHost(requestId: string): void {
    if (this.#isClosed) return;
    const queued = this.#outgoing.findIndex((entry) => entry.requestId === requestId);
    if (queued >= 0) this.#outgoing.splice(queued, 1);
    else if (this.#outgoing.length < 2 * this.#bounds.maxStreams)
      this.#send({ requestId, request: { kind: "cancel" } });
  }
}

class AnswerStream {
  readonly #bounds: StreamBounds;
  readonly #request: HostQuestion;
  readonly #own: AnswerBounds;
  readonly #unread: HostItem[][] = [];
  readonly #arrival = new Latch();
  readonly #room = new Latch();
  #hasAnswered = false;
  #waitedMs = 0;
  #items = 0;
  #end: "open" | "done" | "cancelled" | AppError = "open";

  constructor(bounds: StreamBounds, request: HostQuestion) {
    this.#bounds = bounds;
    this.#request = request;
    this.#own = boundsOf(request, bounds);
  }

  async *read(signal: AbortSignal): AsyncGenerator<HostItem[]> {
    while (!signal.aborted) {
      const batch = this.#unread.shift();
      this.#room.set();
      if (batch !== undefined) yield batch;
      else if (this.#end instanceof AppError) throw this.#end;
      else if (this.#end !== "open") return;
      else if ((await this.#waitForHost(signal)) === "timeout") throw new AppError("server_unavailable");
    }
  }

  async #waitForHost(signal: AbortSignal): Promise<"set" | "timeout" | "aborted"> {
    const beganMs = performance.now();
    const outcome = await this.#arrival.wait({ signal, timeoutMs: this.#deadlineMs() });
    this.#waitedMs += performance.now() - beganMs;
    return outcome;
  }

  async push({ items, end }: HostAnswer): Promise<{ isCancelled: boolean }> {
    this.#hasAnswered = true;
    this.#items += items.length;
    const isTooMuch =
      this.#unread.length > 2 * this.#bounds.maxUnreadBatches || this.#items > this.#own.maxItems;
    if (isTooMuch) this.fail(new AppError("server_unavailable"));
    if (this.#end !== "open") return { isCancelled: true };
    if (items.length > 0) this.#unread.push(items);
    if (end.kind === "done") this.#end = "done";
    else if (end.kind === "failed") this.#end = failureOf(end.reason, this.#request);
    this.#arrival.set();
    while (this.#isFull()) await this.#room.wait({ timeoutMs: null });
    return { isCancelled: this.#isLeft() };
  }

  fail(error: AppError): void {
    if (this.#end === "open") this.#end = error;
    this.#arrival.set();
    this.#room.set();
  }

  cancel(): "was open" | "had ended" {
    const wasOpen = this.#end === "open";
    // A stream that timed out or was left is over on the host too.
    this.#end = "cancelled";
    this.#unread.length = 0;
    this.#room.set();
    return wasOpen ? "was open" : "had ended";
  }

  #isLeft(): boolean {
    return this.#end === "cancelled";
  }

  #isFull(): boolean {
    return this.#end === "open" && this.#unread.length >= this.#bounds.maxUnreadBatches;
  }

  #deadlineMs(): number | null {
    if (!this.#hasAnswered) return this.#bounds.firstAnswerMs;
    const { nextMs, wholeMs } = this.#own;
    if (nextMs === null || wholeMs === null) return nextMs;
    return Math.max(0, Math.min(nextMs, wholeMs - this.#waitedMs));
  }
}

function boundsOf(
  request: HostQuestion,
  { nextAnswerMs, wholeAnswerMs, maxListedItems }: StreamBounds,
): AnswerBounds {
  const row: HostRequestRow = hostRequests[request.kind];
  const deadline = row.deadline(request);
  return {
    nextMs: deadline === "none" ? null : nextAnswerMs,
    wholeMs: deadline === "whole" ? wholeAnswerMs : null,
    maxItems: row.isList ? maxListedItems : Infinity,
  };
}

/**
 * Returns the parsed request. Throws for one that its own schema refuses: an agent cannot read it, and the
 * person who asked learns which field it is.
 */
function readable(question: object): HostQuestion {
  const { data, error } = hostQuestion.safeParse(question);
  if (data !== undefined) return data;
  const field = error.issues[0]?.path.at(-1);
  throw new AppError("invalid_request", typeof field === "string" ? { extra: { field } } : {});
}

function failureOf(reason: "bad_cursor" | "gone" | "fault", request: HostQuestion): AppError {
  if (reason !== "bad_cursor") return new AppError("server_unavailable");
  const field = request.kind === "logs" && request.query.before !== undefined ? "before" : "cursor";
  return new AppError("invalid_request", { extra: { field } });
}
