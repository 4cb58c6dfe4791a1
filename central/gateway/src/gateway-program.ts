/**
 * Builds every part of the gateway, hands each what it needs, and closes them in reverse order: the
 * composition root.
 */

import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import {
  defaultDrainSeconds,
  type CarriedVisits,
  type CertificatesUpdate,
  type Drain,
  type MachineNews,
  type RoutesUpdate,
} from "@tijolo/protocol";
import {
  openPrivateDirectory,
  poll,
  readMachineName,
  ReconcilerDriver,
  SerialQueue,
  takeDataLock,
  tijoloVersion,
} from "@tijolo/protocol/kit";
import type { Logger } from "pino";
import { GatewayCertificates } from "./certificates/gateway-certificates.ts";
import { ProofServer } from "./certificates/proof-server.ts";
import { SavedCertificates } from "./certificates/saved-certificates.ts";
import type { GatewayConfig } from "./config.ts";
import type { FarCentral } from "./haproxy/central-server.ts";
import { CertificateList } from "./haproxy/certificate-list.ts";
import { findHaproxy } from "./haproxy/find-haproxy.ts";
import { HaproxyMap } from "./haproxy/haproxy-map.ts";
import { Haproxy } from "./haproxy/haproxy.ts";
import { CentralLink } from "./link/central-link.ts";
import { openMembership, type Membership } from "./link/membership.ts";
import { UpdateCollector, type RouteSet } from "./routes/collect-update.ts";
import { RouteMap } from "./routes/route-map.ts";
import { readSavedRoutes, saveRoutes } from "./routes/saved-routes.ts";
import { readPlaces, savePlaces } from "./visits/saved-places.ts";
import { VisitRing, type RingPlaces } from "./visits/visit-ring.ts";

export interface GatewayDependencies {
  /** Returns a number of at least 0 and below 1. */
  random: () => number;
  logger: Logger;
  /** Name of the machine, as in the place of another. Default: this machine's. */
  machine?: string;
}

const build = tijoloVersion();
const compareEveryMs = 60_000;
const lookEveryMs = 5_000;
/** Milliseconds between two looks whether HAProxy was updated. */
const renewEveryMs = 60 * 60_000;
/** Pauses between two looks at the visits under way: most are over soon. */
const drainPollMs = { first: 20, later: 200, laterAfter: 2_000 };
/** Time to wait for the first routes of a gateway that has none yet. */
const firstRoutesMs = 60_000;

export class GatewayProgram implements AsyncDisposable {
  readonly #config: GatewayConfig;
  readonly #membership: Membership;
  readonly #logger: Logger;
  readonly #haproxy: Haproxy;
  readonly #map: RouteMap;
  readonly #certificates: GatewayCertificates;
  readonly #proofs: ProofServer;
  readonly #visits: VisitRing;
  readonly #certificateUpdates = new SerialQueue();
  #routeSet: RouteSet | undefined;
  #collector: UpdateCollector;
  #isServing = false;
  #resources: AsyncDisposableStack | undefined;

  private constructor(
    config: GatewayConfig,
    parts: {
      membership: Membership;
      haproxy: Haproxy;
      certificates: GatewayCertificates;
      proofs: ProofServer;
      visits: VisitRing;
      routeSet: RouteSet | undefined;
      logger: Logger;
    },
  ) {
    const { membership, haproxy, certificates, proofs, visits, routeSet, logger } = parts;
    this.#config = config;
    this.#membership = membership;
    this.#logger = logger;
    this.#haproxy = haproxy;
    this.#map = new RouteMap({ file: haproxy.files.routes, api: haproxy.api, logger });
    this.#certificates = certificates;
    this.#proofs = proofs;
    this.#visits = visits;
    this.#routeSet = routeSet;
    this.#collector = new UpdateCollector(routeSet?.routes ?? new Map());
  }

