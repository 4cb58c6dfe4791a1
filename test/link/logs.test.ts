/**
 * Logs travel from a host to central over the bulk socket: whole, in order, with back-pressure, and not when
 * nobody reads.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { AppError, linkMaxFrameMessages, type HostLogItem, type LogRequest } from "@tijolo/protocol";
import { LogRequestError } from "../../agent/src/link/link-options.ts";
import { FaultyProxy } from "../support/machine/faulty-proxy.ts";
import { until } from "../support/until.ts";
import { LinkBench, type ConnectOptions } from "./link-bench.ts";
import { makeTestId, sampleLine } from "./samples.ts";

const follow: LogRequest = { lines: 100, section: "all", follow: true };
/** 50,000 lines a second, on the machine on which it is 110,000; on a slower one as much more time. */
const maxTimesJson = 8;
const page: LogRequest = { ...follow, follow: false };

async function connectWithLogs(
  bench: LinkBench,
  logs: NonNullable<NonNullable<ConnectOptions["answers"]>["logs"]>,
  options: ConnectOptions = {},
) {
  const host = await bench.joinHost();
  const link = bench.connect(host, { ...options, answers: { logs } });
  const probe = async () => {
    for await (const _ of bench.server.ask(
      host.hostId,
      { kind: "logs", projectId: makeTestId(), query: page },
      AbortSignal.timeout(10_000),
    ));
    return true;
  };
  await until(() => link.state === "connected");
  return { host, link, probe };
}

async function collect(source: AsyncIterable<HostLogItem[]>): Promise<HostLogItem[]> {
  const items: HostLogItem[] = [];
  for await (const batch of source) items.push(...batch);
  return items;
}

test("a page of a log arrives whole and ends", async () => {
  await using bench = await LinkBench.create();
  const projectId = makeTestId();
  const asked: { projectId: string; query: LogRequest }[] = [];
  const { host } = await connectWithLogs(bench, async function* ({ projectId: id, query }) {
    asked.push({ projectId: id, query });
    yield [sampleLine(1), sampleLine(2)];
    yield [sampleLine(3)];
  });
  const items = await until(() =>
    collect(
      bench.server.ask(host.hostId, { kind: "logs", projectId, query: page }, new AbortController().signal),
    ),
  );
  assert.deepEqual(items, [sampleLine(1), sampleLine(2), sampleLine(3)]);
  assert.deepEqual(asked, [{ projectId, query: page }]);
});

test(
  "a flood of lines passes in order, without loss, at a rate near what making and reading their JSON allows",
  { timeout: 120_000 },
  async (t) => {
    await using bench = await LinkBench.create();
    const lines = 300_000;
    const batchOf = (first: number) =>
      Array.from({ length: 1_000 }, (_line, index) =>
        sampleLine(
          first + index,
          `a line of usual length, number ${first + index}, of the kind that programs write`,
        ),
      );
    const { host, probe } = await connectWithLogs(bench, async function* ({ query }) {
      for (let first = 0; query.follow && first < lines; first += 1_000) yield batchOf(first);
    });
    await until(probe);
    const json = () => {
      const startedAtMs = performance.now();
      for (let first = 0; first < lines; first += 1_000) JSON.parse(JSON.stringify(batchOf(first)));
      return performance.now() - startedAtMs;
    };
    const before = json();
    const startedAtMs = performance.now();
    let next = 0;
    for await (const batch of bench.server.ask(
      host.hostId,
      { kind: "logs", projectId: makeTestId(), query: follow },
      new AbortController().signal,
    )) {
      for (const item of batch) assert.equal(item.cursor, String(next++).padStart(12, "0"));
    }
    const ms = performance.now() - startedAtMs;
    const times = ms / ((before + json()) / 2);
    assert.equal(next, lines);
    t.diagnostic(
      `${Math.round((lines / ms) * 1_000)} lines/s, both ends and the check in one process: ${times.toFixed(1)} times their JSON alone`,
    );
    assert.ok(times < maxTimesJson, `${times.toFixed(1)} times`);
  },
);

