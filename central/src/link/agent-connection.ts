/** Implements central's side of one WebSocket of an agent: who it is, and what it may call. */

import { TRPCError } from "@trpc/server";
import {
  AppError,
  asOfProtocol,
  type CarriedVisits,
  type CertificatesUpdate,
  type DesiredUpdate,
  type Drain,
  type GatewayHello,
  type GatewayWelcome,
  type HeldOutline,
  type HeldProject,
  type Hello,
  type HostAnswer,
  type HostRequest,
  type Joined,
  type JoinRequest,
  type LinkConnection,
  type LinkProtocol,
  type LinkSocket,
  type MeshNews,
  type MeshRequest,
  type MeshUpdate,
  type ReportEntry,
  type RoutesUpdate,
  type UsageReport,
  type Welcome,
} from "@tijolo/protocol";
import { poll } from "@tijolo/protocol/kit";
import { CallGate } from "./call-gate.ts";
import { checkHello } from "./check-hello.ts";
import { desiredFeed } from "./desired-feed.ts";
import type { SentSet } from "./desired-hash.ts";
import type { HostConnection, HostConnections } from "./host-connections.ts";
import { HostStreams } from "./host-streams.ts";
import type { GatewayBackend } from "../app/gateways/gateway-backend.ts";
import type { LinkBackend } from "../app/host-projects/link-backend.ts";
import type { MeshBackend } from "../app/mesh/mesh-backend.ts";
import { GatewaySession } from "./gateway-session.ts";
import { meshFeed, takeMeshNews } from "./mesh-feed.ts";
import type { RefusalLog } from "./refusal-log.ts";
import { closeCodes, type LinkBounds, type LinkLogger } from "./link-options.ts";

/** The parts that all connections of a server have in common. */
export interface LinkSite {
  backend: LinkBackend;
  /** Absent: no gateway is accepted. */
  gateways?: GatewayBackend | undefined;
  /** Absent: no host is a member of the mesh. */
  mesh?: MeshBackend | undefined;
  random: (bytes: number) => Uint8Array;
  logger: LinkLogger;
  bounds: LinkBounds;
  /** Protocol versions that this central speaks. */
  protocol: LinkProtocol;
  hosts: HostConnections;
  refusals: RefusalLog;
  /** Sets as in {@link DesiredFeedRequest}. */
  sentSets: Map<string, SentSet>;
}

/** The WebSocket under a connection. */
export interface LinkTransport {
  /** The client's network, as `networkOf` names it. */
  network: string;
  /** Address at which others reach the client; null when that is this machine's own. */
  address: string | null;
  /** What binds signatures to this connection; undefined where it is without TLS of our own. */
  channel: string | undefined;
  /** True when nobody between the two ends can read along: over TLS of our own, or within one machine. */
  isPrivate: boolean;
  /** Called when the other side has proved to be a host. */
  welcomed(): void;
  cut(code: number, reason: string): void;
  /** Returns the bytes that the other side has yet to read. */
  unsentBytes(): number;
}

/** Unsent bytes below which the next part of a long update is sent. */
const drainedBytes = 1024 * 1024;
const drainPollMs = 10;

interface Identity {
  hostId: string;
  socket: LinkSocket;
}

export class AgentConnection implements LinkConnection, HostConnection {
  readonly bearer: string;
  readonly streams: HostStreams;
  readonly #site: LinkSite;
  readonly #transport: LinkTransport;
  #nonce: string | undefined;
  #identity: Identity | undefined;
  #isWelcome = false;
  #isTrying = false;
  #protocol = 0;
  #isOver = false;
  #gateway: GatewaySession | undefined;
  readonly #calls: CallGate;

