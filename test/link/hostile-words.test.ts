/**
 * Words of a host that could steer a terminal: an agent makes them plain, and central takes none that are
 * not.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import type { HostItem } from "@tijolo/protocol";
import { sampleState } from "../support/samples.ts";
import { until } from "../support/until.ts";
import { LinkBench } from "./link-bench.ts";
import { RawAgent } from "./raw-agent.ts";
import { makeTestId, sampleAssignment, sampleLine, sampleResources } from "./samples.ts";

const hostile = "\u001b]0;pwned\u0007\u202e\nred";
const plain = "\ufffd]0;pwned\ufffd\ufffd red";

test("central refuses a hostile text or amount, says which, and takes the rest", async () => {
  await using bench = await LinkBench.create();
  const host = await bench.joinHost();
  for (const [field, more] of [
    ["build", { build: hostile }],
    ["operatingSystem", { resources: { ...sampleResources, operatingSystem: hostile } }],
    ["architecture", { resources: { ...sampleResources, architecture: "\u009b2J" } }],
    ["memoryMb", { resources: { ...sampleResources, memoryMb: 2 ** 53 - 1 } }],
    ["memoryMb", { resources: { ...sampleResources, memoryMb: 64 * 1024 * 1024 + 1 } }],
  ] as const) {
    using agent = await RawAgent.open(bench.port);
    await assert.rejects(agent.hello(host, { more }), new RegExp(`BAD_REQUEST[\\s\\S]*${field}`));
  }
  using agent = await RawAgent.open(bench.port);
  await agent.hello(host, { more: { resources: { ...sampleResources, memoryMb: 64 * 1024 * 1024 } } });
  const told = (errorDetail: string) => ({
    entries: [
      {
        sequence: 1,
        projectId: makeTestId(),
        generation: 1,
        event: { kind: "state", state: { ...sampleState(), errorDetail } },
      },
    ],
  });
  await assert.rejects(
    agent.call("report", told(hostile)),
    /BAD_REQUEST[\s\S]*one line without control characters/,
  );
  assert.deepEqual(await agent.call("report", told(plain)), { takenSequence: 1 });
  assert.ok(!JSON.stringify(bench.logger.entries).includes("pwned"), "the reason does not repeat it");
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
      async *images() {
        yield items.slice(0, 1) as never;
      },
      async *logs() {
        yield items.slice(1) as never;
      },
    },
  });
  await until(() => host.ledger.assignments().length === 1);
  host.ledger.saveRecord(assignment.projectId, {}, [
    { kind: "state", state: { ...sampleState(), errorDetail: hostile } },
  ]);
  link.wakeOutbox();
  await until(() => bench.backend.effects.length === 1);
  const [{ entry } = assert.fail()] = bench.backend.effects;
  assert.equal(entry.event.kind === "state" && entry.event.state.errorDetail, plain);
  assert.ok(!host.logger.has("dropped"));

  const { signal } = new AbortController();
  const answered: unknown[] = [];
  for await (const batch of bench.server.images(host.hostId, { kind: "list-images" }, signal))
    answered.push(...batch);
  const query = { lines: 10, section: "all", follow: false } as const;
  for await (const batch of bench.server.logs(host.hostId, assignment.projectId, query, signal))
    answered.push(...batch);
  assert.deepEqual(answered, [{ ...items[0], reason: plain }, items[1]]);
});
