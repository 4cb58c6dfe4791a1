/**
 * Builds every part of the agent, hands each what it needs, and closes them in reverse order: the composition
 * root.
 */

import type { Logger } from "pino";
import { describeHost } from "./host/checks/describe-host.ts";
import { readBootId } from "./host/boot-id.ts";
import { Ingress } from "./ingress/ingress.ts";
import { findSiteTarget } from "./site-target.ts";
import { SiteVisits } from "./ingress/site-visits.ts";
import { hostAnswers } from "./answers/host-answers.ts";
import { createLink, type Link } from "./link/link.ts";
import type { LinkHandlers } from "./link/link-options.ts";
import type { AgentConfig } from "./config.ts";
import { openMembership, type Membership } from "./membership.ts";
import { openMachineParts } from "./open-machine-parts.ts";
import type { MachineImages } from "./images/machine-images.ts";
import type { WorkerContext } from "./project/worker-context.ts";
import { createWorkerContext, type SayToProject } from "./create-worker-context.ts";
import { Reconciler } from "./reconcile/reconciler.ts";
import { HostImages } from "./reports/host-images.ts";
import { ProcessorLoad } from "./host/checks/processor-load.ts";
import { keepHouse, type House } from "./reconcile/keep-house.ts";
import { ReconcilerDriver, type Reconciler as Routine } from "@tijolo/protocol/kit";
import { DiskUsage } from "./reports/disk-usage.ts";
import { describeHeld, takeInventory } from "./reports/inventory.ts";
import { checkUidStart } from "./reconcile/check-uid-start.ts";
import { noteFoundProjects } from "./reconcile/found-projects.ts";
import { readUsage, type UsageSources } from "./reports/usage-reporter.ts";
import { hostPrefix } from "./runtime/process/no-isolation.ts";
import type { SimulatedMachine } from "./runtime/simulated.ts";
import { ProjectLogs } from "./logs/project-logs.ts";
import type { ReplacedFiles } from "./versions/merge/replaced-files.ts";

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
  static async create(
    config: AgentConfig,
    { clock, random, logger, simulated, restartPausesMs }: AgentDependencies,
  ): Promise<Agent> {
    await using resources = new AsyncDisposableStack();
    const runtimeName = simulated === undefined ? config.runtime : "simulated";
    const { dataDirectory, centralUrl } = config;
    const membership = await openMembership(config, { runtimeName, clock, logger }, resources);
    const { ledger, identity, hostId, joinAnew } = membership;

    const bootId = await readBootId();
    const logs = new ProjectLogs({
      data: dataDirectory,
      bootId,
      createId: () => Buffer.from(random(8)).toString("hex"),
    });
    const say: SayToProject = (projectId, section, message) =>
      logs.appendMessage(projectId, section, message, new Date(clock.now()));
    const machine = await openMachineParts(config, { ledger, say, clock, logger, simulated }, resources);
    const fraction = () => Buffer.from(random(4)).readUInt32LE() / 2 ** 32;
    const parts: { link?: Link; reconciler?: Reconciler } = {};
    const visits = new SiteVisits();
    const { context, installCache, replacedFiles } = await createWorkerContext(
      config,
      {
        ledger,
        machine,
        logs,
        say,
        bootId,
        clock,
        random: fraction,
        logger,
        bearer: () => parts.link?.bearer()?.bearer,
        wakeOutbox: () => parts.link?.wakeOutbox(),
        noteRemoved: () => parts.link?.noteRemoved(),
        ...(restartPausesMs === undefined ? {} : { restartPausesMs }),
        visits,
        notePort: (projectId, runNumber, seen) =>
          parts.reconciler?.find(projectId)?.notePort(runNumber, seen),
      },
      resources,
    );
    await checkUidStart(context);
    await noteFoundProjects(context);
    const reconciler = resources.use(await Reconciler.create(context));
    parts.reconciler = reconciler;

    const link = createLink({
      centralUrl,
      identity,
      hostId,
      joinAnew,
      ledger,
      random: fraction,
      logger,
      handlers: linkHandlers(context, machine.images, {
        reconciler,
        replacedFiles,
        warning: runtimeName === "process" ? hostPrefix : "",
      }),
    });
    parts.link = link;
    resources.defer(() => link.close());
    const ingress = new Ingress({
      centralUrl,
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
    const diskUsage = resources.use(
      new DiskUsage({
        disks: machine.disks,
        limitOf: (projectId) => reconciler.find(projectId)?.assignment?.diskMb,
        tell: (projectId, message) => say(projectId, "app", message),
        logger,
      }),
    );
    const routine = [
      housekeeping({
        ledger,
        installCache,
        replacedFiles,
        images: machine.images,
        network: machine.network,
      }),
      usageReports(link, { ...machine, disks: diskUsage, dataDirectory }),
    ];
    resources.use(new ReconcilerDriver(routine, logger));
    return new Agent(membership, resources.move());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#resources.disposeAsync();
  }
}

/** Returns the handlers of the link. `warning` begins the operating system that the host reports. */
function linkHandlers(
  { ledger, disks, logs, runtime, dataDirectory }: WorkerContext,
  images: MachineImages,
  {
    reconciler,
    replacedFiles,
    warning,
  }: { reconciler: Reconciler; replacedFiles: ReplacedFiles; warning: string },
): LinkHandlers {
  /**
   * True once central has sent the desired state over this connection: before, what it lacks is not known.
   */
  let isCompared = false;
  const held = { ledger, disks, reconciler, dataDirectory, isCompared: () => isCompared };
  return {
    describe() {
      isCompared = false;
      return describeHost({ dataDirectory, warning });
    },
    onDesired() {
      isCompared = true;
      reconciler.takeDesired();
    },
    tellStates: () => reconciler.tellStates(),
    inventory: () => takeInventory(held),
    held: (projectIds, signal) => describeHeld(held, projectIds, signal),
    answers: hostAnswers({
      ...held,
      logs,
      replacedFiles,
      images: new HostImages({ images, ledger }),
      runtime,
    }),
  };
}

function housekeeping(house: House): Routine {
  return { name: "keep-house", everyMs: housekeepingEveryMs, run: () => keepHouse(house) };
}

function usageReports(link: Link, sources: Omit<UsageSources, "processors">): Routine {
  const processors = new ProcessorLoad();
  const run = async () => link.sendUsage(await readUsage({ ...sources, processors }));
  return { name: "tell-usage", everyMs: usageEveryMs, run };
}
