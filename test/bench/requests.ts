/**
 * GET and PATCH of one of 20,000 projects, with key check and request rates, beside a bare server of the same
 * HTTP library that answers the same bytes; then again while many log streams are open.
 */

import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DeployedProject, shellBot } from "../real/support/projects/deployed-project.ts";
import type { StoreOptions } from "./bare-store.ts";
import type { Bench, BenchContext, Figure, Row } from "./bench.ts";
import { startFullCluster, type FullCluster } from "./full-cluster.ts";
import type { Load, LoadResult } from "./load-client.ts";
import { Sample } from "./sample.ts";

const accounts = 1_000;
const projectsPerAccount = 20;
const connections = 64;
const durationMs = 2_500;
const rounds = 5;
const streams = 500;
const streamedProjects = 25;
const aimP99Ms = 20;
const clockTicksPerSecond = 100;

interface Server {
  name: string;
  pid: number;
  port: number;
}
type Measured = LoadResult & { cpuUsPerRequest: number };

export const requests: Bench = {
  name: "requests",
  async run(context): Promise<Figure[]> {
    const { resources, say } = context;
    say(`filling the database: ${accounts} accounts with ${projectsPerAccount} projects each`);
    const cluster = await startFullCluster(resources, { accounts, projectsPerAccount });
    const own: Server = { name: "Tijolo", pid: cluster.central.pid ?? 0, port: cluster.port };
    const directory = await mkdtemp(join(tmpdir(), "tijolo-bench-bare-"));
    resources.defer(() => rm(directory, { recursive: true, force: true }));
    const bare = await startBare(context, cluster, { name: "bare Fastify", store: null });
    const store = (name: string, options: Omit<StoreOptions, "path">) =>
      startBare(context, cluster, {
        name: `bare Fastify, ${name}`,
        store: { path: join(directory, `${name}.sqlite`), ...options },
      });
    const storing = [
      await store("one row", { copyOf: null, isGrouped: false }),
      await store("one row, committed together", { copyOf: null, isGrouped: true }),
      await store("a PATCH's SQL, committed together", { copyOf: cluster.database, isGrouped: true }),
    ];
    const visitors = start("load-client.ts", context);
    const load = { targets: cluster.targets, connections, durationMs };

    say("GET of each project once, the first since central started");
    const firstReads = new Map([
      [own, [await measure(visitors, own, { ...load, durationMs: null, method: "GET" })]],
    ]);
    say(`GET: ${connections} connections, ${rounds} rounds of ${durationMs / 1_000} s each`);
    const reads = await measureAll(visitors, [bare, own], { ...load, method: "GET" });
    say(`opening ${streams} log streams of ${streamedProjects} projects that print; GET and PATCH meanwhile`);
    const readers = await openStreams(context, cluster);
    const readsBeside = await measureAll(visitors, [own], { ...load, method: "GET" });
    const writesBeside = await measureAll(visitors, [own], { ...load, method: "PATCH" });
    readers.send("count");
    const { lines } = await messageOf<{ lines: number }>(readers);
    readers.kill();
    say("PATCH without the streams");
    const writes = await measureAll(visitors, [bare, ...storing, own], { ...load, method: "PATCH" });
    const beside = `while ${streams} log streams are open (${lines.toLocaleString("en-US")} lines came)`;
    return [
      {
        title: "GET /projects/{id}, the first of each project since central started",
        unit: "/s",
        rows: rowsOf(firstReads, (result) => result.requestsPerSecond),
        aim: null,
      },
      ...figuresOf("GET /projects/{id}", reads, 50),
      ...figuresOf("PATCH /projects/{id}", writes, null),
      ...figuresBeside(`GET ${beside}`, readsBeside),
      ...figuresBeside(`PATCH ${beside}`, writesBeside),
    ];
  },
};

/** Compares with the server that was measured before this one, which does what is most like it. */
function figuresOf(title: string, measured: Map<Server, Measured[]>, aimShare: number | null): Figure[] {
  const perSecond = rowsOf(measured, (result) => result.requestsPerSecond);
  const ownRate = perSecond.at(-1)?.sample.median ?? Number.NaN;
  const bareRate = perSecond.at(-2)?.sample.median ?? Number.NaN;
  const value = (ownRate / bareRate) * 100;
  return [
    {
      title: `${title}, ${connections} connections: ${value.toFixed(0)} % of ${perSecond.at(-2)?.name}`,
      unit: "/s",
      rows: perSecond,
      aim:
        aimShare === null
          ? null
          : { of: "of the bare server", value, unit: "%", limit: aimShare, isReachedBy: "at least" },
    },
    { title: "… median", unit: "ms", rows: rowsOf(measured, (result) => result.medianMs), aim: null },
    { title: "… 99th percentile", unit: "ms", rows: rowsOf(measured, (result) => result.p99Ms), aim: null },
    {
      title: "… processor time of the server per request",
      unit: "µs",
      rows: rowsOf(measured, (result) => result.cpuUsPerRequest),
      aim: null,
    },
  ];
}

