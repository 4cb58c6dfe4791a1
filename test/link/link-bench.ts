/**
 * Runs a real link server on loopback and real agents (link, ledger, identity) against it, all of them freed
 * at the end.
 */

import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { linkProtocol, type LinkProtocol } from "@tijolo/protocol";
import { loadIdentity, type Identity, joinCluster } from "@tijolo/protocol/kit/link";
import { createLink, type Link } from "../../agent/src/link/link.ts";
import type {
  HostAnswers,
  LinkBounds as AgentBounds,
  LinkHandlers,
} from "../../agent/src/link/link-options.ts";
import { openLedger, type Ledger } from "../../agent/src/ledger/ledger.ts";
import type { MeshBackend } from "../../central/src/app/mesh/mesh-backend.ts";
import { LinkServer } from "../../central/src/link/link-server.ts";
import type { LinkBounds as CentralBounds } from "../../central/src/link/link-options.ts";
import { RecordingLogger } from "../support/recording-logger.ts";
import { MemoryLinkBackend } from "./memory-link-backend.ts";
import { sampleResources } from "./samples.ts";

const clock = { now: () => Date.now() };

/** Short, so that tests of silence do not take long. */
export const quickTimes = { pingMs: 200, pongMs: 200 };

export class LinkBench implements AsyncDisposable {
  readonly backend = new MemoryLinkBackend();
  readonly logger = new RecordingLogger();
  readonly directory: string;
  readonly #resources = new AsyncDisposableStack();
  #bounds: Partial<CentralBounds> = {};
  /** Protocol that central speaks from its next start on. */
  protocol: LinkProtocol = linkProtocol;
  /** Central's mesh from its next start on. */
  mesh: MeshBackend | undefined;
  #central: { server: LinkServer; http: Server } | undefined;
  #port = 0;

  /** Is called by {@link LinkBench.create} only. */
  constructor(directory: string) {
    this.directory = directory;
  }

  static async create(bounds: Partial<CentralBounds> = {}, protocol = linkProtocol): Promise<LinkBench> {
    const bench = new LinkBench(await mkdtemp(join(tmpdir(), "tijolo-link-")));
    bench.#resources.defer(() => rm(bench.directory, { recursive: true }));
    bench.#bounds = bounds;
    bench.protocol = protocol;
    await bench.startCentral();
    bench.#resources.defer(() => bench.stopCentral());
    return bench;
  }

  get server(): LinkServer {
    if (this.#central === undefined) throw new Error("central is stopped");
    return this.#central.server;
  }

  get port(): number {
    return this.#port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Starts central, on the same port again after a stop. */
  async startCentral(): Promise<void> {
    const server = new LinkServer({
      backend: this.backend,
      random: randomBytes,
      logger: this.logger,
      addressOf: ({ socket }) => socket.remoteAddress ?? "unknown",
      vouch: () => {},
      bounds: this.#bounds,
      protocol: this.protocol,
      ...(this.mesh && { mesh: this.mesh }),
    });
    const http = createServer((request, response) => {
      if (!server.handleRequest(request, response)) response.writeHead(404).end();
    });
    http.on("upgrade", (request, socket, head) => {
      if (!server.handleUpgrade(request, socket, head)) socket.destroy();
    });
    await new Promise<void>((resolve) => http.listen(this.#port, "127.0.0.1", resolve));
    this.#port = (http.address() as AddressInfo).port;
    this.#central = { server, http };
  }

  async stopCentral(): Promise<void> {
    const central = this.#central;
    this.#central = undefined;
    if (central === undefined) return;
    await central.server.close();
    central.http.closeAllConnections();
    await new Promise((resolve) => central.http.close(resolve));
  }

  /** Makes a host: key, ledger, token, join. */
  async joinHost(name = "host"): Promise<TestHost> {
    const path = join(this.directory, `${name}-${randomBytes(4).toString("hex")}`);
    const token = randomBytes(8).toString("hex");
    this.backend.tokens.add(token);
    const identity = await loadIdentity(`${path}.key`);
    const { hostId } = await joinCluster({ centralUrl: this.url, token, name, identity });
    const ledger = openLedger({ path: `${path}.db`, clock, logger: this.logger });
    this.#resources.defer(() => ledger.close());
    return { hostId, identity, ledger, logger: new RecordingLogger() };
  }

  /** Starts an agent's link for a host; `url` defaults to central itself. */
  connect(
    host: TestHost,
    { url = this.url, handlers = {}, answers = {}, bounds = {}, random = Math.random }: ConnectOptions = {},
  ): Link {
    const link = createLink({
      centralUrl: url,
      identity: host.identity,
      hostId: () => host.hostId,
      joinAnew: async () => false,
      ledger: host.ledger,
      handlers: quietHandlers(handlers, answers),
      random,
      logger: host.logger,
      bounds: { backOffMinMs: 20, backOffMaxMs: 200, ...bounds },
    });
    this.#resources.defer(() => link.close());
    return link;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#resources.disposeAsync();
  }
}

export interface TestHost {
  hostId: string;
  identity: Identity;
  ledger: Ledger;
  logger: RecordingLogger;
}

export interface ConnectOptions {
  url?: string;
  handlers?: Partial<LinkHandlers>;
  answers?: Partial<HostAnswers>;
  bounds?: Partial<AgentBounds>;
  /** Decides the pauses between attempts. */
  random?: () => number;
}

function quietHandlers(handlers: Partial<LinkHandlers>, answers: Partial<HostAnswers>): LinkHandlers {
  const all: Omit<LinkHandlers, "answers"> = {
    describe: async () => ({ build: "test", resources: sampleResources }),
    onDesired: () => {},
    tellStates: () => {},
    inventory: async () => [],
    async *held() {},
    ...handlers,
  };
  async function* nothing() {}
  return {
    ...all,
    answers: {
      logs: nothing,
      "append-access": nothing,
      "describe-host": nothing,
      "describe-hardware": nothing,
      async *"held-projects"(_, signal) {
        for await (const batch of all.held(null, signal))
          yield batch.map((project) => ({ kind: "held-project", project }));
      },
      "list-replaced-files": nothing,
      "restore-replaced-files": nothing,
      "list-images": nothing,
      "pull-images": nothing,
      "prune-images": nothing,
      ...answers,
    },
  };
}
