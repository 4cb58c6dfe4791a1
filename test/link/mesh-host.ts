/**
 * Takes part in the mesh of a cluster as a host's agent does, over real WebSockets, and says what a test has it
 * say.
 */

import { randomBytes } from "node:crypto";
import { join } from "node:path";
import {
  carried,
  carrierPath,
  meshUpdate,
  readCarried,
  type Joined,
  type MeshRequest,
  type MeshUpdate,
} from "@tijolo/protocol";
import { loadIdentity, type Identity } from "@tijolo/protocol/kit/link";
import { WebSocket } from "ws";
import { wantedChanged } from "../../central/src/store/tables/hosts/host.ts";
import { deleteProject, insertProject } from "../../central/src/store/tables/projects/project.ts";
import { transact } from "../../central/src/store/store.ts";
import type { TestCluster } from "../support/cluster/test-cluster.ts";
import { sampleSettings, sampleState } from "../support/samples.ts";
import { until } from "../support/until.ts";
import { RawAgent } from "./raw-agent.ts";
import { makeTestId } from "./samples.ts";

/** Returns a key as WireGuard writes one. */
export function newMeshKey(): string {
  return randomBytes(32).toString("base64");
}

export class MeshHost implements Disposable {
  readonly cluster: TestCluster;
  readonly name: string;
  readonly hostId: string;
  /** Range as its join was answered; "" where there was none. */
  readonly range: string;
  readonly identity: Identity;
  key = newMeshKey();
  #agent: RawAgent | undefined;
  #bearer = "";
  #sequence = 0;

  private constructor(cluster: TestCluster, name: string, identity: Identity, joined: Joined) {
    this.cluster = cluster;
    this.name = name;
    this.identity = identity;
    this.hostId = joined.hostId;
    this.range = joined.meshRange ?? "";
  }

  /** Joins the cluster, without a word about the mesh. */
  static async join(cluster: TestCluster, name: string): Promise<MeshHost> {
    const identity = await loadIdentity(join(cluster.directory, `${name}.key`));
    const token = await cluster.operator.createJoinToken();
    using agent = await RawAgent.open(portOf(cluster));
    const { publicKey } = identity;
    return new MeshHost(
      cluster,
      name,
      identity,
      (await agent.call("join", { token, name, publicKey })) as Joined,
    );
  }

  /** Joins the cluster and becomes a member of the mesh. */
  static async member(cluster: TestCluster, name: string): Promise<MeshHost> {
    const host = await MeshHost.join(cluster, name);
    await host.connect();
    await host.says();
    return host;
  }