  constructor(site: LinkSite, transport: LinkTransport) {
    this.#site = site;
    this.#transport = transport;
    this.bearer = toText(site.random(32));
    this.streams = new HostStreams(site.bounds);
    this.#calls = new CallGate({
      maxCalls: site.bounds.maxCalls,
      logger: site.logger,
      refuseIfOver: () => this.#refuseIfOver(),
      onTooMany: () => this.end(closeCodes.tooMuch, "too many calls at once"),
    });
  }

  get isWelcome(): boolean {
    return this.#isWelcome && !this.#isOver;
  }

  get protocol(): number {
    return this.#protocol;
  }

  get hostId(): string | undefined {
    return this.#identity?.hostId;
  }

  /** Id of the gateway at the other end, when there is one. */
  get gatewayId(): string | undefined {
    return this.#gateway?.gatewayId;
  }

  end(code: number, reason: string): void {
    if (this.#isOver) return;
    this.#transport.cut(code, reason);
    this.ended();
  }

  /** Called when the WebSocket is gone. */
  ended(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.streams.close();
    this.#gateway?.ended();
    if (this.#identity !== undefined)
      this.#site.hosts.remove(this, this.#identity.hostId, this.#identity.socket);
  }

  /** Called when a message came from the other side. */
  heard(): void {
    if (this.isWelcome && this.#identity !== undefined) this.#site.backend.hostHeard(this.#identity.hostId);
  }

  join(request: JoinRequest): Promise<Joined> {
    return this.#calls.run("join", async () => {
      const { backend, gateways, logger, refusals } = this.#site;
      this.#beginTry();
      try {
        const { kind = "host", name } = request;
        const joined = await (kind === "gateway" ? gateways : backend)?.join(request);
        if (joined === undefined) throw new AppError("not_authenticated");
        logger.info({ hostId: joined.hostId, name, kind }, "link: a machine joined");
        return joined;
      } catch (error) {
        if (error instanceof AppError) {
          refusals.note(
            this.#transport.network,
            { name: request.name, code: error.code },
            "link: a join was refused",
          );
        }
        throw error;
      }
    });
  }

  challenge(): ReturnType<LinkConnection["challenge"]> {
    return this.#calls.run("challenge", async () => {
      const { min, max } = this.#site.protocol;
      this.#nonce = toText(this.#site.random(32));
      return { nonce: this.#nonce, protocol: { min, max } };
    });
  }

  hello(hello: Hello): Promise<Welcome> {
    return this.#calls.run("hello", async () => {
      const { backend, hosts } = this.#site;
      this.#beginTry();
      const { protocol, epoch } = await this.#authenticate(hello);
      let takenSequence = 0;
      if (hello.socket === "control") {
        hosts.announce(hello.hostId);
        takenSequence = (await backend.hostConnected(hello.hostId, hello)).takenSequence;
        this.#refuseIfOver();
      }
      this.#protocol = protocol;
      this.#isWelcome = true;
      this.#transport.welcomed();
      return { protocol, epoch, takenSequence, bearer: this.bearer };
    });
  }

  async *desired(
    from: { revision: number; setHash: string },
    signal: AbortSignal,
  ): AsyncGenerator<DesiredUpdate> {
    const hostId = this.#requireHost("control");
    const { backend, protocol, sentSets } = this.#site;
    // A change before the inventory could get a number that the host already has for another state.
    backend.hostFollows(hostId);
    const drained = () => this.#drained(signal);
    const known = <Part extends object>(part: Part) => asOfProtocol(part, this.#protocol, protocol);
    const request = { backend, hostId, sentSets, from, known, drained, signal };
    yield* this.#calls.stream("desired", desiredFeed(request));
  }

  report(entries: ReportEntry[]): Promise<{ takenSequence: number }> {
    return this.#calls.run("report", () => {
      const hostId = this.#requireHost("control");
      if (entries.some((entry, index) => entry.sequence <= (entries[index - 1]?.sequence ?? 0))) {
        throw new TRPCError({ code: "BAD_REQUEST", message: "The entries are not in sequence order." });
      }
      return this.#site.backend.takeReport(hostId, entries);
    });
  }

  usage(usage: UsageReport): Promise<void> {
    return this.#calls.run("usage", async () =>
      this.#site.backend.takeUsage(this.#requireHost("control"), usage),
    );
  }

  inventory(projects: HeldOutline[]): Promise<{ tell: string[] }> {
    return this.#calls.run("inventory", () =>
      this.#site.backend.takeInventory(this.#requireHost("control"), projects),
    );
  }

  tellHeld(projects: HeldProject[]): Promise<void> {
    return this.#calls.run("tellHeld", () =>
      this.#site.backend.takeHeld(this.#requireHost("control"), projects),
    );
  }

  async *requests(signal: AbortSignal): AsyncGenerator<HostRequest> {
    this.#requireHost("bulk");
    yield* this.#calls.stream("requests", this.streams.requests(signal));
  }

  answer(answer: HostAnswer): Promise<{ isCancelled: boolean }> {
    // A stream's back-pressure holds its answer back: those calls are bounded by the number of streams.
    return this.#calls.run(
      "answer",
      () => {
        this.#requireHost("bulk");
        return this.streams.answer(answer);
      },
      this.#site.bounds.maxStreams,
    );
  }

  drainSite(run: Omit<Drain, "drainId">): Promise<void> {
    return this.#calls.wait("drainSite", this.#site.bounds.maxDrains, async () => {
      const hostId = this.#requireHost("control");
      await this.#site.gateways?.drain(hostId, run);
    });
  }

  async *mesh(own: MeshRequest, signal: AbortSignal): AsyncGenerator<MeshUpdate> {
    const hostId = this.#requireHost("control");
    const drained = () => this.#drained(signal);
    const place = { hostId, own, address: this.#transport.address, connection: this };
    yield* this.#calls.stream("mesh", meshFeed(this.#requireMesh(), place, { drained, signal }));
  }

  tellMesh(news: MeshNews): Promise<void> {
    return this.#calls.run("tellMesh", () => {
      const place = {
        hostId: this.#requireHost("control"),
        address: this.#transport.address,
        connection: this,
      };
      return takeMeshNews(this.#requireMesh(), place, news);
    });
  }

  gatewayHello(hello: GatewayHello): Promise<GatewayWelcome> {
    return this.#calls.run("gatewayHello", async () => {
      const { gateways, protocol } = this.#site;
      this.#beginTry();
      const nonce = this.#nonce;
      this.#nonce = undefined;
      const { session, welcome } = await GatewaySession.open(gateways, hello, {
        nonce,
        channel: this.#transport.channel,
        protocol,
      });
      try {
        this.#refuseIfOver();
      } catch (error) {
        session.ended(); // the connection has ended meanwhile, and tells nobody any more
        throw error;
      }
      this.#gateway = session;
      this.#isWelcome = true;
      this.#transport.welcomed();
      return welcome;
    });
  }

  async *routes(from: { setHash: string }, signal: AbortSignal): AsyncGenerator<RoutesUpdate> {
    const drained = () => this.#drained(signal);
    yield* this.#calls.stream("routes", this.#requireGateway().routes(from, { drained, signal }));
  }

  async *certificates(from: { held: string[] }, signal: AbortSignal): AsyncGenerator<CertificatesUpdate> {
    const { isPrivate } = this.#transport;
    const way = { drained: () => this.#drained(signal), isPrivate, signal };
    yield* this.#calls.stream("certificates", this.#requireGateway().certificates(from, way));
  }

  async *drains(signal: AbortSignal): AsyncGenerator<Drain> {
    yield* this.#calls.stream("drains", this.#requireGateway().drains(signal));
  }

  drained({ drainId }: Pick<Drain, "drainId">): Promise<void> {
    return this.#calls.run("drained", async () => this.#requireGateway().drained(drainId));
  }

  visits(visits: CarriedVisits): Promise<void> {
    return this.#calls.run("visits", async () => this.#requireGateway().visits(visits));
  }

  #requireGateway(): GatewaySession {
    this.#refuseIfOver();
    if (this.#gateway !== undefined) return this.#gateway;
    throw new TRPCError({ code: "UNAUTHORIZED", message: "Only for a gateway, after its hello." });
  }

  /**
   * Begins the connection's one try, to join or to say hello: it is cut when that fails, but several may have
   * come in one frame.
   */
  #beginTry(): void {
    if (this.#isTrying && !this.#isWelcome)
      throw new TRPCError({ code: "BAD_REQUEST", message: "This connection has had its try." });
    this.#isTrying = true;
  }

  /**
   * Authenticates the host. Returns the protocol to speak, and the epoch. From here on the host knows this
   * connection as its own.
   */
  async #authenticate(hello: Hello): Promise<{ protocol: number; epoch: number }> {
    const { backend, hosts, logger, protocol, refusals } = this.#site;
    const { hostId, socket } = hello;
    const nonce = this.#nonce;
    this.#nonce = undefined;
    if (this.#identity !== undefined)
      throw new TRPCError({ code: "BAD_REQUEST", message: "This connection has said hello." });
    const publicKey = await backend.findHostKey(hostId);
    const checked = await checkHello(hello, {
      protocol,
      nonce,
      channel: this.#transport.channel,
      publicKey,
      epochAbove: (heard) => backend.epochAbove(hostId, heard),
      logger,
      refused: (fields) => refusals.note(this.#transport.network, fields, "link: hello refused"),
    });
    this.#refuseIfOver();
    // Two hellos may have waited for their key at the same time.
    if (this.#identity !== undefined)
      throw new TRPCError({ code: "BAD_REQUEST", message: "This connection has said hello." });
    this.#identity = { hostId, socket };
    hosts.admit(this, hostId, socket);
    // Once more: a revocation between the first look and the admission found nothing to cut.
    if ((await backend.findHostKey(hostId)) !== publicKey) this.end(closeCodes.revoked, "revoked");
    this.#refuseIfOver();
    return checked;
  }

  async #drained(signal: AbortSignal): Promise<void> {
    const isDrained = () => this.#isOver || signal.aborted || this.#transport.unsentBytes() <= drainedBytes;
    // A socket that sends nothing is cut after `writeMs`.
    await poll(isDrained, { timeoutMs: null, everyMs: drainPollMs });
  }

  #requireHost(socket: LinkSocket): string {
    this.#refuseIfOver();
    if (!this.#isWelcome || this.#identity?.socket !== socket) {
      throw new TRPCError({ code: "UNAUTHORIZED", message: `Only for a ${socket} socket, after its hello.` });
    }
    return this.#identity.hostId;
  }

  #requireMesh(): MeshBackend {
    const { mesh } = this.#site;
    if (mesh === undefined) throw new TRPCError({ code: "NOT_FOUND", message: "Central has no mesh." });
    return mesh;
  }

  #refuseIfOver(): void {
    if (this.#isOver)
      throw new TRPCError({ code: "CLIENT_CLOSED_REQUEST", message: "This connection is over." });
  }
}

function toText(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64url");
}
