/**
 * Builds every part of the agent, hands each what it needs, and closes them in reverse order: the composition
 * root.
 */

import type { Logger } from "pino";
import { readBootId } from "./host/boot-id.ts";
import { Ingress } from "./ingress/ingress.ts";
import { findSiteTarget } from "./site-target.ts";
import { SiteVisits } from "./ingress/site-visits.ts";
import { linkHandlers } from "./link-handlers.ts";
import { createLink, type Link } from "./link/link.ts";
import type { AgentConfig } from "./config.ts";
import type { Mesh } from "./mesh/mesh.ts";
import { openMembership, type Membership } from "./membership.ts";
import type { MachineParts } from "./machine-parts.ts";
import { openMachineParts } from "./open-machine-parts.ts";
import { createWorkerContext, type SayToProject } from "./create-worker-context.ts";
import { Reconciler } from "./reconcile/reconciler.ts";
import { ProcessorLoad } from "./host/checks/processor-load.ts";
import { keepHouse, type House } from "./reconcile/keep-house.ts";
import { ReconcilerDriver, type Reconciler as Routine } from "@tijolo/protocol/kit";
import { DiskUsage } from "./reports/disk-usage.ts";
import { checkUidStart } from "./reconcile/check-uid-start.ts";
import { noteFoundProjects } from "./reconcile/found-projects.ts";
import { readUsage, type UsageSources } from "./reports/usage-reporter.ts";
import { hostPrefix } from "./runtime/process/no-isolation.ts";
import type { SimulatedMachine } from "./runtime/simulated.ts";
import { AccessLogs } from "./logs/access-logs.ts";
import { ProjectLogs } from "./logs/project-logs.ts";

export interface AgentDependencies {
  clock: { now(): number };
  /** Returns cryptographically strong random bytes. */
  random: (bytes: number) => Uint8Array;
  logger: Logger;
  /** Runs containers on this simulated machine instead of the real one. */
  simulated?: SimulatedMachine;
  /** Shortest pauses before restarts after crashes. Default: those of the restart policy. */
  restartPausesMs?: readonly number[];
}

const usageEveryMs = 5_000;
const housekeepingEveryMs = 30_000;

export class Agent implements AsyncDisposable {
  readonly #membership: Membership;
  readonly #resources: AsyncDisposableStack;

  private constructor(membership: Membership, resources: AsyncDisposableStack) {
    this.#membership = membership;
    this.#resources = resources;
  }

  /** Returns the host's id, which changes when the host joins anew. */
  get hostId(): string {
    return this.#membership.hostId();
  }

  /**
   * Joins on the first start, takes over what runs, and keeps the link up. Central may be unreachable, except
   * to join.
   */
  static async create(config: AgentConfig, dependencies: AgentDependencies): Promise<Agent> {
    await using resources = new AsyncDisposableStack();
    const later: LaterParts = {};
    const foundation = await openFoundation(config, dependencies, { later, resources });
    const projects = await openProjects(foundation, later, resources);
    const mesh = openMesh(foundation, later, resources);
    const link = openLink(foundation, projects, mesh, resources);
    later.link = link;
    openIngress(foundation, projects, link, resources);
    startRoutines(foundation, projects, link, resources);
    return new Agent(foundation.membership, resources.move());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#resources.disposeAsync();
  }
}

/** The parts that all others are built upon. */
interface Foundation extends AgentDependencies {
  config: AgentConfig;
  runtimeName: string;
  membership: Membership;
  machine: MachineParts;
  bootId: string;
  logs: ProjectLogs;
  accessLogs: AccessLogs;
  say: SayToProject;
  /** Returns a number from 0 to below 1. */
  fraction: () => number;
}

async function openFoundation(
  config: AgentConfig,
  dependencies: AgentDependencies,
  { later, resources }: { later: LaterParts; resources: AsyncDisposableStack },
): Promise<Foundation> {
  const { clock, random, logger, simulated } = dependencies;
  const runtimeName = simulated === undefined ? config.runtime : "simulated";
  const membership = await openMembership(config, { runtimeName, clock, logger }, resources);
  const { ledger } = membership;
  const bootId = await readBootId();
  const createId = () => Buffer.from(random(8)).toString("hex");
  const logOptions = { data: config.dataDirectory, bootId, createId };
  const logs = new ProjectLogs(logOptions);
  const accessLogs = new AccessLogs(logOptions);
  const say: SayToProject = (projectId, section, message) =>
    logs.appendMessage(projectId, section, message, new Date(clock.now()));
  const onServed = (projectId: string) => later.reconciler?.find(projectId)?.tellState();
  const told = { clock, logger, simulated, joinedRange: membership.meshRange };
  const sources = { ledger, say, onServed, ...told };
  const machine = await openMachineParts(config, sources, resources);
  const fraction = () => Buffer.from(random(4)).readUInt32LE() / 2 ** 32;
  const kept = { membership, machine, bootId, logs, accessLogs, say, fraction };
  return { ...dependencies, config, runtimeName, ...kept };
}

type CreatedContext = Awaited<ReturnType<typeof createWorkerContext>>;

