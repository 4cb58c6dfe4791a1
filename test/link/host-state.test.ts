/**
 * A host describes itself over the link: as many projects as it has, to a central of now; an agent of before
 * is not asked.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { AppError, type HostStateItem } from "@tijolo/protocol";
import { until } from "../support/until.ts";
import { LinkBench } from "./link-bench.ts";
import { RawAgent } from "./raw-agent.ts";
import { makeTestId } from "./samples.ts";

const machine: HostStateItem = {
  kind: "host-machine",
  machine: {
    runtime: "nspawn",
    kernel: "6.1",
    cgroups: "v2",
    disks: "image",
    io: "all",
    userNamespaces: "filtered",
  },
};
const stateOf = (projectId: string): HostStateItem => ({
  kind: "host-project",
  project: { projectId, limits: null, pids: null, disk: { usedMb: 1, limitMb: null, isReadOnly: false } },
});
const isUnavailable = (error: unknown) => error instanceof AppError && error.code === "server_unavailable";

async function collect(items: AsyncIterable<HostStateItem[]>): Promise<HostStateItem[]> {
  return (await Array.fromAsync(items)).flat();
}

test("each of a thousand projects is told, and items of another kind go nowhere", async () => {
  await using bench = await LinkBench.create();
  const host = await bench.joinHost();
  const projects = Array.from({ length: 1_000 }, () => stateOf(makeTestId()));
  bench.connect(host, {
    handlers: {
      async *state() {
        yield [machine, { kind: "removal-refused", reason: "shared" } as never];
        yield projects;
      },
    },
  });
  const items = await until(() => collect(bench.server.describe(host.hostId, new AbortController().signal)));
  assert.deepEqual(items, [machine, ...projects]);
});

test("an agent of the protocol before is asked nothing and goes on with what it knows", async () => {
  await using bench = await LinkBench.create();
  const host = await bench.joinHost();
  using control = await RawAgent.open(bench.port);
  using bulk = await RawAgent.open(bench.port);
  await control.hello(host, { maxProtocol: 2 });
  await bulk.hello(host, { socket: "bulk", maxProtocol: 2 });
  bulk.webSocket.send(JSON.stringify({ id: 90, method: "subscription", params: { path: "requests" } }));
  const signal = new AbortController().signal;
  assert.deepEqual(await collect(bench.server.describe(host.hostId, signal)), []);
  const images = collect(bench.server.images(host.hostId, { kind: "list-images" }, signal) as never).catch(
    () => {},
  );
  const asked = await until(
    () => bulk.answers.find(({ id, result }) => id === 90 && result?.type === "data")?.result,
  );
  assert.deepEqual(
    (asked.data as { request: object }).request,
    { kind: "list-images" },
    "the first that it is asked",
  );
  bulk.webSocket.close();
  await images;
});

test("a host that is away says nothing", async () => {
  await using bench = await LinkBench.create();
  const host = await bench.joinHost();
  await assert.rejects(
    collect(bench.server.describe(host.hostId, new AbortController().signal)),
    isUnavailable,
  );
});
