/** Tests the agent's half of what is told about the mesh, over real WebSockets: changes of a host's own end. */

import assert from "node:assert/strict";
import { test } from "node:test";
import type { MeshNews, MeshRequest, MeshUpdate } from "@tijolo/protocol";
import { until } from "../support/until.ts";
import { LinkBench } from "./link-bench.ts";
import { newMeshKey } from "./mesh-host.ts";

/** Central's mesh, which yields `update` and takes down what it hears. */
class RecordedMesh {
  update: MeshUpdate = { range: null, clashesWith: null, members: [], projects: [], gateways: [] };
  readonly owns: MeshRequest[] = [];
  readonly letIns: (readonly string[])[] = [];
  failures = 0;
  left = 0;

  async storeOwn(_hostId: string, own: MeshRequest): Promise<void> {
    this.owns.push(own);
    if (this.owns.length > 1 && this.failures-- > 0) throw new Error("the disk is full");
  }
  setLetIn(_hostId: string, _connection: object, letIn: readonly string[]): void {
    this.letIns.push(letIn);
  }
  leave(): void {
    this.left += 1;
  }
  updateFor(): MeshUpdate {
    return this.update;
  }
  onChange(): () => void {
    return () => {};
  }
  areNeighbours(): boolean {
    return false;
  }
}

/** An agent's mesh, which is what a test says. */
class SaidMesh {
  news: MeshNews = { own: { key: newMeshKey(), port: 1, range: "10.200.0.0/21" }, letIn: [] };
  readonly taken: MeshUpdate[] = [];
  readonly #listeners = new Set<() => void>();

  says(news: Partial<MeshNews>): void {
    this.news = { ...this.news, ...news };
    for (const listener of this.#listeners) listener();
  }
  get handlers() {
    return {
      own: () => this.news.own,
      take: (update: MeshUpdate) => void this.taken.push(update),
      news: () => this.news,
      onNews: (listener: () => void) => {
        this.#listeners.add(listener);
        return () => this.#listeners.delete(listener);
      },
    };
  }
  get listeners(): number {
    return this.#listeners.size;
  }
}

async function open(update: Partial<MeshUpdate>) {
  const bench = await LinkBench.create();
  const [central, agent] = [new RecordedMesh(), new SaidMesh()];
  central.update = { ...central.update, ...update };
  await bench.stopCentral();
  bench.mesh = central;
  await bench.startCentral();
  const host = await bench.joinHost();
  const link = bench.connect(host, { handlers: { mesh: agent.handlers }, bounds: { tellAgainMs: 5 } });
  await until(() => agent.taken.length === 1);
  return { bench, central, agent, host, link };
}

test("a change of the host's end is told once, and again until central has taken it", async () => {
  const { bench, central, agent, host } = await open({ mayUse: null });
  await using _ = bench;
  await until(() => agent.listeners === 1);
  const { own } = agent.news;
  agent.says({});
  central.failures = 2;
  const letIn = [newMeshKey()];
  agent.says({ own: { ...own, nextKey: newMeshKey() }, letIn });
  await until(() => central.letIns.length === 1);
  agent.says({ own: { ...own, port: 2 }, letIn: [] });
  await until(() => central.letIns.length === 2);
  assert.deepEqual(central.letIns, [letIn, []]);
  assert.deepEqual(
    central.owns.map(({ port, nextKey }) => [port, nextKey !== undefined]),
    [
      [1, false],
      [1, true],
      [1, true],
      [1, true],
      [2, false],
    ],
  );
  assert.ok(host.logger.has("has not taken a change"));
});

test("what changes while central is away is told with the next connection, by its request", async () => {
  const { bench, central, agent } = await open({ mayUse: null });
  await using _ = bench;
  await bench.stopCentral();
  await until(() => agent.listeners === 0 && central.left === 1);
  const letIn = [newMeshKey()];
  agent.says({ own: { ...agent.news.own, port: 2 }, letIn });
  await bench.startCentral();
  await until(() => central.letIns.length === 1);
  assert.deepEqual([central.letIns, central.owns.map(({ port }) => port)], [[letIn], [1, 2, 2]]);
});

test("a central that is older than the change of keys is told nothing that it does not know", async () => {
  const { bench, central, agent, link } = await open({});
  await using _ = bench;
  agent.says({ own: { ...agent.news.own, port: 2 } });
  await bench.stopCentral();
  await bench.startCentral();
  await until(() => agent.taken.length === 2 && link.state === "connected");
  assert.deepEqual([agent.listeners, central.letIns], [0, []]);
  assert.deepEqual(
    central.owns.map(({ port }) => port),
    [1, 2],
  );
});