test("lines that come at the same moment for more readers than a frame has room for reach each of them", async () => {
  await using bench = await LinkBench.create();
  const written = Promise.withResolvers<void>();
  let waiting = 0;
  const { host, link, probe } = await connectWithLogs(bench, async function* ({ query }) {
    if (!query.follow) return;
    waiting++;
    await written.promise;
    yield [sampleLine(1)];
  });
  await until(probe);
  const readers = Array.from({ length: linkMaxFrameMessages * 3 }, () =>
    collect(
      bench.server.ask(
        host.hostId,
        { kind: "logs", projectId: makeTestId(), query: follow },
        new AbortController().signal,
      ),
    ),
  );
  await until(() => waiting === readers.length);
  written.resolve();
  for (const items of await Promise.all(readers)) assert.deepEqual(items, [sampleLine(1)]);
  assert.equal(link.state, "connected");
});

test("a consumer that stops reading stops the host, and central holds few batches", async () => {
  await using bench = await LinkBench.create();
  let produced = 0;
  let wasStopped = false;
  const { host, probe } = await connectWithLogs(bench, async function* ({ query }) {
    try {
      while (query.follow) {
        produced++;
        yield Array.from({ length: 1_000 }, (_line, index) => sampleLine(index));
      }
    } finally {
      if (query.follow) wasStopped = true;
    }
  });
  await until(probe);
  const logs = bench.server.ask(
    host.hostId,
    { kind: "logs", projectId: makeTestId(), query: follow },
    new AbortController().signal,
  );
  const stream = logs[Symbol.asyncIterator]();
  await stream.next();
  let seen = -1;
  await until(
    () => {
      const isStill = seen === produced;
      seen = produced;
      return isStill;
    },
    { everyMs: 300 },
  );
  assert.ok(produced <= 6, `${produced} batches were made for a consumer that read one`);
  await stream.return?.();
  await until(() => wasStopped);
});

test("a consumer that goes away, by leaving or by its signal, ends the work on the host also when the log is quiet", async () => {
  await using bench = await LinkBench.create();
  let ended = 0;
  const { host, probe } = await connectWithLogs(bench, async function* ({ query }, signal) {
    if (!query.follow) return;
    try {
      yield [sampleLine(1)];
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
    } finally {
      ended++;
    }
  });
  await until(probe);
  for await (const _ of bench.server.ask(
    host.hostId,
    { kind: "logs", projectId: makeTestId(), query: follow },
    new AbortController().signal,
  ))
    break;
  await until(() => ended === 1);
  const leaving = new AbortController();
  const rest = collect(
    bench.server.ask(host.hostId, { kind: "logs", projectId: makeTestId(), query: follow }, leaving.signal),
  );
  await until(() => probe());
  leaving.abort();
  await rest;
  await until(() => ended === 2);
});

test("a quiet log that is followed is heard within the deadline and stays open", async () => {
  await using bench = await LinkBench.create({ firstAnswerMs: 4_000, nextAnswerMs: 200 });
  let release = () => {};
  const { host, probe } = await connectWithLogs(bench, async function* ({ query }) {
    if (!query.follow) return;
    await new Promise<void>((resolve) => (release = resolve));
    yield [sampleLine(1)];
  });
  await until(probe);
  const startedAtMs = performance.now();
  const items = collect(
    bench.server.ask(
      host.hostId,
      { kind: "logs", projectId: makeTestId(), query: follow },
      new AbortController().signal,
    ),
  );
  await until(() => performance.now() - startedAtMs > 5_000);
  release();
  assert.deepEqual(await items, [sampleLine(1)]);
});

