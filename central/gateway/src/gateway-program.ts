/**
 * Builds every part of the gateway, hands each what it needs, and closes them in reverse order: the
 * composition root.
 */

import { join } from "node:path";
import type { CarriedVisits, MachineNews } from "@tijolo/protocol";
import {
  openPrivateDirectory,
  poll,
  readMachineName,
  ReconcilerDriver,
  takeDataLock,
  tijoloVersion,
} from "@tijolo/protocol/kit";
import type { Logger } from "pino";
import { GatewayCertificates } from "./certificates/gateway-certificates.ts";
import { ProofServer } from "./certificates/proof-server.ts";
import { SavedCertificates } from "./certificates/saved-certificates.ts";
import type { GatewayConfig } from "./config.ts";
import { farCentralOf } from "./haproxy/central-server.ts";
import { CertificateList } from "./haproxy/certificate-list.ts";
import { findHaproxy } from "./haproxy/find-haproxy.ts";
import { HaproxyMap } from "./haproxy/haproxy-map.ts";
import { Haproxy } from "./haproxy/haproxy.ts";
import { CentralLink } from "./link/central-link.ts";
import { openMembership } from "./link/membership.ts";
import { gatewayReconcilers } from "./reconcilers.ts";
import { drainRun } from "./routes/drain-run.ts";
import { RouteFollower } from "./routes/route-follower.ts";
import { RouteMap } from "./routes/route-map.ts";
import { readPositions, savePositions } from "./visits/saved-positions.ts";
import { VisitRing, type RingPositions } from "./visits/visit-ring.ts";

export interface GatewayDependencies {
  /** Returns a number of at least 0 and below 1. */
  random: () => number;
  logger: Logger;
  /** Name of the machine, as in the place of another. Default: this machine's. */
  machine?: string;
}

const build = tijoloVersion();
/** Time to wait for the first routes of a gateway that has none yet. */
const firstRoutesMs = 60_000;

export class GatewayProgram implements AsyncDisposable {
  readonly gatewayId: string;
  readonly #resources: AsyncDisposableStack;

  private constructor(gatewayId: string, resources: AsyncDisposableStack) {
    this.gatewayId = gatewayId;
    this.#resources = resources;
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
    const { dataDirectory, centralUrl } = config;
    resources.use(await openDataDirectory(dataDirectory, logger));
    const argv = await findOrFetchHaproxy(config, logger);
    const membership = await openMembership(config);
    const { gatewayId } = membership;
    // The ring is followed before another HAProxy takes the place of the one that has it.
    const later: { link?: CentralLink } = {};
    const visits = resources.use(await followVisits(dataDirectory, later, logger));
    const haproxy = haproxyOf(config, { argv, onStart: () => visits.follow(), logger });
    await haproxy.prepare();
    resources.defer(() => (config.stopsHaproxy ? haproxy.end() : haproxy[Symbol.asyncDispose]()));
    const proofs = resources.use(
      await ProofServer.listen(haproxy.proofsSocket, { uid: haproxy.uid, logger }),
    );
    const certificates = await openCertificates(dataDirectory, { haproxy, proofs, logger });
    const map = new RouteMap({ file: haproxy.files.routes, api: haproxy.api, logger });
    const routesFile = join(dataDirectory, "routes.json");
    const routes = await RouteFollower.open({ file: routesFile, map, haproxy, certificates, logger });
    const link = resources.use(
      new CentralLink({
        ...membership,
        centralUrl,
        build,
        machine: machine ?? (await readMachineName()) ?? gatewayId,
        setHash: () => routes.setHash,
        onBegin: () => routes.begin(),
        onRoutes: (update) => routes.take(update),
        storedCertificateIds: () => certificates.storedIds(),
        onCertificates: (update) => certificates.follow(update),
        async onDrain(drain) {
          if (routes.isServing) await drainRun({ map, haproxy }, drain);
        },
        random,
        logger,
      }),
    );
    resources.use(visits); // it ends before the link, by which it reports once more
    const reconcilers = gatewayReconcilers({ routes, map, certificates, haproxy });
    resources.use(new ReconcilerDriver(reconcilers, logger));
    const isServing = await poll(() => routes.isServing, { timeoutMs: firstRoutesMs, everyMs: 20 });
    if (isServing !== true)
      throw new Error("Central has sent no routes: is it up, and is this gateway known there?");
    later.link = link;
    return new GatewayProgram(gatewayId, resources.move());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#resources.disposeAsync();
  }
}

/** Opens the directory, and takes its lock, which is returned. */
async function openDataDirectory(dataDirectory: string, logger: Logger): Promise<Disposable> {
  await openPrivateDirectory(dataDirectory, logger);
  const onWait = () =>
    logger.warn(
      { dataDirectory },
      "another gateway works on the data directory; this one waits for it to end",
    );
  return takeDataLock(join(dataDirectory, "gateway.lock"), { onWait });
}

function findOrFetchHaproxy(
  { toolsDirectory, dataDirectory }: GatewayConfig,
  logger: Logger,
): Promise<string[]> {
  return findHaproxy({
    toolsDirectory: toolsDirectory ?? join(dataDirectory, "tools"),
    onFetch: () => {
      const news: MachineNews = { code: "fetching", what: "haproxy" };
      logger.info({ news }, "Fetching HAProxy from Debian");
    },
  });
}

/**
 * Follows the visits that HAProxy carries, from where an earlier program was. They are reported once there is a
 * link.
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
    savePositions: (positions: RingPositions) => savePositions(file, positions),
    logger,
  };
  return new VisitRing(options, await readPositions(file));
}

function haproxyOf(
  config: GatewayConfig,
  parts: { argv: readonly string[]; onStart: () => void; logger: Logger },
): Haproxy {
  const { dataDirectory, httpListen, httpsListen, hasHttp3, trustedProxies, hasProxyProtocol } = config;
  return new Haproxy({
    ...parts,
    runDirectory: join(dataDirectory, "run"),
    httpListen,
    httpsListen,
    hasHttp3,
    trustedProxies,
    hasProxyProtocol,
    farCentral: farCentralOf(config),
  });
}

function openCertificates(
  dataDirectory: string,
  { haproxy, proofs, logger }: { haproxy: Haproxy; proofs: ProofServer; logger: Logger },
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
    proofs,
    logger,
  });
}
