/**
 * A host describes itself over the link: as many projects as it has, to a central of now; an agent of before
 * is not asked.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { AppError, type HostItem } from "@tijolo/protocol";
import { until } from "../support/until.ts";
import { LinkBench } from "./link-bench.ts";
import { makeTestId } from "./samples.ts";

type HostStateItem = HostItem<"describe-host">;

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
    answers: {
      async *"describe-host"() {
        yield [machine, { kind: "removal-refused", reason: "shared" } as never];
        yield projects;
      },
    },
  });
  const items = await until(() =>
    collect(bench.server.ask(host.hostId, { kind: "describe-host" }, new AbortController().signal)),
  );
  assert.deepEqual(items, [machine, ...projects]);
});

test("a host that is away says nothing", async () => {
  await using bench = await LinkBench.create();
  const host = await bench.joinHost();
  await assert.rejects(
    collect(bench.server.ask(host.hostId, { kind: "describe-host" }, new AbortController().signal)),
    isUnavailable,
  );
});