test("a host that is away, silent, or loses its connection in the middle answers server_unavailable", async () => {
  await using bench = await LinkBench.create({ firstAnswerMs: 2_000, pingMs: 60_000 });
  await using proxy = await FaultyProxy.start(bench.port);
  const isUnavailable = (error: unknown) => error instanceof AppError && error.code === "server_unavailable";
  await assert.rejects(
    collect(
      bench.server.ask(
        makeTestId(),
        { kind: "logs", projectId: makeTestId(), query: page },
        new AbortController().signal,
      ),
    ),
    isUnavailable,
  );

  const { host, probe } = await connectWithLogs(
    bench,
    async function* ({ query }) {
      yield [sampleLine(1)];
      if (query.follow) await new Promise(() => {});
    },
    { url: `http://127.0.0.1:${proxy.port}` },
  );
  await until(probe);
  proxy.mode = "silent";
  await assert.rejects(
    collect(
      bench.server.ask(
        host.hostId,
        { kind: "logs", projectId: makeTestId(), query: page },
        new AbortController().signal,
      ),
    ),
    isUnavailable,
  );
  proxy.mode = "pass";
  proxy.cut();
  await until(probe);
  const logs = bench.server.ask(
    host.hostId,
    { kind: "logs", projectId: makeTestId(), query: follow },
    new AbortController().signal,
  );
  const following = logs[Symbol.asyncIterator]();
  await following.next();
  proxy.cut();
  await assert.rejects(following.next(), isUnavailable);
});

test("a bad cursor is the caller's error, a fault of the host is the host's", async () => {
  await using bench = await LinkBench.create();
  const { host, probe } = await connectWithLogs(bench, async function* ({ query: { cursor } }) {
    if (cursor === "bad") throw new LogRequestError("bad_cursor");
    if (cursor === "fault") throw new Error("disk on fire");
    yield [];
  });
  await until(probe);
  const ask = (cursor: string) =>
    collect(
      bench.server.ask(
        host.hostId,
        { kind: "logs", projectId: makeTestId(), query: { ...page, cursor } },
        new AbortController().signal,
      ),
    );
  await assert.rejects(
    ask("bad"),
    (error) =>
      error instanceof AppError && error.code === "invalid_request" && error.extra.field === "cursor",
  );
  await assert.rejects(
    ask("fault"),
    (error) => error instanceof AppError && error.code === "server_unavailable",
  );
  assert.ok(host.logger.has("a request of central failed"));
});

test("lines of any size and any characters fit into frames", async () => {
  await using bench = await LinkBench.create();
  const texts = Array.from(
    { length: 600 },
    (_, index) =>
      ["\u0000", "é", "😀", "\\", "x"][index % 5]?.repeat((16 * 1024) / (index % 5 === 2 ? 2 : 1)) ?? "",
  );
  const { host, probe } = await connectWithLogs(bench, async function* () {
    yield texts.map((text, index) => sampleLine(index, text));
  });
  await until(probe);
  const items = await collect(
    bench.server.ask(
      host.hostId,
      { kind: "logs", projectId: makeTestId(), query: page },
      new AbortController().signal,
    ),
  );
  assert.deepEqual(
    items.map((item) => (item.kind === "line" ? item.line.text : "")),
    texts,
  );
});

test("a page tells where older lines are, and a cursor to go back from is named in its refusal", async () => {
  await using bench = await LinkBench.create();
  const asked: LogRequest[] = [];
  const { host, probe } = await connectWithLogs(bench, async function* ({ query }) {
    if (query.before === undefined) return;
    asked.push(query);
    if (query.before === "bad") throw new LogRequestError("bad_cursor");
    yield [{ kind: "previous", cursor: "older" }, sampleLine(1)];
  });
  await until(probe);
  const ask = (before: string) =>
    collect(
      bench.server.ask(
        host.hostId,
        { kind: "logs", projectId: makeTestId(), query: { ...page, before, tellsPrevious: true } },
        new AbortController().signal,
      ),
    );
  assert.deepEqual(await ask("a cursor"), [{ kind: "previous", cursor: "older" }, sampleLine(1)]);
  await assert.rejects(
    ask("bad"),
    (error) =>
      error instanceof AppError && error.code === "invalid_request" && error.extra["field"] === "before",
  );
  assert.deepEqual(
    asked.map(({ before, tellsPrevious }) => [before, tellsPrevious]),
    [
      ["a cursor", true],
      ["bad", true],
    ],
  );
});
