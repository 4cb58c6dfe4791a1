/**
 * Measures what a visit costs at a gateway beside other proxies that lead to the same program, in the same run:
 * processor time, rate, and how long visitors wait; and what certificates and idle connections cost.
 */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Aim, Bench, BenchContext, Figure, Row } from "../bench.ts";
import { hasTool } from "../install-tool.ts";
import { Sample } from "../sample.ts";
import {
  hostname,
  startBareHaproxy,
  startCaddy,
  startGateway,
  startNginxProxy,
  startOrigin,
  type GatewayProxy,
  type Proxy,
} from "./proxies.ts";
import { startCaddyFiles, startStaticWays } from "./static-ways.ts";

const connections = 64;
const seconds = 3;
const rounds = 5;
const idleConnections = 10_000;
/** Bounds the rounds to as many as fit into the time for which HAProxy waits for a request. */
const idleRounds = 5;
const certificateCount = 3_000;

type Scheme = "http" | "https";

interface Load {
  requestsPerSecond: number;
  p99Ms: number;
  /** Microseconds of the proxy's processor time per request. */
  cpuUs: number;
}

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

/** Visits each in turn, round after round. */
async function compared(
  proxies: Readonly<Record<string, Proxy>>,
  scheme: Scheme,
  { say, directory }: Pick<BenchContext, "say"> & { directory: string },
  { what: answer, leastShare } = { what: "4 KB", leastShare: 2 },
): Promise<Figure[]> {
  const loads = new Map<string, Load[]>(Object.keys(proxies).map((name) => [name, []]));
  for (let round = -1; round < rounds; round++) {
    say(`${scheme}: ${round < 0 ? "warming up" : `round ${round + 1} of ${rounds}`}`);
    for (const [name, proxy] of Object.entries(proxies)) {
      const load = await visit(proxy, scheme, directory);
      if (round >= 0) loads.get(name)?.push(load);
    }
  }
  const rows = (of: keyof Load): Row[] =>
    [...loads].map(([name, list]) => ({ name, sample: new Sample(list.map((load) => load[of])) }));
  const cpu = rows("cpuUs");
  const what = `${connections} connections, ${answer}, ${scheme.toUpperCase()}`;
  return [
    { title: `Processor time of a request (${what})`, unit: "µs", rows: cpu, aim: shareAim(cpu, leastShare) },
    { title: `Requests (${what})`, unit: "1/s", rows: rows("requestsPerSecond"), aim: null },
    { title: `Slowest of 100 visits (${what})`, unit: "ms", rows: rows("p99Ms"), aim: null },
  ];
}

function shareAim([ours, ...others]: readonly Row[], limit: number): Aim | null {
  const caddy = others.find(({ name }) => name === "Caddy");
  if (ours === undefined || caddy === undefined) return null;
  const value = caddy.sample.median / ours.sample.median;
  return { of: "Caddy's, divided by the gateway's", value, unit: "", limit, isReachedBy: "at least" };
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

/** Visits for some seconds over kept connections; fails when an answer is none of the program's. */
async function visit(proxy: Proxy, scheme: Scheme, directory: string): Promise<Load> {
  const port = scheme === "http" ? proxy.httpPort : proxy.httpsPort;
  const log = join(directory, "requests.log");
  await rm(log, { force: true });
  const before = proxy.cpuSeconds();
  const words = ["--h1", "--threads=1", `--clients=${connections}`, `--duration=${seconds}`];
  const { address = "127.0.0.1", header } = proxy;
  if (header !== undefined) words.push(`--header=${header}`);
  const where = [`--connect-to=${address}:${port}`, `--log-file=${log}`, `${scheme}://${hostname}:${port}/`];
  const client = spawn("h2load", [...words, ...where], { stdio: ["ignore", "pipe", "inherit"] });
  let said = "";
  client.stdout.on("data", (chunk: Buffer) => (said += String(chunk)));
  await once(client, "close");
  const cpuSeconds = proxy.cpuSeconds() - before;
  const answers = (await readFile(log, "utf8"))
    .split("\n")
    .filter(Boolean)
    .map((line) => line.split("\t").map(Number));
  const wrong = answers.filter(([, status]) => status !== 200).length;
  if (answers.length === 0 || wrong > 0)
    throw new Error(`${wrong} of ${answers.length} answers were wrong: ${said.slice(-1_000)}`);
  const durations = new Sample(answers.map(([, , microseconds = 0]) => microseconds / 1_000));
  return {
    requestsPerSecond: answers.length / seconds,
    p99Ms: durations.quantile(0.99),
    cpuUs: (cpuSeconds * 1e6) / answers.length,
  };
}
