/** Lets keys of hosts grow old: connections go on while they change, and nobody has an old key afterwards. */

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { exec } from "../../../agent/src/host/exec.ts";
import { findWireguard } from "../../../agent/src/mesh/wireguard-programs.ts";
import { until } from "../../support/until.ts";
import type { RealCluster } from "../support/cluster/real-cluster.ts";
import type { RealHost } from "../support/cluster/real-host.ts";
import { testCache } from "../support/images/kept-images.ts";

export interface ChangingKeys {
  cluster: RealCluster;
  /** Returns the lines of a connection from the first host to a name, each with its longest silence. */
  ticksOf: (name: string) => Promise<string[]>;
  isLost: (name: string) => Promise<boolean>;
  first: RealHost;
  /** Reached by UDP, from behind NAT. */
  home: { host: RealHost; name: string };
  /** Reached over central. */
  muted: { host: RealHost; name: string };
  say: (text: string) => void;
}

const waiting = { timeoutMs: 120_000, everyMs: 100 };
/** Time in which the way over central is open again after a restart of an agent. */
const carrierMs = 75_000;

export async function changeKeys(parts: ChangingKeys): Promise<void> {
  const { cluster, first, home, muted, say } = parts;
  const all = [first, home.host, muted.host];
  const { wg } = await findWireguard(join(testCache, "tools"), () => {});
  const lostBefore = await Promise.all([home, muted].map(({ name }) => parts.isLost(name)));
  assert.deepEqual(lostBefore, [false, false]);

  for (const [text, hosts, name, afterMs] of [
    ["the host that connects changes its key", [first], home.name, 0],
    ["the host behind NAT changes its key", [home.host], home.name, 0],
    ["both change their keys while central dies", [first, home.host], home.name, 0],
    ["the host that is reached over central changes its key", [muted.host], muted.name, carrierMs],
  ] as const) {
    let ticksBefore = (await parts.ticksOf(name)).length;
    const before = await Promise.all(hosts.map((host) => age(host, afterMs)));
    if (afterMs > 0) {
      await cluster.untilConnected();
      await until(async () => (await parts.ticksOf(name)).length > ticksBefore + 1, waiting);
      ticksBefore = (await parts.ticksOf(name)).length;
    }
    const changed = async () => {
      const keys = await Promise.all(hosts.map((host) => keyOf(host)));
      return before.filter((key, index) => key !== keys[index]);
    };
    /** True when WireGuard has a key neither as its own nor as a peer's, on each of these hosts. */
    const areGone = async (keys: readonly string[], from: readonly RealHost[]) => {
      const lines = (await exec([...wg, "show", "all", "dump"])).stdout.split("\n");
      const own = await Promise.all(from.map((host) => keyOf(host)));
      const names = own.map((key) => lines.find((line) => line.split("\t")[2] === key)?.split("\t")[0]);
      const found = lines.filter((line) => names.includes(line.split("\t")[0])).join();
      return !names.includes(undefined) && !keys.some((key) => found.includes(key));
    };
    if (hosts.length > 1) {
      await until(async () => (await changed()).length > 0, { ...waiting, everyMs: 5 });
      await cluster.central.kill();
      const keys = await changed();
      await until(() => areGone(keys, hosts), waiting);
      say(`central dies when ${keys.length} of ${hosts.length} have changed: the two move on without it`);
      await cluster.startCentral();
    }
    await until(async () => (await changed()).length === hosts.length && areGone(before, all), waiting);
    await cluster.untilConnected();
    const ticksThen = (await parts.ticksOf(name)).length;
    await until(async () => (await parts.ticksOf(name)).length > ticksThen + 2, waiting);
    assert.equal(await parts.isLost(name), false, "the connection has gone on");
    for (const host of hosts) {
      assert.equal((await stat(join(host.dataDirectory, "mesh.key"))).mode & 0o777, 0o600);
      assert.equal(hasNextKey(host), false);
    }
    const silences = (await parts.ticksOf(name))
      .slice(ticksBefore)
      .map((line) => Number(line.split(" ").at(-1)));
    say(`${text}: a connection has gone on, its longest silence was ${Math.max(...silences)} ms`);
  }
}

/** Has a host's key be old, now or later, by its file while its agent is dead. Returns the key. */
async function age(host: RealHost, afterMs: number): Promise<string> {
  const key = await keyOf(host);
  await host.agent.kill();
  const file = join(host.dataDirectory, "mesh.json");
  const contents: unknown = JSON.parse(await readFile(file, "utf8"));
  await writeFile(file, JSON.stringify(Object.assign({}, contents, { changeAtMs: Date.now() + afterMs })));
  await host.agent.launch();
  await host.agent.serves();
  return key;
}

async function keyOf(host: RealHost): Promise<string> {
  const { key } = JSON.parse(await readFile(join(host.dataDirectory, "mesh.json"), "utf8")) as {
    key: string;
  };
  return key;
}

function hasNextKey({ dataDirectory }: RealHost): boolean {
  return existsSync(join(dataDirectory, "mesh-next.key"));
}
