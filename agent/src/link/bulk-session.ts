/**
 * What happens on one bulk connection after its welcome: central's requests come in, their answers go out
 * piece by piece.
 */

import { setTimeout as delay } from "node:timers/promises";
import {
  hostRequest,
  withPlainTexts,
  type HostAnswer,
  type HostItem,
  type HostRequest,
} from "@tijolo/protocol";
import { poll } from "@tijolo/protocol/kit";
import { z } from "zod";
import { splitBatch } from "../answers/answer-batches.ts";
import { MisunderstoodError, translateRefusal } from "./call.ts";
import type { Connection } from "./connection.ts";
import {
  LogRequestError,
  maxReasonLength,
  type LinkBounds,
  type LinkHandlers,
  type LinkOptions,
} from "./link-options.ts";
import { untilAborted } from "./until-aborted.ts";

/** An answer that has nothing to say yet says so after this long: central wants to know that it was heard. */
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
      const { requestId, request } = readRequest(received);
      if (requestId === undefined)
        return options.logger.error({}, "link: central sent a request without an id; nobody is answered");
      if (request.kind === "cancel") return underWay.get(requestId)?.abort();
      if (underWay.size >= bounds.maxRequests || underWay.has(requestId))
        return connection.end("central asks for too much at once");
      const controller = new AbortController();
      underWay.set(requestId, controller);
      const answering = { connection, options, requestId, signal: controller.signal };
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
  /** Aborted when nobody wants the answer any more. */
  signal: AbortSignal;
}

/**
 * A request of central. One that cannot be read fails alone: the connection is shared by all projects of the
 * host.
 */
type Question = Exclude<HostRequest["request"], { kind: "cancel" }> | { kind: "unreadable"; reason: string };

const ofRequest = z.looseObject({ requestId: hostRequest.shape.requestId });

/** `reason`: where the request is wrong, and nothing of what it holds. */
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

/** Never rejects. */
async function sendAnswer(answering: Answering, question: Question): Promise<void> {
  const { options, signal } = answering;
  try {
    for await (const batch of heard(answerOf(options.handlers, question, signal), signal)) {
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

function answerOf(
  handlers: LinkHandlers,
  question: Question,
  signal: AbortSignal,
): AsyncIterable<HostItem[]> {
  switch (question.kind) {
    case "logs":
      return handlers.logs(question.projectId, question.query, signal);
    case "describe-host":
      return handlers.state(signal);
    case "held-projects":
      return heldItems(handlers, question.projectId, signal);
    case "list-images":
    case "pull-images":
    case "prune-images":
      return handlers.images(question, signal);
    case "unreadable":
      throw new Error(`the request cannot be read: ${question.reason}`);
  }
}

async function* heldItems(
  handlers: LinkHandlers,
  projectId: string | null,
  signal: AbortSignal,
): AsyncGenerator<HostItem[]> {
  for await (const batch of handlers.held(projectId === null ? null : [projectId], signal)) {
    yield batch.map((project) => ({ kind: "held-project", project }));
  }
}

/**
 * The batches of an answer, with an empty one in front when the first is late. Ends with the signal even if
 * the answer is stuck.
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

/**
 * Sends held projects without those that central does not understand, which are logged: they hide no other.
 */
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

/** Resolves when central wants the next piece. */
async function send(
  { connection, requestId, signal }: Answering,
  items: HostItem[],
  end: HostAnswer["end"],
): Promise<{ isCancelled: boolean }> {
  // A connection that sends nothing is cut after `writeMs`, which ends the signal.
  await poll(() => connection.unsentBytes() <= maxUnsentBytes, { timeoutMs: null, everyMs: 10, signal });
  // Lines are what a project wrote, a held project is what central sent, and both stay as they are;
  // everything else is words of this host.
  const told = items.map((item) =>
    item.kind === "line" || item.kind === "held-project" ? item : withPlainTexts(item),
  );
  return untilAborted(signal, connection.client.answer.mutate({ requestId, items: told, end }));
}