  /**
   * Resolves once HAProxy serves: by the routes of this machine's disk at once, and where there are none when
   * central has sent the first. Throws, with nothing left open, when it cannot.
   */
  static async create(
    config: GatewayConfig,
    { random, logger, machine }: GatewayDependencies,
  ): Promise<GatewayProgram> {
    await using resources = new AsyncDisposableStack();
    const { dataDirectory } = config;
    await openPrivateDirectory(dataDirectory, logger);
    const onWait = () =>
      logger.warn(
        { dataDirectory },
        "another gateway works on the data directory; this one waits for it to end",
      );
    resources.use(await takeDataLock(join(dataDirectory, "gateway.lock"), { onWait }));
    const argv = await findHaproxy({
      toolsDirectory: config.toolsDirectory ?? join(dataDirectory, "tools"),
      onFetch: () => {
        const news: MachineNews = { code: "fetching", what: "haproxy" };
        logger.info({ news }, "Fetching HAProxy from Debian");
      },
    });
    const membership = await openMembership(config);
    const saved = await readSavedRoutes(join(dataDirectory, "routes.json"));
    const routeSet = saved && {
      ...saved,
      routes: new Map(saved.routes.map((route) => [route.hostname, route])),
    };
    const later: { link?: CentralLink } = {};
    const visits = resources.use(await followVisits(dataDirectory, later, logger));
    const { httpListen, httpsListen, hasHttp3, trustedProxies, hasProxyProtocol } = config;
    const haproxy = new Haproxy({
      argv,
      runDirectory: join(dataDirectory, "run"),
      httpListen,
      httpsListen,
      hasHttp3,
      trustedProxies,
      hasProxyProtocol,
      farCentral: farCentralOf(config),
      onStart: () => visits.follow(),
      logger,
    });
    await haproxy.prepare();
    resources.defer(() => (config.stopsHaproxy ? haproxy.end() : haproxy[Symbol.asyncDispose]()));
    const certificates = await openCertificates(haproxy, dataDirectory, logger);
    const proofs = resources.use(
      await ProofServer.listen(haproxy.proofsSocket, { uid: haproxy.uid, logger }),
    );
    const parts = { membership, haproxy, certificates, proofs, visits, routeSet, logger };
    const program = new GatewayProgram(config, parts);
    const place = { random, machine: machine ?? (await readMachineName()) };
    later.link = await program.#begin(place, resources);
    program.#resources = resources.move();
    return program;
  }

  get gatewayId(): string {
    return this.#membership.gatewayId;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#resources?.disposeAsync();
  }

