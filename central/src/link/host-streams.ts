/** What central asks of one host over its bulk socket: requests out, answers in, each stream bounded and with deadlines. */

import {
  AppError,
  type HostAnswer,
  type HostImageItem,
  type HostImageRequest,
  type HostItem,
  type HostLogItem,
  type HostRequest,
  type HostStateItem,
  type LogRequest,
} from "@tijolo/protocol";
import { Latch } from "@tijolo/protocol/node";
import type { LinkBounds } from "./link-options.ts";

type StreamBounds = Pick<LinkBounds, "maxStreams" | "maxUnreadBatches" | "firstAnswerMs" | "nextAnswerMs">;

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

  /** As {@link HostStreams.images}; one that follows may be silent for as long as it likes. */
  async *logs(projectId: string, query: LogRequest, signal: AbortSignal): AsyncGenerator<HostLogItem[]> {
    for await (const items of this.#ask({ kind: "logs", projectId, query }, { mayBeSilent: query.follow, signal })) {
      yield items.filter(isLogItem);
    }
  }

  /** The request goes out when the iteration begins; ending the iteration, or aborting, cancels it on the host. */
  async *images(request: HostImageRequest, signal: AbortSignal): AsyncGenerator<HostImageItem[]> {
    for await (const items of this.#ask(request, { mayBeSilent: false, signal })) yield items.filter(isImageItem);
  }

  /** As {@link HostStreams.images}. */
  async *describe(signal: AbortSignal): AsyncGenerator<HostStateItem[]> {
    for await (const items of this.#ask({ kind: "describe-host" }, { mayBeSilent: false, signal })) yield items.filter(isStateItem);
  }

  async *#ask(
    request: HostRequest["request"],
    { mayBeSilent, signal }: { mayBeSilent: boolean; signal: AbortSignal },
  ): AsyncGenerator<HostItem[]> {
    if (this.#isClosed || this.#streams.size >= this.#bounds.maxStreams) throw new AppError("server_unavailable");
    const requestId = String(++this.#lastNumber);
    const stream = new AnswerStream(this.#bounds, mayBeSilent);
    this.#streams.set(requestId, stream);
    this.#send({ requestId, request });
    try {
      yield* stream.read(signal);
    } finally {
      this.#streams.delete(requestId);
      if (stream.cancel() === "was open") this.#cancelOnHost(requestId);
    }
  }

  /** What the agent is to do, in order. One consumer at a time. */
  async *requests(signal: AbortSignal): AsyncGenerator<HostRequest> {
    while (!this.#isClosed) {
      const next = this.#outgoing.shift();
      if (next !== undefined) yield next;
      else if ((await this.#change.wait({ signal, timeoutMs: null })) === "aborted") return;
    }
  }

  /** Resolves when there is room for the next batch: the agent waits for it, and so central holds little. */
  async answer(answer: HostAnswer): Promise<{ isCancelled: boolean }> {
    return (await this.#streams.get(answer.requestId)?.push(answer)) ?? { isCancelled: true };
  }

  /** The bulk socket ended: every stream fails. */
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

  /** A request that is still in the queue is taken out of it, so the queue never outgrows two entries per stream. */
  #cancelOnHost(requestId: string): void {
    if (this.#isClosed) return;
    const queued = this.#outgoing.findIndex((entry) => entry.requestId === requestId);
    if (queued >= 0) this.#outgoing.splice(queued, 1);
    else if (this.#outgoing.length < 2 * this.#bounds.maxStreams) this.#send({ requestId, request: { kind: "cancel" } });
  }
}

class AnswerStream {
  readonly #bounds: StreamBounds;
  readonly #mayBeSilent: boolean;
  readonly #unread: HostItem[][] = [];
  readonly #arrival = new Latch();
  readonly #room = new Latch();
  #hasAnswered = false;
  #end: "open" | "done" | "cancelled" | AppError = "open";

  constructor(bounds: StreamBounds, mayBeSilent: boolean) {
    this.#bounds = bounds;
    this.#mayBeSilent = mayBeSilent;
  }

  async *read(signal: AbortSignal): AsyncGenerator<HostItem[]> {
    while (!signal.aborted) {
      const batch = this.#unread.shift();
      this.#room.set();
      if (batch !== undefined) yield batch;
      else if (this.#end instanceof AppError) throw this.#end;
      else if (this.#end !== "open") return;
      else if ((await this.#arrival.wait({ signal, timeoutMs: this.#deadlineMs() })) === "timeout") {
        throw new AppError("server_unavailable");
      }
    }
  }

  async push({ items, end }: HostAnswer): Promise<{ isCancelled: boolean }> {
    this.#hasAnswered = true;
    if (this.#end === "open" && this.#unread.length > 2 * this.#bounds.maxUnreadBatches) this.fail(new AppError("server_unavailable"));
    if (this.#end !== "open") return { isCancelled: true };
    if (items.length > 0) this.#unread.push(items);
    if (end.kind === "done") this.#end = "done";
    else if (end.kind === "failed") this.#end = failureOf(end.reason);
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
    return this.#mayBeSilent ? null : this.#bounds.nextAnswerMs;
  }
}

function isLogItem(item: HostItem): item is HostLogItem {
  return item.kind === "line" || item.kind === "gap";
}

function isStateItem(item: HostItem): item is HostStateItem {
  return item.kind === "host-machine" || item.kind === "host-project";
}

function isImageItem(item: HostItem): item is HostImageItem {
  return !isLogItem(item) && !isStateItem(item);
}

function failureOf(reason: "bad_cursor" | "gone" | "fault"): AppError {
  if (reason === "bad_cursor") return new AppError("invalid_request", { extra: { field: "cursor" } });
  return new AppError("server_unavailable");
}
