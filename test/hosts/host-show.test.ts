/**
 * `tijolo cluster host show` as an operator types it: capacity, what is promised, and each project's usage
 * beside its limits.
 */

import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { cpuCeilingPercent, type HostView } from "@tijolo/protocol";
import { CommandLine } from "../support/commands/command-line.ts";
import { SimulatedProject } from "../support/projects/simulated-project.ts";
import { TestCluster } from "../support/cluster/test-cluster.ts";
import { until } from "../support/until.ts";

class Bench implements AsyncDisposable {
  readonly cluster: TestCluster;
  readonly #line: CommandLine;

  private constructor(cluster: TestCluster, line: CommandLine) {
    this.cluster = cluster;
    this.#line = line;
  }

  static async create(hosts = 1): Promise<Bench> {
    const cluster = await TestCluster.create({ hosts });
    const line = await CommandLine.create();
    line.environment = { TIJOLO_URL: cluster.centralUrl, TIJOLO_OPERATOR_TOKEN: cluster.operatorToken };
    return new Bench(cluster, line);
  }

  show(words: readonly string[] = [], language?: "pt" | "en") {
    return this.#line.run(["cluster", "host", "show", ...words], language);
  }

  async view(...words: string[]): Promise<HostView> {
    return JSON.parse((await this.show([...words, "--json"])).stdout) as HostView;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#line[Symbol.asyncDispose]();
    await this.cluster[Symbol.asyncDispose]();
  }
}

suite("a host as its operator sees it", { concurrency: 3 }, () => {
  test("its capacity, and of each project the account, the status, usage and limits", async () => {
    await using bench = await Bench.create();
    const { cluster } = bench;
    const account = await cluster.createAccount({ plan: "Stack", scopes: ["projects:settings"] });
    const bot = await SimulatedProject.create(account, "sim run", {
      config: { name: "loja", memoryMb: 2_048 },
    });
    await bot.is("running");
    const idle = await SimulatedProject.create(account, "sim run", { start: false });
    await idle.is("stopped");
    const view = await until(
      async () => {
        const found = await bench.view();
        return found.projects.some(({ usage }) => usage !== null) ? found : undefined;
      },
      { timeoutMs: 30_000 },
    );
    const { host, memory } = view;
    const memoryMb = host.resources?.memoryMb ?? 0;
    assert.deepEqual(
      [host.name, host.state, host.reservedMemoryMb, host.projects],
      ["host-1", "connected", 2_304, 2],
    );
    assert.match(host.agentVersion ?? "", /^\d+\.\d+\.\d+$/);
    assert.equal(host.mesh?.range, "10.200.0.0/21");
    assert.match((await bench.show([], "pt")).stdout, /Rede entre máquinas: +10\.200\.0\.0\/21, /);
    assert.deepEqual(memory, { keptBackMb: 512, freeMb: memoryMb - 512 - 2_304 });
    assert.deepEqual([view.promisedDiskMb, view.answer], [2 * 8_192, "complete"]);
    assert.deepEqual(
      [view.machine?.runtime, view.machine?.cgroups, view.machine?.io],
      ["simulated", null, "none"],
    );

    const [running, stopped] = view.projects;
    assert.ok(running && stopped);
    assert.deepEqual(
      [running.name, running.account, running.status],
      ["loja", { id: account.id, name: "Ana", plan: "Stack" }, "running"],
    );
    const cpuPercent = cpuCeilingPercent(2_048, host.resources?.cpuCount ?? 0);
    assert.deepEqual(running.limits, {
      memoryMb: 2_048,
      cpuPercent,
      cpuWeight: 410,
      pids: 2_048,
      openFiles: null,
      io: null,
    });
    assert.deepEqual([running.usage?.memoryMb, running.usage?.pids, running.disk?.limitMb], [19, 1, 8_192]);
    assert.deepEqual(
      [stopped.status, stopped.usage, stopped.limits, stopped.reservedMemoryMb],
      ["stopped", null, null, 256],
    );

    // What waits for the next start does not count as what the kernel holds it to.
    await account.client.updateProject({ id: bot.id, body: { memoryMb: 1_024 } });
    const [waiting] = (await bench.view("host-1")).projects;
    assert.deepEqual([waiting?.limits?.memoryMb, waiting?.reservedMemoryMb], [2_048, 2_048]);

    const pt = await bench.show(["host-1"]);
    assert.match(pt.stdout, /^host-1 \(conectada\)$/m);
    assert.match(pt.stdout, /2\.304 MB reservados a projetos/);
    assert.match(
      pt.stdout,
      /^loja +Ana \(Stack\) +no ar +19\/2\.048 +[\d,]+\/\d+ +410 +1\/2\.048 +- +- +\d+\/8\.192 /m,
    );
    assert.match(pt.stdout, /-\/- \(256 reservados\)/);
    const en = await bench.show(["host-1"], "en");
    assert.match(en.stdout, /^Project +Account \(plan\) +Status +Memory \(MB\)/m);
  });

  test("one that is away is shown with what central knows, and one that there is not is refused", async () => {
    await using bench = await Bench.create(2);
    const { cluster } = bench;
    const project = await SimulatedProject.create(await cluster.createAccount(), "sim run");
    await project.is("running");
    const unnamed = await bench.show();
    assert.deepEqual([unnamed.code, /host-1, host-2/.test(unnamed.stderr)], [2, true], unnamed.stderr);
    const away = cluster.hosts.find(({ machine }) => machine.runs.size > 0);
    assert.ok(away);
    await away.stop();
    const view = await until(async () => {
      const found = await bench.view(away.name);
      return found.host.state === "unknown" ? found : undefined;
    });
    assert.deepEqual([view.answer, view.machine, view.usage], ["away", null, null]);
    assert.deepEqual(
      [view.projects[0]?.id, view.projects[0]?.limits, view.projects[0]?.usage],
      [project.id, null, null],
    );
    assert.match((await bench.show([away.name])).stdout, /A máquina não respondeu/);
    const missing = await bench.show(["nowhere"]);
    assert.deepEqual([missing.code, /nowhere/.test(missing.stderr)], [1, true]);
  });
});
