/**
 * Visits sites of a cluster whose hosts are separate machines: one beside the gateway, one that is reached over
 * WireGuard, and one that is reached over central. Prints its figures as JSON; `mesh.ts` runs it.
 */

import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { deployOn, startGatewayOn } from "../../real/mesh/far-sites.ts";
import { Machines, publicAddress, type Machine } from "../../real/mesh/machines.ts";
import { RealCluster } from "../../real/support/cluster/real-cluster.ts";
import { nodeProgram } from "../../real/support/projects/deployed-project.ts";
import { until } from "../../support/until.ts";
import { cpuSecondsOf } from "../process-figures.ts";
import { compared } from "./compare-proxies.ts";
import type { PlainFigure } from "./mesh.ts";
import { startCaddy, startOrigin, type Proxy } from "./proxies.ts";

const [, , directory = ""] = process.argv;
const say = (text: string) => console.log(text);
const leastShare = { wireguard: 0.8, carrier: 0.5 };

using machines = await Machines.create(directory);
await using resources = new AsyncDisposableStack();
const [first, home, muted] = [
  await machines.add("first", "public"),
  await machines.add("home", "home"),
  await machines.add("muted", "muted"),
];
await using cluster = await RealCluster.create({
  address: publicAddress,
  machines: [first.within, home.within, muted.within],
});
const owner = await cluster.createAccount();
/** Names of the sites: beside the gateway, over WireGuard, and over central. */
const names: string[] = [];
for (const [index, subdomain] of ["perto", "longe", "carregada"].entries()) {
  const host = cluster.hosts[index];
  if (host === undefined) throw new Error("a machine has no host");
  const source = `require("http").createServer((_, answer) => answer.end("x".repeat(4096))).listen(process.env.PORT);`;
  const upload = nodeProgram(source, { type: "site", subdomain, memoryMb: 512 });
  const site = await deployOn(cluster, owner, { host, upload });
  names.push(`${(await site.get()).subdomain}.localhost`);
}
const [near = "", wireguard = "", carrier = ""] = names;
await using gateway = await startGatewayOn(first, cluster, directory);
for (const name of [wireguard, carrier]) {
  say(`waiting until ${name} is reached over the mesh`);
  await until(async () => (await gateway.wayTo(name)) === "far-zip", { timeoutMs: 90_000, everyMs: 200 });
}

const origin = await startOrigin(directory, resources);
const caddy = await startCaddy(directory, `reverse_proxy 127.0.0.1:${origin}`, resources);
const [agentOfFirst, , agentOfMuted] = cluster.hosts.map(({ agent }) => agent.pid);
const haproxy = pidsOn(first, "/haproxy");
const tunnels = [pidsOn(first, "wireguard-go"), pidsOn(home, "wireguard-go"), pidsOn(muted, "wireguard-go")];
const [ofFirst = [], ofHome = [], ofMuted = []] = tunnels;
const overCentral = [cluster.central.pid, agentOfFirst, agentOfMuted].filter((pid) => pid !== undefined);

const visitedOn = (name: string, pids: readonly number[]): Proxy => ({
  httpPort: 80,
  httpsPort: 443,
  name,
  within: first.within,
  cpuSeconds: () => pids.reduce((sum, pid) => sum + cpuSecondsOf(pid).own, 0),
});
const figures = [
  ...(await compared(
    {
      "HAProxy and WireGuard of both hosts": visitedOn(wireguard, [...haproxy, ...ofFirst, ...ofHome]),
      Caddy: caddy,
      "HAProxy, the site beside it": visitedOn(near, haproxy),
    },
    "http",
    { say, directory },
    { what: "4 KB of another host, over WireGuard", leastShare: leastShare.wireguard },
  )),
  ...(await compared(
    {
      "HAProxy, WireGuard, central and both agents": visitedOn(carrier, [
        ...haproxy,
        ...ofFirst,
        ...ofMuted,
        ...overCentral,
      ]),
      Caddy: caddy,
    },
    "http",
    { say, directory },
    { what: "4 KB of another host, over central", leastShare: leastShare.carrier },
  )),
];
const plain = figures.map(({ rows, ...figure }) => ({
  ...figure,
  rows: rows.map(({ name, sample: { values } }) => ({ name, values })),
}));
console.log(`figures ${JSON.stringify(plain satisfies readonly PlainFigure[])}`);

/** Returns the processes of a machine whose command line has these words. */
function pidsOn({ within }: Machine, words: string): number[] {
  const holder = within.find((word) => word.startsWith("--target="))?.slice("--target=".length) ?? "";
  const network = readlinkSync(`/proc/${holder}/ns/net`);
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && isThere(name, network, words))
    .map(Number);
}

function isThere(pid: string, network: string, words: string): boolean {
  try {
    if (readlinkSync(`/proc/${pid}/ns/net`) !== network) return false;
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(words);
  } catch {
    return false; // it has ended
  }
}
