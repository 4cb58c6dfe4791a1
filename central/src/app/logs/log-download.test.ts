import assert from "node:assert/strict";
import { test } from "node:test";
import { defaultServiceLimits, logStartCursor, type HostLogItem } from "@tijolo/protocol";
import type { HostLink } from "../hosts/host-link.ts";
import type { LimitsContext } from "../limits/limits-context.ts";
import { LogStreamSlots } from "../limits/log-stream-slots.ts";
import { downloadLog, type DownloadedLog } from "./log-download.ts";

const at = "2026-01-01T00:00:00.000Z";
const line = (number: number): HostLogItem => ({
  kind: "line",
  cursor: `c${number}`,
  line: { at, section: "app", stream: "stdout", version: 1, text: `line ${number}` },
});
const gap = (cursor: string, droppedLines: number): HostLogItem => ({
  kind: "gap",
  cursor,
  at,
  droppedLines,
});

/** Downloads from a host that answers these pages, each in batches. */
function downloadFrom(pages: HostLogItem[][][], query: Partial<DownloadedLog["query"]> = {}) {
  const asked: string[] = [];
  const slots = new LogStreamSlots({ steadyNow: () => 0 }, defaultServiceLimits);
  const app = { clock: { now: () => Date.parse(at) }, logStreamSlots: slots } as unknown as LimitsContext;
  const link = {
    async *ask(_host: string, { query: sent }: { query: { cursor?: string } }) {
      asked.push(sent.cursor ?? "");
      yield* pages[asked.length - 1] ?? [];
    },
  } as unknown as HostLink;
  const log = {
    accountId: "a",
    projectId: "p",
    hostId: "h",
    language: "pt",
    signal: new AbortController().signal,
  } as const;
  return { asked, text: downloadLog(app, link, { ...log, query: { section: "all", ...query } }), slots };
}

test("pages follow each other until one is not full, and lost lines are told where they were", async () => {
  const full = Array.from({ length: 999 }, (_, index) => line(index));
  const { asked, text } = downloadFrom([
    [[gap("g", 7)], full],
    [[line(1_000), gap("h", 1)], [line(1_002)]],
  ]);
  const lines = (await Array.fromAsync(text)).join("").split("\n");
  assert.deepEqual(asked, [logStartCursor, "c998"]);
  assert.equal(lines[0], `${at} [7 linhas se perderam aqui]`);
  assert.deepEqual(lines.slice(-4), [
    `${at} app stdout v1 line 1000`,
    `${at} [1 linha se perdeu aqui]`,
    `${at} app stdout v1 line 1002`,
    "",
  ]);
});

test("lines that were lost before the wanted time are not told", async () => {
  const since = "2026-01-02T00:00:00.000Z";
  const { text } = downloadFrom([[[gap("g", 7)]]], { since });
  assert.deepEqual(await Array.fromAsync(text), []);
});

test("the next page is asked for when the reader takes it, and a reader who leaves frees the slot", async () => {
  const full = Array.from({ length: 1_000 }, (_, index) => line(index));
  const { asked, text, slots } = downloadFrom([[full], [full], [full]]);
  const others = [1, 2, 3, 4].map(() => slots.openDownload("a"));
  await text.next();
  assert.equal(asked.length, 1);
  assert.throws(() => slots.openDownload("a"), { code: "too_many_requests" });
  await text.return(undefined);
  slots.openDownload("a");
  assert.equal(others.length, 4);
});
