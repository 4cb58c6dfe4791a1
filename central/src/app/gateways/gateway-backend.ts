/** Connects the gateways' side of the link to central's rules; the link itself never touches the database. */

import type {
  CarriedVisit,
  CarriedVisits,
  Drain,
  GatewayHello,
  JoinRequest,
  CentralServers,
  ProofCertificate,
  ServerAddress,
  SiteRoute,
} from "@tijolo/protocol";
import { findGateway, saveGatewaySeen } from "../../store/tables/gateways/gateway.ts";
import { findProject } from "../../store/tables/projects/project.ts";
import { transact } from "../../store/store.ts";
import { listGatewayCertificates, type ServedCertificate } from "../certificates/gateway-certificates.ts";
import type { DrainListener } from "./drains.ts";
import { joinGateway } from "./gateway.ts";
import type { GatewaysContext } from "./gateways-context.ts";

export interface GatewayBackend {
  /** Uses up a single-use token. Throws AppError `not_authenticated` for a wrong, used or expired one. */
  join(request: JoinRequest): Promise<{ hostId: string }>;
  /** Returns the raw Ed25519 public key, base64url; undefined for an unknown or removed gateway. */
  findKey(gatewayId: string): Promise<string | undefined>;
  /** Called when a gateway has proved who it is. Returns the epoch. */
  connected(hello: GatewayHello): Promise<{ epoch: number }>;
  /** Called when a connection of a gateway has ended. */
  disconnected(gatewayId: string): void;
  /** Returns all routes for a gateway that runs on this machine, by hostname. */
  routesOf(machine: string): Map<string, SiteRoute>;
  /** Calls back when routes may have changed. Returns the unsubscribe function. */
  onRoutesChange(listener: () => void): () => void;
  /** Returns all certificates that gateways serve; of two for a name the later one counts. */
  listCertificates(): Promise<ServedCertificate[]>;
  /** Returns the names that authorities ask for, and what each of them answers: `<token>.<thumbprint>`. */
  listChallenges(): { names: string[]; thumbprint: string | null };
  /** Returns the certificates that prove names to authorities over TLS now. */
  listProofs(): ProofCertificate[];
  /** Calls back when certificates or challenges may have changed. Returns the unsubscribe function. */
  onCertificatesChange(listener: () => void): () => void;
  /** Counts the visits that a gateway carried; not again those of the batch that it sent last. */
  countVisits(gatewayId: string, visits: CarriedVisits): void;
  /** Returns where the visits go that the gateway does not carry itself. */
  centralServers(gatewayId: string): CentralServers;
  listenForDrains(listener: DrainListener): () => void;
  drained(listener: DrainListener, drainId: number): void;
  /**
   * Resolves once no gateway sends visits to the run any more and those under way are over; at once where the
   * project is another host's than the one that asks.
   */
  drain(hostId: string, run: Omit<Drain, "drainId">): Promise<void>;
}

export interface GatewayBackendOptions {
  epoch: number;
  /** Both are called once a gateway is connected, when the servers listen. */
  pagesServer: () => ServerAddress;
  apiServer: () => ServerAddress;
  countVisit: (visit: CarriedVisit) => void;
}

export function createGatewayBackend(
  app: GatewaysContext,
  { epoch, countVisit, ...servers }: GatewayBackendOptions,
): GatewayBackend {
  return {
    join: (request) => joinGateway(app, request),
    async findKey(gatewayId) {
      const gateway = await findGateway(app.db, gatewayId);
      return gateway === undefined || gateway.revokedAt !== null ? undefined : gateway.publicKey;
    },
    async connected({ gatewayId, build, machine }) {
      await transact(app.db, (tx) =>
        saveGatewaySeen(tx, gatewayId, { build, machine, seenAt: app.clock.now() }),
      );
      app.connectedGateways.set(gatewayId, (app.connectedGateways.get(gatewayId) ?? 0) + 1);
      return { epoch };
    },
    disconnected(gatewayId) {
      const left = (app.connectedGateways.get(gatewayId) ?? 1) - 1;
      if (left === 0) app.connectedGateways.delete(gatewayId);
      else app.connectedGateways.set(gatewayId, left);
    },
    routesOf: (machine) => app.siteRoutes.routesOf(machine),
    onRoutesChange: (listener) => app.siteRoutes.onChange(listener),
    listCertificates: () => listGatewayCertificates(app),
    listChallenges: () => app.acme.challenges.list(),
    listProofs: () => app.acme.challenges.listProofs(),
    onCertificatesChange(listener) {
      const leave = [app.wakes.on("certificates", listener), app.wakes.on("domains", listener)];
      return () => leave.forEach((each) => each());
    },
    countVisits: visitCounter(countVisit),
    centralServers: (gatewayId) => centralServers(app, gatewayId, servers),
    listenForDrains: (listener) => app.drains.register(listener),
    drained: (listener, drainId) => app.drains.answer(listener, drainId),
    async drain(hostId, run) {
      const project = await findProject(app.db, run.projectId);
      if (project === undefined || project.hostId === hostId) await app.drains.run(run);
    },
  };
}

/** Returns what counts the visits of a batch once, also when a gateway sends it twice. */
function visitCounter(countVisit: (visit: CarriedVisit) => void): GatewayBackend["countVisits"] {
  /** By gateway: the name of the batch that was counted last. */
  const lastBatches = new Map<string, string>();
  return (gatewayId, { visits, batch }) => {
    if (batch !== undefined && lastBatches.get(gatewayId) === batch) return;
    for (const visit of visits) countVisit(visit);
    if (batch !== undefined) lastBatches.set(gatewayId, batch);
  };
}

function centralServers(
  app: GatewaysContext,
  gatewayId: string,
  { pagesServer, apiServer }: Pick<GatewayBackendOptions, "pagesServer" | "apiServer">,
): CentralServers {
  const { panelHost } = app.servedNames;
  const api = panelHost === null ? null : { hostname: panelHost, ...apiServer() };
  return {
    key: app.gatewayKeys.keyOf(gatewayId),
    pages: pagesServer(),
    showsFailures: true,
    ...(app.acme.challenge === "tls-alpn-01" ? { provesByTls: true } : {}),
    api,
  };
}
