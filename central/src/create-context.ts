/** Opens what central stores on its disk, and makes what its rules work with. */

import { isIPv4 } from "node:net";
import { join } from "node:path";
import { AppError, type ServiceLimits } from "@tijolo/protocol";
import { refusalDetails } from "@tijolo/protocol/texts/central";
import { KeyedQueue, openPrivateDirectory, Slots, takeDataLock } from "@tijolo/protocol/kit";
import type { Logger } from "pino";
import { readAcmeRoots, readAcmeServers } from "./acme-settings.ts";
import { Challenges } from "./app/certificates/orders/challenges.ts";
import { certificateDns } from "./app/certificates/orders/certificate-dns.ts";
import { Attempts } from "./app/limits/attempts.ts";
import { openAuthSecret } from "./app/people/auth-secret.ts";
import { AuthenticatorVault } from "./app/people/authenticator-vault.ts";
import type { BaseContext } from "./app/base-context.ts";
import type { Clock, Random, SteadyClock } from "./app/clock.ts";
import type { AppContext } from "./app/context.ts";
import { ClusterKey } from "./app/cluster/cluster-key.ts";
import { Drains } from "./app/gateways/drains.ts";
import { SiteRoutes } from "./app/gateways/site-routes.ts";
import { HeldBackProjects } from "./app/hosts/held-back.ts";
import { MachineInstaller } from "./app/hosts/machine-installer.ts";
import { HostInventories } from "./app/hosts/host-inventories.ts";
import { HostStates } from "./app/hosts/host-states.ts";
import { KeyUses } from "./app/identity/key-uses.ts";
import type { LimitsContext } from "./app/limits/limits-context.ts";
import { LimitChecks } from "./app/notices/limit-checks.ts";
import { LogStreamSlots } from "./app/limits/log-stream-slots.ts";
import { MailQueue, type MailBounds } from "./app/people/mail.ts";
import { GatewayKeys } from "./app/gateways/gateway-keys.ts";
import { MasterKeyRotation } from "./app/secrets/master-key-rotation.ts";
import { openMasterKeys } from "./app/secrets/master-key-source.ts";
import { textOfNetwork } from "./app/mesh/ipv4-network.ts";
import { Mesh } from "./app/mesh/mesh.ts";
import { newId } from "./app/new-id.ts";
import { OpenSteps } from "./app/metrics/open-steps.ts";
import { Pace } from "./app/limits/pace.ts";
import { PasskeyChallenges } from "./app/people/passkeys/passkey-challenges.ts";
import { PasswordHashing } from "./app/people/password-hashing.ts";
import { resealAuthenticators } from "./app/people/reseal-authenticators.ts";
import { RequestRates } from "./app/limits/request-rates.ts";
import { SessionRates } from "./app/limits/session-rates.ts";
import type { Dns } from "./app/dns/dns.ts";
import { openDomains, type DomainLookups } from "./app/domains/domains-context.ts";
import { TrustedProxies } from "./app/identity/trusted-proxies.ts";
import { createDownloadSlots } from "./app/limits/download-slots.ts";
import { UploadSlots } from "./app/limits/upload-slots.ts";
import { UsageBoard } from "./app/metrics/usage-board.ts";
import { Vault } from "./app/secrets/vault.ts";
import { VisitSalt } from "./app/visits/visit-salt.ts";
import type { CentralConfig } from "./config.ts";
import { dnsHook } from "./dns-hook/run-dns-hook.ts";
import type { Database } from "./store/store.ts";
import { openMetrics } from "./store/sqlite/open-metrics.ts";
import { openDatabase } from "./store/sqlite/open-database.ts";
import { hasTwoFactors } from "./store/tables/people/person.ts";
import { hasVariables } from "./store/tables/projects/variable.ts";
import { FolderStore } from "./objects/folder-store.ts";
import { Objects } from "./objects/objects.ts";
import { readPlansFile } from "./read-plans-file.ts";

/** File of a release with the key that signs releases; the sources have none. */
const releaseKeyFile = join(import.meta.dirname, "..", "..", "release-key.pub");
const archiveChecksAtOnce = 2;
const archiveChecks = {
  maxWaiting: 64,
  refusal: () =>
    new AppError("too_many_requests", {
      retryAfterSeconds: 5,
      detail: refusalDetails.archivesWait,
    }),
};
const turnsOfProject = {
  maxTasks: 16,
  refusal: () =>
    new AppError("project_busy", {
      detail: refusalDetails.projectRequestsWait,
    }),
};
const turnsOfKey = {
  maxTasks: 16,
  refusal: () =>
    new AppError("rate_limit_exceeded", {
      retryAfterSeconds: 2,
      detail: refusalDetails.keyRequestsWait,
    }),
};

