/** What happens on one bulk connection after its welcome: central's requests come in, their answers go out piece by piece. */

import { setTimeout as delay } from "node:timers/promises";
import { hostRequest, type HostAnswer, type HostLogItem, type LogRequest } from "@tijolo/protocol";
import { splitBatch } from "./answer-batches.ts";
import type { Connection } from "./connection.ts";
import { LogRequestError, type LinkBounds, type LinkOptions } from "./link-options.ts";
import { untilAborted } from "./until-aborted.ts";

/** A log that has nothing to say yet answers so after this long: central wants to know that it was heard. */
const heardAfterMs = 1_000;
/** More than this unsent makes all answers wait. */
const maxUnsentBytes = 4 * 1024 * 1024;

export function answerRequests(connection: Connection, options: LinkOptions, bounds: LinkBounds): void {
  const underWay = new Map<string, AbortController>();
  const abortAll = () => {
    for (const controller of underWay.values()) controller.abort();
  };
  connection.ended.addEventListener("abort", abortAll, { once: true });

  connection.client.requests.subscribe(undefined, {
    onData: (received) => {
      const parsed = hostRequest.safeParse(received);
      if (!parsed.success) return connection.end("central sent a request that is none");
      const { requestId, request } = parsed.data;
      if (request.kind === "cancel") return underWay.get(requestId)?.abort();
      if (underWay.size >= bounds.maxRequests || underWay.has(requestId)) return connection.end("central asks for too much at once");
      const controller = new AbortController();
      underWay.set(requestId, controller);
      const answer = { connection, options, requestId, signal: controller.signal };
      void sendLogs(answer, request.projectId, request.query).finally(() => {
        underWay.delete(requestId);
        controller.abort();
      });
    },
    onError: (error) => connection.end(`central's requests broke off: ${error.message}`),
    onComplete: () => connection.end("central's requests ended"),
  });
}

interface Answering {
  connection: Connection;
  options: LinkOptions;
  requestId: string;
  /** Aborted when nobody wants the answer any more. */
  signal: AbortSignal;
}

/** Never rejects. */
async function sendLogs(answering: Answering, projectId: string, query: LogRequest): Promise<void> {
  const { options, signal } = answering;
  try {
    for await (const batch of heard(options.handlers.logs(projectId, query, signal), signal)) {
      if (batch.length === 0) await send(answering, [], { kind: "more" });
      for (const items of splitBatch(batch)) {
        if ((await send(answering, items, { kind: "more" })).isCancelled) return;
      }
    }
    await send(answering, [], { kind: "done" });
  } catch (error) {
    if (signal.aborted) return;
    const reason = error instanceof LogRequestError ? error.reason : "fault";
    if (reason === "fault") options.logger.error({ err: error, projectId }, "link: a log request failed");
    await send(answering, [], { kind: "failed", reason }).catch(() => {});
  }
}

/** The batches of a log, with an empty one in front when the first is late. Ends with the signal even if the log is stuck. */
async function* heard(log: AsyncIterable<HostLogItem[]>, signal: AbortSignal): AsyncGenerator<HostLogItem[]> {
  const batches = log[Symbol.asyncIterator]();
  try {
    let next = batches.next();
    if ((await untilAborted(signal, Promise.race([next, delay(heardAfterMs, "late" as const, { ref: false })]))) === "late") yield [];
    for (;;) {
      const batch = await untilAborted(signal, next);
      if (batch.done === true) return;
      yield batch.value;
      next = batches.next();
    }
  } finally {
    void batches.return?.()?.catch(() => {});
  }
}

/** Resolves when central wants the next piece. */
async function send(
  { connection, requestId, signal }: Answering,
  items: HostLogItem[],
  end: HostAnswer["end"],
): Promise<{ isCancelled: boolean }> {
  while (connection.unsentBytes() > maxUnsentBytes) await untilAborted(signal, delay(10));
  return untilAborted(signal, connection.client.answer.mutate({ requestId, items, end }));
}