  async #begin(
    { random, machine }: { random: () => number; machine: string | undefined },
    resources: AsyncDisposableStack,
  ): Promise<CentralLink> {
    if (this.#routeSet !== undefined) await this.#serve(this.#routeSet);
    const link = resources.use(
      new CentralLink({
        ...this.#membership,
        centralUrl: this.#config.centralUrl,
        build,
        machine: machine ?? this.#membership.gatewayId,
        setHash: () => this.#routeSet?.setHash ?? "",
        onBegin: () => (this.#collector = new UpdateCollector(this.#routeSet?.routes ?? new Map())),
        onRoutes: (update) => this.#takeRoutes(update),
        storedCertificateIds: () => this.#certificates.storedIds(),
        onCertificates: (update) => this.#takeCertificates(update),
        onDrain: (drain) => this.#drain(drain),
        random,
        logger: this.#logger,
      }),
    );
    resources.use(this.#visits); // it ends before the link, by which it reports once more
    const compare = { name: "compare-routes", everyMs: compareEveryMs, run: () => this.#compare() };
    const look = { name: "look-at-far-hosts", everyMs: lookEveryMs, run: () => this.#lookAtFarHosts() };
    const renew = { name: "renew-haproxy", everyMs: renewEveryMs, run: () => this.#renew() };
    resources.use(new ReconcilerDriver([compare, look, renew], this.#logger));
    const isServing = await poll(() => this.#isServing, { timeoutMs: firstRoutesMs, everyMs: 20 });
    if (isServing !== true)
      throw new Error("Central has sent no routes: is it up, and is this gateway known there?");
    return link;
  }

  async #serve(set: RouteSet): Promise<void> {
    await this.#map.write(set.routes);
    await this.#certificates.write();
    await this.#haproxy.serve(set.central);
    await this.#map.apply(set.routes);
    await this.#certificates.apply();
    this.#isServing = true;
    this.#lookSoon();
  }

  async #lookAtFarHosts(): Promise<void> {
    if (this.#isServing) await this.#map.lookAtFarHosts();
  }

  #lookSoon(): void {
    this.#lookAtFarHosts().catch((error: unknown) =>
      this.#logger.warn({ err: error }, "hosts on other machines could not be tried"),
    );
  }

  /** A set that could not be taken is asked for anew, as a whole. */
  async #takeRoutes(update: RoutesUpdate): Promise<void> {
    try {
      const set = this.#collector.take(update);
      if (set !== null) await this.#follow(set);
    } catch (error) {
      this.#routeSet = this.#routeSet && { ...this.#routeSet, setHash: "" };
      throw error;
    }
  }

  async #follow(set: RouteSet): Promise<void> {
    const { setHash, central, routes } = set;
    const isCentralNew = JSON.stringify(central) !== JSON.stringify(this.#routeSet?.central);
    const path = join(this.#config.dataDirectory, "routes.json");
    await saveRoutes(path, { setHash, central, routes: [...routes.values()] });
    this.#routeSet = set;
    if (isCentralNew || !this.#isServing) await this.#serve(set);
    else {
      await this.#map.apply(routes);
      this.#lookSoon();
    }
  }

  /** Takes one update after the other, also of two connections: one removes files that the other may have brought. */
  #takeCertificates(update: CertificatesUpdate): Promise<void> {
    return this.#certificateUpdates.run(async () => {
      this.#proofs.replace(update.proofs ?? []);
      if (!(await this.#certificates.take(update)) || !this.#isServing) return;
      await this.#certificates.apply();
      await this.#certificates.clean();
    });
  }

  /** Another HAProxy has read the files a moment ago: what has changed since reaches it here. */
  async #renew(): Promise<void> {
    await this.#haproxy.renew();
    await this.#compare();
  }

  async #compare(): Promise<void> {
    if (!this.#isServing) return;
    await this.#map.compare();
    await this.#certificates.compare();
  }

  /** Sends the run no new visits, and waits until those under way are over. */
  async #drain(drain: Drain): Promise<void> {
    const { projectId, runNumber, seconds = defaultDrainSeconds.hold, hasStreams = false } = drain;
    if (!this.#isServing) return;
    await this.#map.beginDrain(projectId, runNumber, seconds * 1000);
    const beganMs = performance.now();
    const passedMs = () => performance.now() - beganMs;
    while (passedMs() < seconds * 1000) {
      const underWay = await this.#haproxy.visitsOf(projectId, runNumber);
      if (underWay.visits + (hasStreams ? underWay.streams : 0) === 0) return;
      await delay(passedMs() < drainPollMs.laterAfter ? drainPollMs.first : drainPollMs.later);
    }
  }
}

/**
 * Follows the visits that HAProxy carries, from where an earlier program was, before another HAProxy takes the place
 * of the one that has them. They are reported once there is a link.
 */
async function followVisits(
  dataDirectory: string,
  later: { readonly link?: CentralLink },
  logger: Logger,
): Promise<VisitRing> {
  const file = join(dataDirectory, "ring-places.json");
  const options = {
    socketPath: join(dataDirectory, "run", "api"),
    async report(visits: CarriedVisits) {
      if (later.link === undefined) throw new Error("there is no link yet");
      await later.link.report(visits);
    },
    keep: (places: RingPlaces) => savePlaces(file, places),
    logger,
  };
  return new VisitRing(options, await readPlaces(file));
}

/** Returns how HAProxy reaches a central over TLS; null for one that says its servers' addresses itself. */
function farCentralOf({ centralUrl, centralAuthorityFile }: GatewayConfig): FarCentral | null {
  if (centralAuthorityFile === null) return null;
  const { hostname, port } = new URL(centralUrl);
  const address = { host: hostname.replace(/^\[|\]$/g, ""), port: Number(port || 443) };
  return { address, authorityFile: centralAuthorityFile };
}

function openCertificates(
  haproxy: Haproxy,
  dataDirectory: string,
  logger: Logger,
): Promise<GatewayCertificates> {
  const { api, files } = haproxy;
  const saved = new SavedCertificates({
    directory: join(dataDirectory, "certificates"),
    indexFile: join(dataDirectory, "certificates.json"),
  });
  const list = new CertificateList({ file: files.certificates, api, restart: () => haproxy.replace() });
  const mapOf = (file: string) => new HaproxyMap({ file, api, logger });
  return GatewayCertificates.open({
    saved,
    list,
    secured: mapOf(files.secured),
    challenges: mapOf(files.challenges),
    logger,
  });
}