/** Milliseconds between two test notices of an account. */
const testNoticeEveryMs = 10_000;

/** What tests replace of orders of certificates. */
export interface AcmeLookups {
  /** Port at which authorities ask for the answers to challenges. Default: 80. */
  httpPort?: number;
  /** Port at which they look at certificates that prove names over TLS. Default: 443. */
  tlsPort?: number;
  /** Milliseconds that the DNS hook may take. */
  hookMs?: number;
}

export interface ContextDependencies {
  clock: Clock & SteadyClock;
  random: Random;
  logger: Logger;
  mailBounds: MailBounds;
  acmeLookups: AcmeLookups;
  /** Where DNS and HTTP are asked about domains. */
  domainLookups: DomainLookups;
  /** Returns the address where central is reached, once it serves. */
  ownUrl: () => string;
}

/** Creates the context; what it opens is closed with `resources`. */
export async function createContext(
  config: CentralConfig,
  resources: AsyncDisposableStack,
  { mailBounds, acmeLookups, domainLookups, ownUrl, ...dependencies }: ContextDependencies,
): Promise<AppContext> {
  const { clock, random, logger } = dependencies;
  const stores = await openStores(config, resources, dependencies);
  const { db } = stores;
  const { plans, limits } = await readPlansFile(config.plansFile);
  const secrets = await openSecrets(config, db, dependencies);
  const authenticators = await openAuthenticators(config, db, random);
  const panelUrl = () => config.panelUrl ?? ownUrl();
  const domains = await openDomains(db, {
    clock,
    random,
    lookups: { mayReachPrivate: config.mayPostToPrivate, ...domainLookups },
    siteDomain: config.siteDomain,
    gatewayAddresses: config.gatewayAddresses,
    ownNames: () => [config.siteDomain.toLowerCase(), new URL(panelUrl()).hostname],
  });
  const clusterKey = await ClusterKey.open(db, random);
  const gatewayKeys = await GatewayKeys.open(db, clusterKey);
  const mesh = resources.use(await Mesh.open(db, { network: config.clusterNetwork, clock, logger }));
  const mail = resources.use(new MailQueue(config.mail, { logger, bounds: mailBounds }));
  return {
    ...stores,
    ...limitsParts(db, clock, limits),
    ...secrets,
    clock,
    random,
    logger,
    plans,
    limits,
    morePackages: config.morePackages,
    wakes: db.wakes,
    suspensionGraceMs: config.suspensionGraceHours * 60 * 60 * 1000,
    siteUrl: (subdomain) => config.siteUrlPattern.replace("*", subdomain),
    plainSiteUrlPattern: config.plainSiteUrlPattern,
    servedNames: servedNamesOf(config),
    acme: await acmeParts(config, domains.dns, acmeLookups),
    archiveSlots: new Slots(archiveChecksAtOnce, archiveChecks),
    projectQueues: new KeyedQueue(turnsOfProject),
    hostStates: new HostStates(db, clock),
    inventories: new HostInventories(),
    heldBack: new HeldBackProjects(),
    installer: new MachineInstaller({
      linkUrl: config.linkUrl,
      releases: join(config.installFilesDirectory, "releases"),
      packages: join(config.installFilesDirectory, "packages"),
      clusterNetwork: textOfNetwork(config.clusterNetwork),
      releaseKeyFile,
    }),
    clusterKey,
    visitSalt: await VisitSalt.open(join(config.dataDirectory, "visit-salt"), dependencies),
    mesh,
    siteRoutes: resources.use(await SiteRoutes.open(db, { siteDomain: config.siteDomain, mesh, logger })),
    drains: new Drains(),
    connectedGateways: new Map(),
    usage: new UsageBoard(),
    openSteps: new OpenSteps(),
    limitChecks: new LimitChecks(clock),
    testNoticePace: new Pace(clock, testNoticeEveryMs),
    mayReachPrivate: config.mayPostToPrivate,
    gatewayKeys,
    proxies: new TrustedProxies(config.trustedProxies, { isGatewayKey: (said) => gatewayKeys.has(said) }),
    keyUses: new KeyUses(db),
    authenticators,
    passkeyChallenges: new PasskeyChallenges(clock, random),
    passwords: new PasswordHashing(),
    mail,
    domains,
    panel: { url: panelUrl, signUp: config.signUp },
  };
}