function figuresBeside(title: string, measured: Map<Server, Measured[]>): Figure[] {
  const p99 = rowsOf(measured, (result) => result.p99Ms);
  const value = p99[0]?.sample.median ?? Number.NaN;
  return [
    { title, unit: "/s", rows: rowsOf(measured, (result) => result.requestsPerSecond), aim: null },
    {
      title: "… 99th percentile",
      unit: "ms",
      rows: p99,
      aim: { of: "median of the rounds", value, unit: "ms", limit: aimP99Ms, isReachedBy: "at most" },
    },
  ];
}

function rowsOf(measured: Map<Server, Measured[]>, value: (result: Measured) => number): Row[] {
  return [...measured].map(([{ name }, results]) => ({ name, sample: new Sample(results.map(value)) }));
}

/** Measures all servers; the first round only warms up. */
async function measureAll(
  visitors: ChildProcess,
  servers: Server[],
  load: Omit<Load, "port">,
): Promise<Map<Server, Measured[]>> {
  const measured = new Map<Server, Measured[]>(servers.map((server) => [server, []]));
  for (let round = -1; round < rounds; round++) {
    for (const server of servers) {
      const result = await measure(visitors, server, load);
      if (round >= 0) measured.get(server)?.push(result);
    }
  }
  return measured;
}

async function measure(
  visitors: ChildProcess,
  { pid, port }: Server,
  load: Omit<Load, "port">,
): Promise<Measured> {
  const before = cpuUs(pid);
  visitors.send({ ...load, port });
  const result = await messageOf<LoadResult>(visitors);
  return { ...result, cpuUsPerRequest: (cpuUs(pid) - before) / result.requests };
}

async function startBare(
  context: BenchContext,
  { centralUrl, targets: [target] }: FullCluster,
  { name, store }: { name: string; store: StoreOptions | null },
): Promise<Server> {
  const answer = await fetch(`${centralUrl}${target?.path}`, {
    headers: { authorization: `Bearer ${target?.key}` },
  });
  if (!answer.ok) throw new Error(`central answered ${answer.status}`);
  const bare = start("bare-server.ts", context);
  bare.send({ body: await answer.text(), headers: Object.fromEntries(answer.headers), store });
  return { name, pid: bare.pid ?? 0, port: await messageOf<number>(bare) };
}

async function openStreams(context: BenchContext, { operator, port }: FullCluster): Promise<ChildProcess> {
  const { client, key } = await operator.createAccount({ plan: "Empresas" });
  const command = `sim ${"print a line;wait 3000;".repeat(40)}`;
  const projects = await Promise.all(
    Array.from({ length: streamedProjects }, () => DeployedProject.create(client, shellBot(command))),
  );
  await Promise.all(projects.map((project) => project.is("running")));
  const readers = start("log-readers.ts", context);
  const projectIds = Array.from(
    { length: streams },
    (_, index) => projects[index % projects.length]?.id ?? "",
  );
  readers.send({ port, key, projectIds });
  await messageOf(readers);
  return readers;
}

function start(file: string, { resources }: BenchContext): ChildProcess {
  const child = fork(join(import.meta.dirname, file), { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  resources.defer(() => void child.kill());
  return child;
}

/** Returns the next message. Throws when the program ends instead. */
async function messageOf<Message>(program: ChildProcess): Promise<Message> {
  const ended = new AbortController();
  const onExit = (code: number | null) => ended.abort(new Error(`a program of the bench ended with ${code}`));
  program.once("exit", onExit);
  try {
    const [message] = (await once(program, "message", {
      signal: AbortSignal.any([ended.signal, AbortSignal.timeout(60_000)]),
    })) as [Message];
    return message;
  } finally {
    program.off("exit", onExit);
  }
}

/** Returns the user and system time of a process with all its threads. */
function cpuUs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  return ((Number(fields[11]) + Number(fields[12])) * 1e6) / clockTicksPerSecond;
}
