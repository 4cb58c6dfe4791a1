/** Compares proxies: processor time of a request, rate, and how long visitors wait. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Aim, BenchContext, Figure, Row } from "../bench.ts";
import { Sample } from "../sample.ts";
import { hostname, type Proxy } from "./proxies.ts";

const connections = 64;
const seconds = 3;
const rounds = 5;

type Scheme = "http" | "https";

export interface Load {
  requestsPerSecond: number;
  p99Ms: number;
  /** Microseconds of the proxy's processor time per request. */
  cpuUs: number;
}

/**
 * Visits each in turn, round after round. The first is ours: its aim is a share of the processor time that Caddy
 * takes.
 */
export async function compared(
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

/** Visits for some seconds over kept connections; fails when an answer is none of the program's. */
export async function visit(proxy: Proxy, scheme: Scheme, directory: string): Promise<Load> {
  const port = scheme === "http" ? proxy.httpPort : proxy.httpsPort;
  const log = join(directory, "requests.log");
  await rm(log, { force: true });
  const before = proxy.cpuSeconds();
  const words = ["--h1", "--threads=1", `--clients=${connections}`, `--duration=${seconds}`];
  const { address = "127.0.0.1", header, name = hostname, within = [] } = proxy;
  if (header !== undefined) words.push(`--header=${header}`);
  const where = [`--connect-to=${address}:${port}`, `--log-file=${log}`, `${scheme}://${name}:${port}/`];
  const [program = "", ...argv] = [...within, "h2load", ...words, ...where];
  const client = spawn(program, argv, { stdio: ["ignore", "pipe", "inherit"] });
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