async function acmeParts(
  { acme, mayPostToPrivate }: CentralConfig,
  dns: Dns,
  { httpPort = 80, tlsPort = 443, hookMs }: AcmeLookups,
): Promise<AppContext["acme"]> {
  const { stagingUrl, contact, challenge, dnsHook: path } = acme;
  const timeout = hookMs === undefined ? {} : { timeoutMs: hookMs };
  return {
    servers: await readAcmeServers(acme),
    stagingUrl,
    contact,
    moreRoots: await readAcmeRoots(acme),
    runHook: path === null ? null : dnsHook({ path, environment: process.env, ...timeout }),
    dns: certificateDns(dns),
    challenge,
    challenges: new Challenges(),
    httpPort,
    tlsPort,
    mayReachPrivate: mayPostToPrivate,
  };
}

/** Returns the names that certificates are for; an address instead of a name gets none. */
function servedNamesOf({ siteDomain, panelUrl }: CentralConfig): AppContext["servedNames"] {
  const panelHost = panelUrl === null ? null : new URL(panelUrl).hostname;
  const isName = panelHost !== null && !panelHost.startsWith("[") && !isIPv4(panelHost);
  return { siteDomain: siteDomain.toLowerCase(), panelHost: isName ? panelHost : null };
}

type BaseDependencies = Pick<ContextDependencies, "clock" | "random" | "logger">;

/** Locks the data directory for this process, and opens the databases and the archives in it. */
async function openStores(
  { dataDirectory }: CentralConfig,
  resources: AsyncDisposableStack,
  { clock, random, logger }: BaseDependencies,
): Promise<Pick<AppContext, "db" | "metrics" | "objects">> {
  const onDiskFailure = (cause: unknown) => {
    logger.fatal(
      { err: cause },
      "the disk did not take what was written: central ends, and its next start reads what there is",
    );
    process.kill(process.pid, "SIGKILL");
  };
  await openPrivateDirectory(dataDirectory, logger);
  const onWait = () =>
    logger.warn(
      { dataDirectory },
      "another central works on the data directory; this one waits for it to end",
    );
  resources.use(await takeDataLock(join(dataDirectory, "central.lock"), { onWait }));
  const { db } = resources.use(
    await openDatabase(join(dataDirectory, "central.sqlite"), { logger, onDiskFailure }),
  );
  const { metrics } = resources.use(await openMetrics(join(dataDirectory, "metrics.sqlite")));
  const folder = await FolderStore.open(join(dataDirectory, "objects"), () => newId({ clock, random }));
  return { db, metrics, objects: new Objects(folder) };
}

async function openSecrets(
  config: CentralConfig,
  db: Database,
  { clock, random, logger }: BaseDependencies,
): Promise<Pick<AppContext, "vault" | "masterKeys">> {
  const mayMake = !(await hasVariables(db));
  const opened = await openMasterKeys(config.masterKeys, { clock, random, mayMake });
  const vault = new Vault(opened.keys, random);
  return { vault, masterKeys: new MasterKeyRotation({ db, vault, clock, random, logger }, opened) };
}

async function openAuthenticators(
  { dataDirectory }: CentralConfig,
  db: Database,
  random: Random,
): Promise<AuthenticatorVault> {
  const mayMake = !(await hasTwoFactors(db));
  const authSecret = await openAuthSecret(join(dataDirectory, "auth-secret"), { random, mayMake });
  const authenticators = new AuthenticatorVault(authSecret, random);
  await resealAuthenticators(db, { authSecret, authenticators });
  return authenticators;
}

function limitsParts(
  db: Database,
  clock: Clock & SteadyClock,
  limits: ServiceLimits,
): Omit<LimitsContext, keyof BaseContext> {
  return {
    requestRates: new RequestRates(db, clock),
    sessionRates: new SessionRates(clock, limits),
    uploadSlots: new UploadSlots(clock, limits),
    downloadSlots: createDownloadSlots(),
    logStreamSlots: new LogStreamSlots(clock, limits),
    idempotencyQueues: new KeyedQueue(turnsOfKey),
    attempts: new Attempts(clock, {
      windowMs: limits.wrongAttemptWindowMs,
      blockMs: limits.wrongAttemptBlockMs,
    }),
  };
}
