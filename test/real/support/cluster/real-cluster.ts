/**
 * A whole cluster as an operator runs it: central and each agent in a process of its own, real containers,
 * images and networks. One per test file. Its end takes everything off the machine and fails if something of
 * it is still there. With TEST_KEEP_DIRECTORY the files (data and logs of all programs) are copied there
 * before.
 */

import { execFileSync } from "node:child_process";
import { existsSync, symlinkSync } from "node:fs";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../../support/machine/free-port.ts";
import { findTraces } from "../../../support/machine/machine-traces.ts";
import { Operator, type NewAccount, type TestAccount } from "../../../support/cluster/operator.ts";
import { writeRelaxedPlans } from "../../../support/cluster/relaxed-plans.ts";
import { builtPanel } from "../../../support/panel/built-panel.ts";
import { until } from "../../../support/until.ts";
import { claimSlot } from "../host/claim-slot.ts";
import { keptImagesDirectory, testCache } from "../images/kept-images.ts";
import { Program } from "./program.ts";
import { RealHost } from "./real-host.ts";
import { removeDead } from "../host/remove-dead.ts";

export interface RealClusterOptions {
  /** Number of hosts. Default: 1. */
  hosts?: number;
  /** Further `TIJOLO_…` settings of the agents. */
  agentSettings?: Record<string, string>;
  /** True builds the panel, and has central serve it. */
  panel?: boolean;
  /** Address of central. Default: loopback. */
  address?: string;
  /** What to put before the arguments of each agent, as to run it on a machine of its own. Default: nothing. */
  machines?: readonly (readonly string[])[];
}

export class RealCluster implements AsyncDisposable {
  readonly name = `real-${process.pid}`;
  readonly directory = join(tmpdir(), `tijolo-${this.name}`);
  readonly hosts: RealHost[] = [];
  readonly central: Program;
  #address = "";
  #addresses = { api: "", gateway: "" };
  #panelDirectory: string | null = null;
  #operator: Operator | null = null;

  private constructor() {
    this.central = new Program({
      name: "central",
      logFile: join(this.directory, "central.log"),
      settings: {
        TIJOLO_DATA_DIRECTORY: join(this.directory, "central"),
        TIJOLO_PLANS_FILE: join(this.directory, "plans.json"),
      },
    });
  }

  static async create(options: RealClusterOptions = {}): Promise<RealCluster> {
    const { machines = [], agentSettings = {}, panel = false, address = "127.0.0.1" } = options;
    const { hosts = Math.max(1, machines.length) } = options;
    await removeDead();
    const cluster = new RealCluster();
    cluster.#address = address;
    if (panel) cluster.#panelDirectory = await builtPanel();
    await mkdir(cluster.directory, { mode: 0o711 });
    await writeRelaxedPlans(join(cluster.directory, "plans.json"));
    try {
      await cluster.startCentral();
      const token = await readFile(join(cluster.directory, "central", "first-operator-token"), "utf8");
      cluster.#operator = new Operator(cluster.#addresses.api, token.trim());
      for (let index = 0; index < hosts; index++)
        await cluster.#addHost(index, agentSettings, machines[index]);
      await cluster.untilConnected();
    } catch (error) {
      await cluster[Symbol.asyncDispose]();
      throw error;
    }
    return cluster;
  }

  get operator(): Operator {
    if (this.#operator === null) throw new Error("central has not been started yet");
    return this.#operator;
  }

  get centralUrl(): string {
    return this.#addresses.api;
  }

  get gatewayPort(): number {
    return Number(new URL(this.#addresses.gateway).port);
  }

  /** The first host. */
  get host(): RealHost {
    const [host] = this.hosts;
    if (host === undefined) throw new Error("the cluster has no host");
    return host;
  }

  /** Starts central, on the same addresses each time, as a machine has them. */
  async startCentral(): Promise<void> {
    await this.launchCentral();
    await this.central.serves();
  }

  /** Starts central as {@link startCentral} does, without waiting until it serves. */
  async launchCentral(): Promise<void> {
    if (this.#addresses.api === "")
      this.#addresses = {
        api: `http://${this.#address}:${await freePort()}`,
        gateway: `http://${this.#address}:${await freePort()}`,
      };
    const { api, gateway } = this.#addresses;
    await this.central.launch({
      TIJOLO_LISTEN: new URL(api).host,
      TIJOLO_GATEWAY_LISTEN: new URL(gateway).host,
      ...(this.#panelDirectory !== null && {
        TIJOLO_PANEL_DIRECTORY: this.#panelDirectory,
        TIJOLO_PANEL_URL: `http://localhost:${new URL(api).port}`,
      }),
    });
  }

  async untilConnected(count = this.hosts.length): Promise<void> {
    const areConnected = async () =>
      (await this.operator.hosts()).filter(({ state }) => state === "connected").length === count;
    await until(areConnected, { timeoutMs: 60_000, everyMs: 50 });
  }

  createAccount(options?: NewAccount): Promise<TestAccount> {
    return this.operator.createAccount(options);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.central.kill();
    for (const host of this.hosts) await host.wipe();
    const kept = process.env.TEST_KEEP_DIRECTORY;
    if (kept !== undefined) execFileSync("cp", ["--archive", this.directory, kept]);
    await rm(this.directory, { recursive: true, force: true });
    const instances = [this.name, ...this.hosts.map(({ name }) => name)];
    await until(() => findTraces(instances).length === 0, { timeoutMs: 30_000, everyMs: 50 }).catch(
      (cause: unknown) => {
        throw new Error(
          `the cluster left on the machine: ${JSON.stringify(findTraces(instances), null, 1)}`,
          { cause },
        );
      },
    );
  }

  async #addHost(
    index: number,
    settings: Record<string, string>,
    within: readonly string[] = [],
  ): Promise<void> {
    const host = new RealHost({
      name: `${this.name}-${index + 1}`,
      slot: await claimSlot(),
      directory: this.directory,
      centralUrl: this.#addresses.api,
      imagesDirectory: keptImagesDirectory,
      settings,
      within,
    });
    this.hosts.push(host);
    await mkdir(host.dataDirectory, { mode: 0o711 });
    const tools = join(testCache, "tools");
    if (existsSync(tools)) symlinkSync(tools, join(host.dataDirectory, "tools"));
    await writeFile(host.joinTokenFile, await this.operator.createJoinToken(), { mode: 0o600 });
    await host.agent.start();
    if (!existsSync(tools)) await keepTools(join(host.dataDirectory, "tools"), tools);
  }
}

/** Keeps what the agent has fetched for the next clusters. */
async function keepTools(from: string, to: string): Promise<void> {
  const partial = `${to}.${process.pid}`;
  execFileSync("cp", ["--archive", from, partial]);
  await rename(partial, to).catch(() => rm(partial, { recursive: true, force: true })); // another test was first
}
