/**
 * Runs one bulk connection after its welcome: central's requests arrive, and their answers are sent piece by
 * piece.
 */

import { setTimeout as delay } from "node:timers/promises";
import {
  hostRequest,
  hostRequests,
  withPlainTexts,
  type HostAnswer,
  type HostItem,
  type HostQuestion,
} from "@tijolo/protocol";
import { poll } from "@tijolo/protocol/kit";
import { z } from "zod";
import { splitBatch } from "./answer-batches.ts";
import {
  MisunderstoodError,
  translateRefusal,
  type Connection,
  untilAborted,
} from "@tijolo/protocol/kit/link";
import {
  LogRequestError,
  maxReasonLength,
  type HostAnswers,
  type LinkBounds,
  type LinkOptions,
} from "./link-options.ts";

/**
 * Milliseconds after which an answer without items yet sends an empty batch, which shows central that the
 * request was received.
 */
const heardAfterMs = 1_000;
/** Bytes of unsent data above which all answers wait. */
const maxUnsentBytes = 4 * 1024 * 1024;

export function answerRequests(connection: Connection, options: LinkOptions, bounds: LinkBounds): void {
  const underWay = new Map<string, AbortController>();
  const abortAll = () => {
    for (const controller of underWay.values()) controller.abort();
  };
  connection.ended.addEventListener("abort", abortAll, { once: true });

  connection.client.requests.subscribe(undefined, {
    onData: (received) => {
      const { requestId, request } = readRequest(received);
      if (requestId === undefined)
        return options.logger.error({}, "link: central sent a request without an id; nobody is answered");
      if (request.kind === "cancel") return underWay.get(requestId)?.abort();
      if (underWay.size >= bounds.maxRequests || underWay.has(requestId))
        return connection.end("central asks for too much at once");
      const controller = new AbortController();
      underWay.set(requestId, controller);
      const answering = { connection, options, requestId, kind: request.kind, signal: controller.signal };
      void sendAnswer(answering, request).finally(() => {
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
  kind: Question["kind"];
  /** Aborted when nobody needs the answer any more. */
  signal: AbortSignal;
}

/**
 * A request of central. One that cannot be read fails alone: the connection is shared by all projects of the
 * host.
 */
type Question = HostQuestion | { kind: "unreadable"; reason: string };

const ofRequest = z.looseObject({ requestId: hostRequest.shape.requestId });

/** `reason` names where the request is wrong, and nothing of what it contains. */
function readRequest(received: unknown): {
  requestId: string | undefined;
  request: Question | { kind: "cancel" };
} {
  const read = hostRequest.safeParse(received);
  if (read.success) return read.data;
  const issue = read.error.issues[0];
  const reason = `${issue?.code ?? "unknown"} at ${issue?.path.join(".") ?? ""}`;
  return {
    requestId: ofRequest.safeParse(received).data?.requestId,
    request: { kind: "unreadable", reason },
  };
}

/** Sends an answer; never rejects. */
async function sendAnswer(answering: Answering, question: Question): Promise<void> {
  const { options, signal } = answering;
  try {
    for await (const batch of heard(answerOf(options.handlers.answers, question, signal), signal)) {
      if (batch.length === 0) await send(answering, [], { kind: "more" });
      for (const items of splitBatch(batch)) {
        if ((await sendItems(answering, items)).isCancelled) return;
      }
    }
    await send(answering, [], { kind: "done" });
  } catch (error) {
    if (signal.aborted) return;
    const reason = error instanceof LogRequestError ? error.reason : "fault";
    if (reason === "fault")
      options.logger.error({ err: error, kind: question.kind }, "link: a request of central failed");
    await send(answering, [], { kind: "failed", reason }).catch(() => {});
  }
}

function answerOf(answers: HostAnswers, question: Question, signal: AbortSignal): AsyncIterable<HostItem[]> {
  if (question.kind === "unreadable") throw new Error(`the request cannot be read: ${question.reason}`);
  // Each answer takes the input of its own kind, which TypeScript cannot follow over all kinds.
  const answer = answers[question.kind] as (input: object, signal: AbortSignal) => AsyncIterable<HostItem[]>;
  return answer(question, signal);
}

/**
 * Yields the batches of an answer, with an empty one in front when the first is late. Ends with the signal
 * even if the answer is stuck.
 */
async function* heard(answer: AsyncIterable<HostItem[]>, signal: AbortSignal): AsyncGenerator<HostItem[]> {
  const batches = answer[Symbol.asyncIterator]();
  try {
    let next = batches.next();
    if (
      (await untilAborted(
        signal,
        Promise.race([next, delay(heardAfterMs, "late" as const, { ref: false })]),
      )) === "late"
    )
      yield [];
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

/** Sends held projects without those that central cannot read, which are logged. */
async function sendItems(answering: Answering, items: HostItem[]): Promise<{ isCancelled: boolean }> {
  try {
    return await send(answering, items, { kind: "more" });
  } catch (error) {
    const refusal = translateRefusal(error);
    const [first] = items;
    if (!(refusal instanceof MisunderstoodError) || first?.kind !== "held-project") throw error;
    if (items.length === 1) {
      const fields = {
        projectId: first.project.projectId,
        reason: refusal.message.slice(0, maxReasonLength),
      };
      answering.options.logger.error(
        fields,
        "link: central does not understand what this host knows of a project; it is left out",
      );
      return { isCancelled: false };
    }
    const half = Math.ceil(items.length / 2);
    const { isCancelled } = await sendItems(answering, items.slice(0, half));
    return isCancelled ? { isCancelled } : sendItems(answering, items.slice(half));
  }
}

/** Sends a piece. Resolves when central wants the next one. */
async function send(
  { connection, requestId, kind, signal }: Answering,
  items: HostItem[],
  end: HostAnswer["end"],
): Promise<{ isCancelled: boolean }> {
  // A connection that sends nothing is cut after `writeMs`, which ends the signal.
  await poll(() => connection.unsentBytes() <= maxUnsentBytes, { timeoutMs: null, everyMs: 10, signal });
  const isVerbatim = kind !== "unreadable" && hostRequests[kind].isVerbatim;
  const told = isVerbatim ? items : items.map((item) => withPlainTexts(item));
  return untilAborted(signal, connection.client.answer.mutate({ requestId, items: told, end }));
}
