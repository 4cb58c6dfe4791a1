/**
 * Words of a host that could steer a terminal: an agent makes them plain, and so does central with those of
 * an older agent.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import type { HostItem, ImageNeed } from "@tijolo/protocol";
import { sampleState } from "../support/samples.ts";
import { until } from "../support/until.ts";
import { LinkBench } from "./link-bench.ts";
import { RawAgent } from "./raw-agent.ts";
import { makeTestId, sampleAssignment, sampleLine, sampleResources } from "./samples.ts";

const hostile = "\u001b]0;pwned\u0007\u202e\nred";
const plain = "\ufffd]0;pwned\ufffd\ufffd red";
const entryMissing = (entry: string) => ({ code: "entry_missing" as const, entry });

test("central makes plain what an older agent tells people, and refuses a hostile name, length or amount, says which, and takes the rest", async () => {
  await using bench = await LinkBench.create();
  const host = await bench.joinHost();
  const { backend } = bench;
  for (const [field, more] of [
    ["build", { build: "x".repeat(101) }],
    ["signature", { signature: hostile }],
    ["architecture", { resources: { ...sampleResources, architecture: "\n".repeat(41) } }],
    ["memoryMb", { resources: { ...sampleResources, memoryMb: 2 ** 53 - 1 } }],
    ["memoryMb", { resources: { ...sampleResources, memoryMb: 64 * 1024 * 1024 + 1 } }],
  ] as const) {
    using agent = await RawAgent.open(bench.port);
    await assert.rejects(agent.hello(host, { more }), new RegExp(`BAD_REQUEST[\\s\\S]*${field}`));
  }
  using agent = await RawAgent.open(bench.port);
  const resources = {
    ...sampleResources,
    memoryMb: 64 * 1024 * 1024,
    operatingSystem: hostile,
    architecture: "\u009b2J",
  };
  await agent.hello(host, { more: { build: hostile, resources } });
  assert.deepEqual(backend.hellos, [
    { build: plain, resources: { ...resources, operatingSystem: plain, architecture: "\ufffd2J" } },
  ]);
  const told = (sequence: number, changes: object) => ({
    entries: [
      {
        sequence,
        projectId: makeTestId(),
        generation: 1,
        event: { kind: "state", state: { ...sampleState(), ...changes } },
      },
    ],
  });
  await assert.rejects(
    agent.call("report", told(1, { configTag: hostile })),
    /BAD_REQUEST[\s\S]*invalid_format[\s\S]*configTag/,
  );
  await assert.rejects(
    agent.call("report", told(1, { errorDetails: [entryMissing("x".repeat(501))] })),
    /BAD_REQUEST[\s\S]*errorDetails/,
  );
  for (const errorDetails of [
    [{ code: "exit_code", exitCode: "\n" }],
    [{ code: "exit_code" }],
    Array.from({ length: 5 }, () => entryMissing("a.js")),
    ["a sentence"],
    [{ code: "x".repeat(101) }],
  ])
    await assert.rejects(agent.call("report", told(1, { errorDetails })), /BAD_REQUEST[\s\S]*errorDetails/);
  const ofNewerAgent = [{ code: "constructor", words: hostile }, entryMissing(hostile)];
  assert.deepEqual(await agent.call("report", told(1, { errorDetails: ofNewerAgent })), { takenSequence: 1 });
  const [effect] = backend.effects;
  assert.deepEqual(effect?.entry.event.kind === "state" && effect.entry.event.state.errorDetails, [
    entryMissing(plain),
  ]);
  assert.ok(!JSON.stringify(bench.logger.entries).includes("pwned"), "the reason does not repeat it");
});

test("central makes plain what an older agent tells an operator of its images and its machine", async () => {
  await using bench = await LinkBench.create();
  const host = await bench.joinHost();
  using control = await RawAgent.open(bench.port);
  await control.hello(host);
  using bulk = await RawAgent.open(bench.port);
  await bulk.hello(host, { socket: "bulk" });
  void bulk.call("requests", undefined, "subscription").catch(() => {});
  const requestIds = () =>
    bulk.answers.flatMap(({ result }) => {
      const data = result?.data as { requestId?: string; request?: { kind: string } } | undefined;
      return data?.requestId === undefined || data.request?.kind === "cancel" ? [] : [data.requestId];
    });
  const image: ImageNeed = { language: "ruby", version: "4.0", systemPackages: [] };
  const answerNext = async (asked: AsyncIterable<unknown[]>, item: object) => {
    const before = requestIds().length;
    const answered = Array.fromAsync(asked);
    await until(() => requestIds().length > before);
    await bulk.call("answer", { requestId: requestIds().at(-1), items: [item], end: { kind: "done" } });
    return (await answered).flat();
  };
  const signal = AbortSignal.timeout(10_000);
  const failed = { kind: "image-failed", image, reason: hostile };
  const images = await answerNext(
    bench.server.ask(host.hostId, { kind: "pull-images", images: [image], overrides: [] }, signal),
    failed,
  );
  assert.deepEqual(images, [{ ...failed, reason: plain }]);
  const machine = {
    runtime: "nspawn",
    cgroups: "v2",
    disks: "image",
    io: "all",
    userNamespaces: "filtered",
    kernel: hostile,
  };
  const state = await answerNext(bench.server.ask(host.hostId, { kind: "describe-host" }, signal), {
    kind: "host-machine",
    machine,
  });
  assert.deepEqual(state, [{ kind: "host-machine", machine: { ...machine, kernel: plain } }]);
});

test("an agent tells hostile words of its machine, and those that an older ledger holds, as plain ones; lines stay as they are", async () => {
  await using bench = await LinkBench.create();
  const host = await bench.joinHost();
  const assignment = sampleAssignment();
  bench.backend.want(host.hostId, [assignment]);
  const items: HostItem[] = [
    {
      kind: "image-failed",
      image: { language: "ruby", version: "4.0", systemPackages: [] },
      reason: hostile,
    },
    sampleLine(1, hostile),
  ];
  const link = bench.connect(host, {
    handlers: {
      describe: async () => ({ build: hostile, resources: { ...sampleResources, operatingSystem: hostile } }),
    },
    answers: {
      async *"pull-images"() {
        yield items.slice(0, 1) as never;
      },
      async *logs() {
        yield items.slice(1) as never;
      },
    },
  });
  await until(() => host.ledger.assignments().length === 1);
  host.ledger.saveRecord(assignment.projectId, {}, [
    { kind: "state", state: { ...sampleState(), errorDetails: [entryMissing(hostile)] } },
  ]);
  link.wakeOutbox();
  await until(() => bench.backend.effects.length === 1);
  const [{ entry } = assert.fail()] = bench.backend.effects;
  assert.deepEqual(entry.event.kind === "state" && entry.event.state.errorDetails, [entryMissing(plain)]);
  assert.ok(!host.logger.has("dropped"));

  const { signal } = new AbortController();
  const answered: unknown[] = [];
  const image: ImageNeed = { language: "ruby", version: "4.0", systemPackages: [] };
  for await (const batch of bench.server.ask(
    host.hostId,
    { kind: "pull-images", images: [image], overrides: [] },
    signal,
  ))
    answered.push(...batch);
  const query = { lines: 10, section: "all", follow: false } as const;
  for await (const batch of bench.server.ask(
    host.hostId,
    { kind: "logs", projectId: assignment.projectId, query },
    signal,
  ))
    answered.push(...batch);
  assert.deepEqual(answered, [{ ...items[0], reason: plain }, items[1]]);
});