  get agent(): RawAgent {
    if (this.#agent === undefined) throw new Error(`${this.name} is not connected`);
    return this.#agent;
  }

  get bearer(): string {
    return this.#bearer;
  }

  /** `from` is where a proxy says that it comes from, `machine` where it says that it runs. */
  async connect({ from, machine }: { from?: string; machine?: string } = {}): Promise<void> {
    const headers = from === undefined ? {} : { "x-forwarded-for": from };
    this.#agent = await RawAgent.open(portOf(this.cluster), undefined, headers);
    this.#bearer = (await this.#agent.hello(this, { more: { machine } })).bearer;
  }

  /** Closes its connections, as when its agent ends. */
  [Symbol.dispose](): void {
    this.#agent?.[Symbol.dispose]();
    this.#agent = undefined;
  }

  /** Subscribes to the mesh as what it was told to be, but for `change`. */
  async says(change: Partial<MeshRequest> = {}): Promise<void> {
    const own = { key: this.key, port: 51_820, range: this.range, ...change };
    const told = this.updates.length;
    await this.agent.call("mesh", own, "subscription");
    await until(
      () => this.updates.length > told || this.agent.answers.some(({ error }) => error !== undefined),
    );
  }

  /** Tells what it is now, but for `change`, and which next keys of others it lets in. */
  async tells(change: Partial<MeshRequest> = {}, letIn: readonly string[] = []): Promise<void> {
    const own = { key: this.key, port: 51_820, range: this.range, ...change };
    await this.agent.call("tellMesh", { own, letIn });
  }

  /** Updates of this connection, in order. */
  get updates(): MeshUpdate[] {
    return this.agent.answers.flatMap(({ result }) => meshUpdate.safeParse(result?.data).data ?? []);
  }

  get update(): MeshUpdate | undefined {
    return this.updates.at(-1);
  }

  /** Names of hosts that it knows: those of `others` and, for another, the id. */
  knows(...others: MeshHost[]): string[] {
    const names = new Map(others.map(({ hostId, name }) => [hostId, name]));
    return (this.update?.members ?? []).map(({ hostId }) => names.get(hostId) ?? hostId).toSorted();
  }

  /** Addresses of the projects that it knows. */
  get addresses(): string[] {
    return (this.update?.projects ?? []).map(({ address }) => address).toSorted();
  }

  /** Returns an address in its range; numbers up to 250. */
  address(number: number): string {
    const [first, second, third] = this.range.split(".");
    return `${first}.${second}.${third}.${number}`;
  }

  /** Places a project of an account on it, which nobody has started. */
  async place(accountId: string, type: "bot" | "site" = "bot"): Promise<string> {
    const projectId = makeTestId();
    await transact(this.cluster.central.app.db, async (tx) => {
      const names = { name: projectId, description: "", subdomain: null, servedSubdomain: null };
      const counts = { restartCount: 1, versionNumber: 1, generation: 1, createdAt: 0, updatedAt: 0 };
      const settings = sampleSettings({ type });
      const placed = {
        id: projectId,
        accountId,
        hostId: this.hostId,
        run: "on" as const,
        startConfigTag: null,
      };
      await insertProject(tx, { ...placed, ...names, ...counts, settings });
      await wantedChanged(tx, this.hostId, [projectId]);
    });
    return projectId;
  }

  async remove(projectId: string): Promise<void> {
    await transact(this.cluster.central.app.db, async (tx) => {
      await wantedChanged(tx, this.hostId, [projectId]);
      await deleteProject(tx, projectId);
    });
  }

  /** Reports the address of a project; null: no process of it runs. */
  async reports(projectId: string, meshAddress: string | null): Promise<void> {
    const event = { kind: "state", state: sampleState({ meshAddress }) };
    const entry = { sequence: ++this.#sequence, projectId, generation: 1, event };
    await this.agent.call("report", { entries: [entry] });
  }

  openCarrier(options: { bearer?: string } = {}): Promise<TestCarrier> {
    return TestCarrier.open(this.cluster, options.bearer ?? this.#bearer);
  }
}

/** One WebSocket that carries datagrams. */
export class TestCarrier implements Disposable {
  readonly webSocket: WebSocket;
  readonly received: { hostId: string; text: string; bytes: number }[] = [];
  closeCode: number | undefined;

  private constructor(webSocket: WebSocket) {
    this.webSocket = webSocket;
    webSocket.on("close", (code) => (this.closeCode = code));
    webSocket.on("message", (data: Buffer) => {
      const read = readCarried(data);
      if (read === undefined) throw new Error("central sent no datagram");
      const text = Buffer.from(read.datagram).toString();
      this.received.push({ hostId: read.hostId, text, bytes: read.datagram.length });
    });
  }

  /** Throws what the upgrade was answered. */
  static async open(cluster: TestCluster, bearer: string | null): Promise<TestCarrier> {
    const headers = bearer === null ? {} : { authorization: `Bearer ${bearer}` };
    const webSocket = new WebSocket(`ws://127.0.0.1:${portOf(cluster)}${carrierPath}`, { headers });
    const carrier = new TestCarrier(webSocket);
    await new Promise((resolve, reject) => webSocket.once("open", resolve).once("error", reject));
    webSocket.on("error", () => {});
    return carrier;
  }

  send(target: MeshHost, datagram: string | Uint8Array): void {
    const bytes = typeof datagram === "string" ? Buffer.from(datagram) : datagram;
    this.webSocket.send(carried(target.hostId, bytes));
  }

  [Symbol.dispose](): void {
    this.webSocket.terminate();
  }
}

function portOf({ centralUrl }: TestCluster): number {
  return Number(new URL(centralUrl).port);
}
