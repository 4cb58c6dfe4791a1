/**
 * A whole cluster in this process: real central with its database and servers on loopback, real agents with their ledgers and links,
 * and simulated machines under them. `await using` ends it and removes its files.
 */

import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, parseConfig as parseAgentConfig, SimulatedMachine } from "@tijolo/agent";
import { Central, parseConfig as parseCentralConfig, type CentralDependencies } from "@tijolo/central";
import { createClient, type Client, type KeyLevel, type PlanName, type Project, type Scope } from "@tijolo/protocol";
import { pino, type Logger } from "pino";
import { TestClock } from "./test-clock.ts";
import { until } from "./until.ts";
import { zipOf } from "./zip-of.ts";

export interface TestClusterOptions {
  /** How many hosts. Default 1. */
  hosts?: number;
  /** Changes of the HTTP edge's bounds. */
  apiBounds?: NonNullable<CentralDependencies["apiBounds"]>;
  /** Default 300, as the agent's own. */
  installTimeoutSeconds?: number;
}

/** An account with one key. */
export interface TestAccount {
  id: string;
  key: string;
  client: Client;
}

const random = (bytes: number) => randomBytes(bytes);

/** One host: its machine and data outlive the agent that runs on it. */
export class TestHost {
  readonly machine = new SimulatedMachine();
  readonly name: string;
  readonly dataDirectory: string;
  readonly #cluster: TestCluster;
  agent: Agent | null = null;

  constructor(cluster: TestCluster, name: string) {
    this.#cluster = cluster;
    this.name = name;
    this.dataDirectory = join(cluster.directory, name);
  }

  /** The first start joins the cluster. */
  async start(): Promise<void> {
    const tokenFile = join(this.#cluster.directory, `${this.name}-token`);
    if (this.agent !== null) throw new Error(`${this.name} runs already`);
    const isNew = !(await readFile(join(this.dataDirectory, "ledger.sqlite")).then(
      () => true,
      () => false,
    ));
    if (isNew) await this.#cluster.writeJoinToken(tokenFile);
    const config = parseAgentConfig({
      TIJOLO_CENTRAL_URL: this.#cluster.centralUrl,
      TIJOLO_JOIN_TOKEN_FILE: tokenFile,
      TIJOLO_DATA_DIRECTORY: this.dataDirectory,
      TIJOLO_AGENT_NAME: this.name,
      TIJOLO_HOST_NAME: this.name,
      TIJOLO_INSTALL_TIMEOUT_SECONDS: String(this.#cluster.options.installTimeoutSeconds ?? 300),
    });
    const { clock, logger } = this.#cluster;
    this.agent = await Agent.create(config, { clock, random, logger, simulated: this.machine });
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
  /** Kept over restarts of central, as a machine's address is. */
  #ports = { api: 0, gateway: 0 };
  operatorToken = "";

  private constructor(directory: string, options: TestClusterOptions) {
    this.directory = directory;
    this.options = options;
    this.logger = pino({ level: process.env.TEST_LOG_LEVEL ?? "silent" });
  }

  static async create(options: TestClusterOptions = {}): Promise<TestCluster> {
    const { hosts = 1 } = options;
    const cluster = new TestCluster(await mkdtemp(join(tmpdir(), "tijolo-cluster-")), options);
    await cluster.startCentral();
    cluster.operatorToken = (await readFile(join(cluster.directory, "central", "first-operator-token"), "utf8")).trim();
    for (let index = 1; index <= hosts; index++) {
      const host = new TestHost(cluster, `host-${index}`);
      cluster.hosts.push(host);
      await host.start();
    }
    await until(async () => (await cluster.connectedHosts()) === hosts);
    return cluster;
  }

  get central(): Central {
    if (this.#central === null) throw new Error("central does not run");
    return this.#central;
  }

  /** Also while central does not run. */
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
    const config = parseCentralConfig({
      TIJOLO_DATA_DIRECTORY: join(this.directory, "central"),
      TIJOLO_LISTEN: `127.0.0.1:${this.#ports.api}`,
      TIJOLO_GATEWAY_LISTEN: `127.0.0.1:${this.#ports.gateway}`,
    });
    const { clock, logger } = this;
    this.#central = await Central.create(config, { clock, random, logger, apiBounds: this.options.apiBounds ?? {} });
    this.#ports = { api: Number(new URL(this.#central.url).port), gateway: Number(new URL(this.#central.gatewayUrl).port) };
  }

  async stopCentral(): Promise<void> {
    await this.#central?.[Symbol.asyncDispose]();
    this.#central = null;
  }

  /** Calls the operators' admin API. */
  async admin(procedure: string, input?: unknown): Promise<unknown> {
    const isQuery = procedure.startsWith("list");
    const response = await fetch(`${this.central.url}/admin/${procedure}`, {
      method: isQuery ? "GET" : "POST",
      headers: { authorization: `Bearer ${this.operatorToken}`, "content-type": "application/json" },
      ...(isQuery ? {} : { body: JSON.stringify(input ?? null) }),
    });
    const answer = (await response.json()) as { result?: { data: unknown }; error?: unknown };
    if (answer.result === undefined) throw new Error(`${procedure}: ${JSON.stringify(answer.error)}`);
    return answer.result.data;
  }

  async connectedHosts(): Promise<number> {
    const hosts = (await this.admin("listHosts")) as { state: string }[];
    return hosts.filter(({ state }) => state === "connected").length;
  }

  async writeJoinToken(file: string): Promise<void> {
    const { token } = (await this.admin("createJoinToken")) as { token: string };
    await writeFile(file, token, { mode: 0o600 });
  }

  async createAccount({
    plan = "Stack",
    level = "write",
    scopes = [],
  }: { plan?: PlanName; level?: KeyLevel; scopes?: Scope[] } = {}): Promise<TestAccount> {
    const { id } = (await this.admin("createAccount", { name: "Ana", plan })) as { id: string };
    const key = await this.createKey(id, level, scopes);
    return { id, key, client: this.client(key) };
  }

  async createKey(accountId: string, level: KeyLevel, scopes: Scope[] = []): Promise<string> {
    const { key } = (await this.admin("createKey", { accountId, name: "test", level, scopes })) as { key: string };
    return key;
  }

  client(token: string): Client {
    return createClient({ baseUrl: `${this.central.url}/api`, token, fetch });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.hosts.map((host) => host.stop()));
    await this.stopCentral();
    // Programs outlive their agent, and may be writing to their logs.
    for (const { machine } of this.hosts) machine.reboot();
    await rm(this.directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 });
  }
}

/** A bot whose start command is a program of the simulated runtime (`sim …`). */
export async function simulatedBot(command: string, config: object = {}): Promise<File> {
  const svcJson = JSON.stringify({ language: "node", command, ...config });
  return new File([await zipOf({ "svc.json": svcJson, "index.js": "" })], "bot.zip");
}

/** The project once `isReached`. */
export async function projectWhen(
  client: Client,
  id: string,
  isReached: (project: Project) => boolean,
  timeoutMs = 10_000,
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
