/** Requests per second for one project, beside a bare server of the same HTTP library that answers the same bytes. */

import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DeployedProject, nodeProgram } from "../real/support/deployed-project.ts";
import { RealCluster } from "../real/support/real-cluster.ts";
import type { Bench, Figure } from "./bench.ts";
import { nodeImage } from "./bench-images.ts";
import type { Load, LoadResult } from "./load-client.ts";
import { Sample } from "./sample.ts";

const connections = 64;
const durationMs = 2_500;
const rounds = 6;
const aimShare = 50;
const clockTicksPerSecond = 100;

type Server = { name: string; pid: number; load: Load };
type Measured = LoadResult & { cpuUsPerRequest: number };

export const requests: Bench = {
  name: "requests",
  async run(context): Promise<Figure[]> {
    const { resources, say } = context;
    await nodeImage(context);
    const cluster = resources.use(await RealCluster.create());
    const { client, key } = await cluster.createAccount();
    const { id } = await DeployedProject.create(client, { ...nodeProgram("setInterval(() => {}, 1e6)"), start: false });
    const path = `/api/projects/${id}`;
    const { centralUrl } = cluster.operator;
    const answer = await fetch(centralUrl + path, { headers: { authorization: `Bearer ${key}` } });
    const bare = start("bare-server.ts", resources);
    bare.send({ path, body: await answer.text(), headers: Object.fromEntries(answer.headers) });
    const [barePort] = await once(bare, "message");
    const visitors = start("load-client.ts", resources);

    const load = { path, key, connections, durationMs };
    const servers: Server[] = [
      { name: "bare Fastify", pid: bare.pid ?? 0, load: { ...load, port: Number(barePort) } },
      { name: "Tijolo", pid: cluster.central.pid ?? 0, load: { ...load, port: Number(new URL(centralUrl).port) } },
    ];
    say(`${connections} connections, ${rounds} rounds of ${durationMs / 1_000} s each`);
    const measured = new Map<Server, Measured[]>(servers.map((server) => [server, []]));
    for (let round = -1; round < rounds; round++) {
      for (const server of servers) {
        const result = await measure(visitors, server);
        if (round >= 0) measured.get(server)?.push(result);
      }
    }
    const rowsOf = (value: (result: Measured) => number) =>
      servers.map((server) => ({ name: server.name, sample: new Sample((measured.get(server) ?? []).map(value)) }));
    const perSecond = rowsOf((result) => result.requestsPerSecond);
    const [bareRate = Number.NaN, ownRate = Number.NaN] = perSecond.map(({ sample }) => sample.median);
    return [
      {
        title: `GET /projects/{id}, ${connections} connections`,
        unit: "/s",
        rows: perSecond,
        aim: { of: "of the bare server", value: (ownRate / bareRate) * 100, unit: "%", limit: aimShare, isReachedBy: "at least" },
      },
      { title: "… median", unit: "ms", rows: rowsOf((result) => result.medianMs), aim: null },
      { title: "… 99th percentile", unit: "ms", rows: rowsOf((result) => result.p99Ms), aim: null },
      { title: "… processor time of the server per request", unit: "µs", rows: rowsOf((result) => result.cpuUsPerRequest), aim: null },
    ];
  },
};

async function measure(visitors: ChildProcess, { pid, load }: Server): Promise<Measured> {
  const before = cpuUs(pid);
  visitors.send(load);
  const [result] = (await once(visitors, "message")) as [LoadResult];
  return { ...result, cpuUsPerRequest: (cpuUs(pid) - before) / result.requests };
}

function start(file: string, resources: AsyncDisposableStack): ChildProcess {
  const child = fork(join(import.meta.dirname, file), { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  resources.defer(() => void child.kill());
  return child;
}

/** User and system time of a process with all its threads. */
function cpuUs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  return ((Number(fields[11]) + Number(fields[12])) * 1e6) / clockTicksPerSecond;
}
