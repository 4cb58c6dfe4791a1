/**
 * Runs a whole cluster in this process: real central with its database and servers on loopback, real agents
 * with their ledgers and links, and simulated machines under them. `await using` ends it and removes its
 * files.
 */

import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Agent, parseConfig as parseAgentConfig, SimulatedMachine } from "@tijolo/agent";
import { Central, parseConfig as parseCentralConfig, type CentralDependencies } from "@tijolo/central";
import type { Client, KeyLevel, Project, Scope } from "@tijolo/protocol";
import { pino, type Logger } from "pino";
import { fastDirectory } from "../machine/fast-directory.ts";
import { freePort } from "../machine/free-port.ts";
import { builtPanel } from "../panel/built-panel.ts";
import { Operator, type NewAccount, type TestAccount } from "./operator.ts";
import { writeRelaxedPlans } from "./relaxed-plans.ts";
import { startFiles } from "../archives/start-files.ts";
import { TestClock } from "./test-clock.ts";
import { until } from "../until.ts";
import { zipOf } from "../archives/zip-of.ts";

export type { TestAccount } from "./operator.ts";

export interface TestClusterOptions {
  /** Number of hosts. Default: 1. */
  hosts?: number;
  /** Changes of the HTTP edge's bounds. */
  apiBounds?: NonNullable<CentralDependencies["apiBounds"]>;
  /** Seconds of the install's deadline. Default: 300, as the agent's own. */
  installTimeoutSeconds?: number;
  /** True for the plans and limits of the spec; by default rates and pauses are too wide to be met. */
  hasRealLimits?: boolean;
  /** Changes of the mail queue's bounds. */
  mailBounds?: NonNullable<CentralDependencies["mailBounds"]>;
  /** Where HTTP is asked before certificates are ordered, and how long the DNS hook may take. */
  acmeLookups?: NonNullable<CentralDependencies["acmeLookups"]>;
  /** Logger in the place of the silent one. */
  logger?: Logger;
  /** Servers to ask about domains. Default: none that answers. */
  domainLookups?: NonNullable<CentralDependencies["domainLookups"]>;
  /** True to serve the panel of this checkout, which is built when it is not. People reach it by `localhost`. */
  panel?: boolean;
  /** Further `TIJOLO_…` settings of central. */
  centralSettings?: Record<string, string>;
  /**
   * Keeps everything in this directory and goes on from what lies there. Default: a new one, removed at the
   * end.
   */
  directory?: string;
  /** Default: free ports. */
  ports?: { api: number; gateway: number };
}

const random = (bytes: number) => randomBytes(bytes);

/** Pauses before restarts that a test can wait for; those of the policy go up to minutes. */
const restartPausesMs = [0, 1_000, 3_000, 8_000];

/** Represents one host: its machine and data outlive the agent that runs on it. */
export class TestHost {
  readonly machine = new SimulatedMachine();
  readonly name: string;
  readonly dataDirectory: string;
  readonly #cluster: TestCluster;
  agent: Agent | null = null;
  /** Further `TIJOLO_…` settings of the agent, from its next start on. */
  settings: Record<string, string> = {};
  /** Address that the agent dials from its next start on; null: central itself. */
  centralUrl: string | null = null;
  /** Milliseconds that its clock is behind central's. */
  clockBehindMs = 0;

  constructor(cluster: TestCluster, name: string) {
    this.#cluster = cluster;
    this.name = name;
    this.dataDirectory = join(cluster.directory, name);
  }

