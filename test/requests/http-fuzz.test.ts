/**
 * Bent requests over raw sockets, from another process: heads, framings, bodies, multipart, slow and broken
 * connections. Central answers all the while and afterwards, as its contract says, and keeps nothing of it.
 * `TEST_SEED` repeats the choices, `TEST_FUZZ_SECONDS` says for how long.
 */

import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { test } from "node:test";
import { planNames } from "@tijolo/protocol";
import { pino } from "pino";
import type { FuzzOrder, FuzzReport } from "../support/fuzz/fuzz-program.ts";
import { PanelSession } from "../support/people/panel.ts";
import { RawHttp } from "../support/requests/raw-http.ts";
import { SimulatedProject } from "../support/projects/simulated-project.ts";
import { TestCluster, type TestAccount } from "../support/cluster/test-cluster.ts";
import { until } from "../support/until.ts";

const seconds = Number(process.env.TEST_FUZZ_SECONDS ?? 30);
const seed = Number(process.env.TEST_SEED ?? 20_261_121);
const maxGrowthMb = 300;
const maxBlockedMs = 3_000;
const streamsAtOnce = 5;
const apiBounds = { jsonBodyMs: 1_000, uploadIdleMs: 1_000, lingerMs: 500, pingMs: 200, drainMs: 1_000 };

test(
  `central stands ${seconds} s of bent requests and keeps nothing of them`,
  { timeout: (seconds + 120) * 1_000 },
  async (t) => {
    t.diagnostic(`TEST_SEED=${seed}`);
    const errors: string[] = [];
    const logger = pino({ level: "error" }, { write: (line: string) => void errors.push(line) });
    await using plans = await plansFile();
    await using cluster = await TestCluster.create({
      apiBounds,
      logger,
      centralSettings: { TIJOLO_PLANS_FILE: plans.path },
    });
    const account = await cluster.createAccount({
      plan: "Empresas",
      scopes: ["projects:settings", "account:read", "activity:read"],
    });
    const projects = await Promise.all(
      ["sim log 3000; run", "sim run"].map((command) => SimulatedProject.create(account, command)),
    );
    for (const project of projects) await project.is("running");
    const panel = await PanelSession.signUp(cluster);
    const descriptorsBefore = await openDescriptors();
    const rssBeforeMb = process.memoryUsage().rss / 2 ** 20;
    const delay = monitorEventLoopDelay({ resolution: 10 });
    delay.enable();

    const report = await fuzz({
      centralUrl: cluster.centralUrl,
      key: account.key,
      cookie: [...panel.cookies].map(([name, value]) => `${name}=${value}`).join("; "),
      projectIds: projects.map(({ id }) => id),
      seed,
      forMs: seconds * 1_000,
    });
    delay.disable();
    t.diagnostic(`${report.sent} requests: ${JSON.stringify(report.statuses)}`);
    const growthMb = Math.round(process.memoryUsage().rss / 2 ** 20 - rssBeforeMb);
    const blockedMs = Math.round(delay.max / 1e6);
    t.diagnostic(`memory grew by ${growthMb} MB; the event loop was blocked for ${blockedMs} ms at most`);

    assert.deepEqual(report.problems, []);
    assert.deepEqual(errors, [], "central logged a failure");
    assert.ok(
      report.succeeded.length > 10,
      `only ${report.succeeded.join(", ")} ever succeeded: the requests are not nearly right`,
    );
    for (const status of [200, 400, 404, 415, 422])
      assert.ok(report.statuses[status], `nothing was answered ${status}`);
    assert.ok(growthMb < maxGrowthMb, `${growthMb} MB`);
    assert.ok(blockedMs < maxBlockedMs, `${blockedMs} ms`);

    await until(
      async () => (await readdir(join(cluster.directory, "central", "objects", "incoming"))).length === 0,
    );
    await assertAllStreamsFree(cluster, account);
    await until(async () => (await openDescriptors()) <= descriptorsBefore + 4);
    const alive = await SimulatedProject.create(await cluster.createAccount(), "sim run");
    await alive.is("running", 30_000);
  },
);

/** In a process of its own, so that what it does is not mistaken for what central does. */
async function fuzz(order: FuzzOrder): Promise<FuzzReport> {
  const program = fork(join(import.meta.dirname, "../support/fuzz/fuzz-program.ts"), { stdio: "inherit" });
  try {
    program.send(order);
    const [report] = (await Promise.race([once(program, "message"), failureOf(program)])) as [FuzzReport];
    return report;
  } finally {
    program.kill();
  }
}

async function failureOf(program: ReturnType<typeof fork>): Promise<never> {
  const [code] = (await once(program, "exit")) as [number | null];
  throw new Error(`the fuzzer ended with ${code}`);
}

/** Wide rates, but few log streams, so that one that is not given back is missed. */
async function plansFile(): Promise<AsyncDisposable & { path: string }> {
  const directory = await mkdtemp(join(tmpdir(), "tijolo-fuzz-"));
  const path = join(directory, "plans.json");
  const rates = {
    requestsPerMinute: 1_000_000,
    requestsPerDay: 1_000_000,
    projects: 1_000,
    sites: 500,
    memoryMb: 10_000_000,
  };
  const limits = {
    uploadEveryMs: 0,
    uploadsAtOnce: 1_000,
    logOpenEveryMs: 0,
    logStreamsAtOnce: streamsAtOnce,
    wrongAttempts: 1_000_000,
  };
  await writeFile(
    path,
    JSON.stringify({ plans: Object.fromEntries(planNames.map((name) => [name, rates])), limits }),
  );
  return { path, [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }) };
}

async function assertAllStreamsFree(cluster: TestCluster, account: TestAccount): Promise<void> {
  const { id } = await SimulatedProject.create(account, "sim run");
  await until(async () => {
    using streams = new DisposableStack();
    for (let opened = 0; opened < streamsAtOnce; opened++) {
      const http = streams.use(await RawHttp.open(cluster.centralUrl));
      await http.send(
        `GET /api/projects/${id}/logs HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${account.key}\r\n\r\n`,
      );
      const { status } = await http.answer();
      if (status !== 200) return false;
    }
    return true;
  });
}

async function openDescriptors(): Promise<number> {
  return (await readdir("/proc/self/fd")).length;
}
