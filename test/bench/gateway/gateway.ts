/**
 * Measures what a visit costs at a gateway beside other proxies that lead to the same program, in the same run:
 * processor time, rate, and how long visitors wait; and what certificates and idle connections cost.
 */

import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Bench, BenchContext, Figure } from "../bench.ts";
import { hasTool } from "../install-tool.ts";
import { Sample } from "../sample.ts";
import { compared, visit, type Load } from "./compare-proxies.ts";
import {
  startBareHaproxy,
  startCaddy,
  startGateway,
  startNginxProxy,
  startOrigin,
  type GatewayProxy,
  type Proxy,
} from "./proxies.ts";
import { startCaddyFiles, startStaticWays } from "./static-ways.ts";

const idleConnections = 10_000;
/** Bounds the rounds to as many as fit into the time for which HAProxy waits for a request. */
const idleRounds = 5;
const certificateCount = 3_000;

export const gateway: Bench = {
  name: "gateway",
  async run({ say, resources }): Promise<Figure[]> {
    const needed = [
      ["nginx", "nginx-light", "-v"],
      ["h2load", "nghttp2-client", "--version"],
    ] as const;
    for (const [program, debianPackage, ask] of needed)
      if (!hasTool(program, debianPackage, { say, ask })) throw new Error(`it takes ${program}`);
    const directory = await mkdtemp(join(tmpdir(), "gwb-"));
    resources.defer(() => rm(directory, { recursive: true, force: true }));
    const origin = await startOrigin(directory, resources);
    const ours = await startGateway(directory, { origin, certificates: 0 }, resources);
    const proxies: Record<string, Proxy> = {
      "the gateway's HAProxy": ours,
      "HAProxy alone": await startBareHaproxy(directory, origin, resources),
      nginx: await startNginxProxy(directory, origin, resources),
    };
    if (hasTool("caddy", "caddy", { say, ask: "version" }))
      proxies["Caddy"] = await startCaddy(directory, `reverse_proxy 127.0.0.1:${origin}`, resources);
    const figures: Figure[] = [];
    for (const scheme of ["http", "https"] as const)
      figures.push(...(await compared(proxies, scheme, { say, directory })));
    figures.push(...(await compareFiles({ say, directory, resources })));
    figures.push(await whileIdle(ours, { say, directory }));
    figures.push(await oneMoreCertificate(directory, origin, { say, resources }));
    return figures;
  },
};

/** Compares the ways to a file of 4 KB; those of a host's own nginx take root. */
async function compareFiles({
  say,
  directory,
  resources,
}: Pick<BenchContext, "say" | "resources"> & { directory: string }): Promise<Figure[]> {
  if (process.getuid?.() !== 0) {
    say("files are compared by root only");
    return [];
  }
  const { near, nginx, far } = await startStaticWays(directory, resources);
  const proxies: Record<string, Proxy> = { "HAProxy and nginx": near, "nginx alone": nginx };
  if (hasTool("caddy", "caddy", { say, ask: "version" }))
    proxies["Caddy"] = await startCaddyFiles(directory, resources);
  proxies["HAProxy, central and agent (a far host)"] = far;
  return compared(proxies, "http", { say, directory }, { what: "a file of 4 KB", leastShare: 1 });
}

/** Visits while thousands of connections are open on which nothing comes. */
async function whileIdle(
  proxy: GatewayProxy,
  { say, directory }: Pick<BenchContext, "say"> & { directory: string },
): Promise<Figure> {
  const visits = async () => {
    const loads: Load[] = [];
    for (let round = 0; round < idleRounds; round++) loads.push(await visit(proxy, "http", directory));
    return new Sample(loads.map(({ p99Ms }) => p99Ms));
  };
  const quiet = await visits();
  // Where the machine gives few descriptors, more idle ones than it takes would keep all others waiting.
  const count = Math.min(idleConnections, Math.floor(proxy.mostConnections * 0.8));
  say(`opening ${count} connections, of ${proxy.mostConnections} that it takes`);
  const idle: Socket[] = [];
  for (let index = 0; index < count; index++) {
    const socket = connect(proxy.httpPort, "127.0.0.1").on("error", () => {});
    idle.push(socket);
    if (index % 100 === 0) await once(socket, "connect");
  }
  const beside = await visits();
  const open = idle.filter(({ destroyed }) => !destroyed).length;
  for (const socket of idle) socket.destroy();
  say(`${open} of them were open at the end`);
  return {
    title: `Slowest of 100 visits beside ${count} idle connections`,
    unit: "ms",
    rows: [
      { name: "beside them", sample: beside },
      { name: "without them", sample: quiet },
    ],
    aim: {
      of: "beside them, divided by without",
      value: beside.median / quiet.median,
      unit: "",
      limit: 2,
      isReachedBy: "at most",
    },
  };
}

/** Adds one certificate after the other to a HAProxy that has thousands. */
async function oneMoreCertificate(
  directory: string,
  origin: number,
  { say, resources }: Pick<BenchContext, "say" | "resources">,
): Promise<Figure> {
  say(`making ${certificateCount} certificates`);
  const own = await mkdtemp(join(directory, "many-"));
  const startedMs = performance.now();
  const proxy = await startGateway(own, { origin, certificates: certificateCount }, resources);
  say(`HAProxy serves with them after ${((performance.now() - startedMs) / 1_000).toFixed(1)} s`);
  const tookMs: number[] = [];
  for (let index = 0; index < 10; index++) {
    const name = `fresh-${index}.localhost`;
    proxy.shown.set(await proxy.writeCertificate(name), [name]);
    const askedMs = performance.now();
    await proxy.list.apply(proxy.shown);
    tookMs.push(performance.now() - askedMs);
  }
  const sample = new Sample(tookMs);
  return {
    title: `One more certificate beside ${certificateCount}`,
    unit: "ms",
    rows: [{ name: "by the runtime API", sample }],
    aim: { of: "one more", value: sample.median, unit: "ms", limit: 100, isReachedBy: "at most" },
  };
}