  /** Starts the agent; the first start joins the cluster. */
  async start(): Promise<void> {
    const tokenFile = join(this.#cluster.directory, `${this.name}-token`);
    if (this.agent !== null) throw new Error(`${this.name} runs already`);
    const isNew = !(await readFile(join(this.dataDirectory, "ledger.sqlite")).then(
      () => true,
      () => false,
    ));
    if (isNew) await this.#cluster.writeJoinToken(tokenFile);
    const config = parseAgentConfig({
      TIJOLO_CENTRAL_URL: this.centralUrl ?? this.#cluster.centralUrl,
      TIJOLO_JOIN_TOKEN_FILE: tokenFile,
      TIJOLO_DATA_DIRECTORY: this.dataDirectory,
      TIJOLO_AGENT_NAME: this.name,
      TIJOLO_HOST_NAME: this.name,
      TIJOLO_INSTALL_TIMEOUT_SECONDS: String(this.#cluster.options.installTimeoutSeconds ?? 300),
      ...this.settings,
    });
    const { logger } = this.#cluster;
    const clock = { now: () => this.#cluster.clock.now() - this.clockBehindMs };
    const simulated = this.machine;
    this.agent = await Agent.create(config, { clock, random, logger, simulated, restartPausesMs });
  }

  async stop(): Promise<void> {
    await this.agent?.[Symbol.asyncDispose]();
    this.agent = null;
  }
}

export class TestCluster implements AsyncDisposable {
  readonly directory: string;
  readonly logger: Logger;
  readonly options: TestClusterOptions;
  readonly clock = new TestClock();
  readonly hosts: TestHost[] = [];
  #central: Central | null = null;
  /** Ports kept over restarts of central, as a machine's address is. */
  #ports = { api: 0, gateway: 0 };
  operatorToken = "";

  private constructor(directory: string, options: TestClusterOptions) {
    this.directory = directory;
    this.options = options;
    this.logger = options.logger ?? pino({ level: process.env.TEST_LOG_LEVEL ?? "silent" });
  }

  static async create(options: TestClusterOptions = {}): Promise<TestCluster> {
    const { hosts = 1 } = options;
    if (options.directory !== undefined) await mkdir(options.directory, { recursive: true });
    const directory = options.directory ?? (await mkdtemp(join(fastDirectory(), "tijolo-cluster-")));
    const cluster = new TestCluster(directory, options);
    try {
      await cluster.#start(hosts);
    } catch (error) {
      await cluster[Symbol.asyncDispose](); // what has been started would keep the test file's process alive
      throw error;
    }
    return cluster;
  }

  async #start(hosts: number): Promise<void> {
    this.#ports = this.options.ports ?? { api: await freePort(), gateway: await freePort() };
    await this.startCentral();
    this.operatorToken = (
      await readFile(join(this.directory, "central", "first-operator-token"), "utf8")
    ).trim();
    for (let index = 1; index <= hosts; index++) {
      const host = new TestHost(this, `host-${index}`);
      this.hosts.push(host);
      await host.start();
    }
    await this.untilConnected();
  }

  get central(): Central {
    if (this.#central === null) throw new Error("central does not run");
    return this.#central;
  }

  /** Returns central's address, also while central does not run. */
  get centralUrl(): string {
    return `http://127.0.0.1:${this.#ports.api}`;
  }

  /** The first host. */
  get host(): TestHost {
    const [host] = this.hosts;
    if (host === undefined) throw new Error("the cluster has no host");
    return host;
  }

  async startCentral(): Promise<void> {
    const plansFile = join(this.directory, "plans.json");
    if (this.options.hasRealLimits !== true) await writeRelaxedPlans(plansFile);
    const config = parseCentralConfig({
      ...(this.options.hasRealLimits === true ? {} : { TIJOLO_PLANS_FILE: plansFile }),
      TIJOLO_DATA_DIRECTORY: join(this.directory, "central"),
      TIJOLO_LISTEN: `127.0.0.1:${this.#ports.api}`,
      TIJOLO_GATEWAY_LISTEN: `127.0.0.1:${this.#ports.gateway}`,
      ...(this.options.panel === true ? await this.#panelSettings() : {}),
      ...this.options.centralSettings,
    });
    const { clock, logger } = this;
    this.#central = await Central.create(config, {
      clock,
      random,
      logger,
      apiBounds: this.options.apiBounds ?? {},
      mailBounds: this.options.mailBounds ?? {},
      acmeLookups: this.options.acmeLookups ?? {},
      domainLookups: this.options.domainLookups ?? { resolvers: [] },
    });
  }

  async #panelSettings(): Promise<Record<string, string>> {
    return {
      TIJOLO_PANEL_DIRECTORY: await builtPanel(),
      TIJOLO_PANEL_URL: `http://localhost:${this.#ports.api}`,
    };
  }

  async stopCentral(): Promise<void> {
    await this.#central?.[Symbol.asyncDispose]();
    this.#central = null;
  }

  get operator(): Operator {
    return new Operator(this.centralUrl, this.operatorToken);
  }

  /** Client that calls as the first operator. */
  get admin(): Client {
    return this.operator.client();
  }

  async connectedHosts(): Promise<number> {
    return (await this.operator.hosts()).filter(({ state }) => state === "connected").length;
  }

  /** Resolves once as many hosts are connected as there are. */
  async untilConnected(count = this.hosts.length): Promise<void> {
    await until(async () => (await this.connectedHosts()) === count, { timeoutMs: 60_000 });
  }

  async writeJoinToken(file: string): Promise<void> {
    await writeFile(file, await this.operator.createJoinToken(), { mode: 0o600 });
  }

  /**
   * Creates an account; unless `scopes` say otherwise, its key may also change settings, by an upload too.
   */
  createAccount({
    plan = "Stack",
    level = "write",
    scopes = ["projects:settings"],
  }: NewAccount = {}): Promise<TestAccount> {
    return this.operator.createAccount({ plan, level, scopes });
  }

  createKey(accountId: string, level: KeyLevel, scopes: Scope[] = []): Promise<string> {
    return this.operator.createKey(accountId, level, scopes);
  }

  client(token: string): Client {
    return this.operator.client(token);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.hosts.map((host) => host.stop()));
    await this.stopCentral();
    // Programs outlive their agent, and may be writing to their logs.
    for (const { machine } of this.hosts) machine.reboot();
    if (this.options.directory === undefined)
      await rm(this.directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 });
  }
}

/** Makes a bot whose start command is a program of the simulated runtime (`sim …`). */
export async function simulatedBot(command: string, config: object = {}): Promise<File> {
  const svcJson = JSON.stringify({ language: "node", command, ...config });
  const files = { "index.js": "", ...startFiles({ command, ...config }) };
  return new File([await zipOf({ ...files, "svc.json": svcJson })], "bot.zip");
}

/** Returns the project once `isReached`. */
export async function projectWhen(
  client: Client,
  id: string,
  isReached: (project: Project) => boolean,
  timeoutMs = 30_000,
): Promise<Project> {
  let last: Project | undefined;
  try {
    return await until(
      async () => {
        last = (await client.getProject({ id })).project;
        return isReached(last) ? last : undefined;
      },
      { timeoutMs, everyMs: 20 },
    );
  } catch (cause) {
    throw new Error(`the project never got there; it is ${JSON.stringify(last)}`, { cause });
  }
}
