/** A host that goes on answering without saying anything, or says too much, ends its own answer. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { AppError, type HostItem, type LogRequest } from "@tijolo/protocol";
import { HostStreams } from "./host-streams.ts";
import { defaultLinkBounds } from "./link-options.ts";

const page: LogRequest = { lines: 100, section: "all", follow: false };
const projectId = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
const open = new AbortController().signal;

type Ask = (streams: HostStreams, signal: AbortSignal) => AsyncIterable<unknown>;

/** Answers `batch` again and again until nobody wants it any more. */
async function answerForEver(streams: HostStreams, batch: HostItem[]): Promise<void> {
  for await (const { requestId } of streams.requests(open)) {
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      if ((await streams.answer({ requestId, items: batch, end: { kind: "more" } })).isCancelled) return;
    }
  }
}

const isUnavailable = (error: unknown) => error instanceof AppError && error.code === "server_unavailable";

test("a page, a list and a description have a deadline as a whole, however often their host says that more will come", async () => {
  const ask: Ask[] = [
    (streams) => streams.ask({ kind: "logs", projectId, query: page }, open),
    (streams) => streams.ask({ kind: "list-images" }, open),
    (streams) => streams.ask({ kind: "describe-host" }, open),
  ];
  for (const begin of ask) {
    const streams = new HostStreams({ ...defaultLinkBounds, wholeAnswerMs: 200 });
    const answering = answerForEver(streams, []);
    await assert.rejects(Array.fromAsync<unknown>(begin(streams, open)), isUnavailable);
    await answering;
  }
});

test("a log that is followed, and work on images, go on for as long as their host says so", async () => {
  const ask: Ask[] = [
    (streams, signal) => streams.ask({ kind: "logs", projectId, query: { ...page, follow: true } }, signal),
    (streams, signal) => streams.ask({ kind: "prune-images" }, signal),
  ];
  for (const begin of ask) {
    const streams = new HostStreams({ ...defaultLinkBounds, wholeAnswerMs: 50 });
    const left = new AbortController();
    const answering = answerForEver(streams, []);
    setTimeout(() => left.abort(), 300);
    assert.equal(
      (await Array.fromAsync<unknown>(begin(streams, left.signal))).length,
      0,
      "it ends because its reader leaves",
    );
    await answering;
  }
});

test("a list of more items than any host has is refused", async () => {
  const streams = new HostStreams({ ...defaultLinkBounds, maxListedItems: 100 });
  const batch = Array.from({ length: 30 }, (): HostItem => ({ kind: "removal-refused", reason: "shared" }));
  const answering = answerForEver(streams, batch);
  await assert.rejects(Array.fromAsync(streams.ask({ kind: "list-images" }, open)), isUnavailable);
  await answering;
});

test("a request that the link does not take is refused here, names its field, and never reaches the host", async () => {
  const streams = new HostStreams({ ...defaultLinkBounds, firstAnswerMs: 50 });
  const odd = {
    cursor: streams.ask({ kind: "logs", projectId, query: { ...page, cursor: "a\n" } }, open),
    lines: streams.ask({ kind: "logs", projectId, query: { ...page, lines: 1001 } }, open),
    projectId: streams.ask({ kind: "held-projects", projectId: "nobody's" }, open),
  };
  for (const [field, ask] of Object.entries(odd)) {
    const isRefused = (error: unknown) =>
      error instanceof AppError && error.code === "invalid_request" && error.extra["field"] === field;
    await assert.rejects(Array.fromAsync<unknown>(ask), isRefused);
  }
  const left = new AbortController();
  const sent = streams.requests(left.signal).next();
  left.abort();
  assert.equal((await sent).done, true);
});