/** The projects of this host, and the parts that their workers share with other parts. */
interface Projects extends CreatedContext {
  visits: SiteVisits;
  reconciler: Reconciler;
}

/** Parts that workers use, but that are made after the workers' context. */
interface LaterParts {
  link?: Link;
  reconciler?: Reconciler;
}

/** Takes over what runs, and brings each project to its desired state from now on. */
async function openProjects(
  foundation: Foundation,
  later: LaterParts,
  resources: AsyncDisposableStack,
): Promise<Projects> {
  const { config, membership, machine, bootId, logs, say, fraction, clock, logger } = foundation;
  const { restartPausesMs } = foundation;
  const visits = new SiteVisits();
  const created = await createWorkerContext(
    config,
    {
      ledger: membership.ledger,
      tls: membership.tls,
      machine,
      logs,
      say,
      bootId,
      clock,
      random: fraction,
      logger,
      bearer: () => later.link?.bearer()?.bearer,
      wakeOutbox: () => later.link?.wakeOutbox(),
      noteRemoved: () => later.link?.noteRemoved(),
      ...(restartPausesMs === undefined ? {} : { restartPausesMs }),
      visits,
      drainSite: async (run, signal) => later.link?.drainSite(run, signal),
      findHealth: (projectId) => later.reconciler?.find(projectId)?.assignment?.health,
      notePort: (projectId, runNumber, seen) => later.reconciler?.find(projectId)?.notePort(runNumber, seen),
    },
    resources,
  );
  await checkUidStart(created.context);
  await noteFoundProjects(created.context);
  const reconciler = resources.use(await Reconciler.create(created.context));
  later.reconciler = reconciler;
  return { ...created, visits, reconciler };
}

/** Makes this host a member of the mesh, where its projects have addresses. */
function openMesh(
  { config, membership, machine, fraction, clock }: Foundation,
  later: LaterParts,
  resources: AsyncDisposableStack,
): Mesh | undefined {
  const { centralUrl } = config;
  const bearer = () => later.link?.bearer()?.bearer;
  const { tls } = membership;
  return machine.openMesh?.({ centralUrl, tls, bearer, random: fraction, clock }, resources);
}

function openLink(
  { config, membership, machine, accessLogs, runtimeName, fraction, logger }: Foundation,
  { context, reconciler, replacedFiles }: Projects,
  mesh: Mesh | undefined,
  resources: AsyncDisposableStack,
): Link {
  const { identity, tls, ledger } = membership;
  const warning = runtimeName === "process" ? hostPrefix : "";
  const link = createLink({
    centralUrl: config.centralUrl,
    tls,
    identity,
    hostId: () => membership.hostId(),
    joinAnew: () => membership.joinAnew(),
    ledger,
    random: fraction,
    logger,
    handlers: linkHandlers(context, machine.images, {
      reconciler,
      replacedFiles,
      accessLogs,
      mesh,
      warning,
    }),
  });
  resources.defer(() => link.close());
  return link;
}

/** Opens the way of visitors to the sites of this host. */
function openIngress(
  { config, membership, machine, fraction, clock, logger }: Foundation,
  { reconciler, visits }: Projects,
  link: Link,
  resources: AsyncDisposableStack,
): void {
  const { centralUrl, dataDirectory } = config;
  const ingress = new Ingress({
    centralUrl,
    tls: membership.tls,
    bearer: () => link.bearer()?.bearer,
    findTarget(projectId) {
      const site = reconciler.find(projectId);
      return site && findSiteTarget(site, { dataDirectory, machine, visits, clock });
    },
    visits,
    logger,
    random: fraction,
  });
  resources.defer(() => ingress.close());
  link.onConnected(() => ingress.wake());
}

/** Starts what is done again and again: housekeeping, and the reports of usage. */
function startRoutines(
  { config, membership, machine, accessLogs, say, clock, logger }: Foundation,
  { reconciler, installCache, replacedFiles }: Projects,
  link: Link,
  resources: AsyncDisposableStack,
): void {
  const { disks } = machine;
  const { dataDirectory } = config;
  const diskUsage = resources.use(
    new DiskUsage({
      disks,
      limitOf: (projectId) => reconciler.find(projectId)?.assignment?.diskMb,
      tell: (projectId, message) => say(projectId, "app", message),
      logger,
    }),
  );
  const { ledger } = membership;
  const routines = [
    housekeeping({ ledger, installCache, replacedFiles, accessLogs, clock, ...machine }),
    usageReports(link, { ...machine, disks: diskUsage, dataDirectory }),
  ];
  resources.use(new ReconcilerDriver(routines, logger));
}

function housekeeping(house: House): Routine {
  return { name: "keep-house", everyMs: housekeepingEveryMs, run: () => keepHouse(house) };
}

function usageReports(link: Link, sources: Omit<UsageSources, "processors">): Routine {
  const processors = new ProcessorLoad();
  const run = async () => link.sendUsage(await readUsage({ ...sources, processors }));
  return { name: "tell-usage", everyMs: usageEveryMs, run };
}
