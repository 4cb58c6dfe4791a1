/**
 * The agent's composition root: builds every part, hands each what it needs, and closes them in reverse
 * order.
 */

import { availableParallelism } from "node:os";
import { join, relative } from "node:path";
import type { Logger } from "pino";
import { hostEnvironment } from "./host/exec.ts";
import { describeHost } from "./host/checks/describe-host.ts";
import { readBootId } from "./host/boot-id.ts";
import { defaultBounds, InstallCache, noInstallCache } from "./install-cache/install-cache.ts";
import { Explainer } from "./diagnosis/explainer.ts";
import { PortWatch } from "./diagnosis/port-watch.ts";
import { Ingress } from "./ingress/ingress.ts";
import type { IngressTarget } from "./ingress/ingress-options.ts";
import type { Ledger } from "./ledger/ledger.ts";
import { overriddenRecipe } from "./images/overridden-recipe.ts";
import { hostAnswers } from "./answers/host-answers.ts";
import { createLink, type Link } from "./link/link.ts";
import type { AgentConfig } from "./config.ts";
import { openMembership, type Membership } from "./membership.ts";
import { openMachine, simulateMachine, type MachineParts } from "./machine-parts.ts";
import type { WorkerContext } from "./project/worker-context.ts";
import { Reconciler } from "./reconcile/reconciler.ts";
import { HostImages } from "./reports/host-images.ts";
import { ProcessorLoad } from "./host/checks/processor-load.ts";
import { installLayersInUse, keepHouse } from "./reconcile/keep-house.ts";
import { readRecord } from "./project/record.ts";
import { poll, ReconcilerDriver, Slots } from "@tijolo/protocol/kit";
import { DiskUsage } from "./reports/disk-usage.ts";
import { describeHeld, takeInventory } from "./reports/inventory.ts";
import { checkUidStart } from "./reconcile/check-uid-start.ts";
import { noteFoundProjects } from "./reconcile/found-projects.ts";
import { readUsage } from "./reports/usage-reporter.ts";
import { hostPrefix } from "./runtime/process/no-isolation.ts";
import { openProcessMachine, type ProcessMachineOptions } from "./runtime/process/process-machine.ts";
import { uidCount } from "./runtime/nspawn/nspawn-argv.ts";
import type { SimulatedMachine } from "./runtime/simulated.ts";
import { ProjectLogs } from "./logs/project-logs.ts";
import { ArchiveFetchError, fetchArchive } from "./versions/fetch-archive.ts";
import { servedDirectory, versionDirectory } from "./versions/version-files.ts";

export interface AgentDependencies {
  clock: { now(): number };
  /** Cryptographically strong random bytes. */
  random: (bytes: number) => Uint8Array;
  logger: Logger;
  /** Runs containers on this simulated machine instead of the real one. */
  simulated?: SimulatedMachine;
}

const usageEveryMs = 5_000;
const housekeepingEveryMs = 30_000;
const installsAtOnce = 2;
const bearerTimeoutMs = 30_000;

export class Agent implements AsyncDisposable {
  readonly #membership: Membership;
  readonly #resources: AsyncDisposableStack;

  private constructor(membership: Membership, resources: AsyncDisposableStack) {
    this.#membership = membership;
    this.#resources = resources;
  }

  /** Changes when the host joins anew. */
  get hostId(): string {
    return this.#membership.hostId();
  }

  /**
   * Joins on the first start, takes over what runs, and keeps the link up. Central may be away, except to
   * join.
   */
  static async create(
    config: AgentConfig,
    { clock, random, logger, simulated }: AgentDependencies,
  ): Promise<Agent> {
    await using resources = new AsyncDisposableStack();
    const runtimeName = simulated === undefined ? config.runtime : "simulated";
    const { dataDirectory, centralUrl } = config;
    const membership = await openMembership(config, { runtimeName, clock, logger }, resources);
    const { ledger, identity, hostId, joinAnew } = membership;

    const quotaIdOf = (projectId: string) => config.uidStart + ledger.uidIndexOf(projectId) * uidCount;
    const findRecipe = overriddenRecipe(() => ledger.imageOverrides());
    const machine = { config, findRecipe, logger, clock: { now: () => new Date(clock.now()) }, quotaIdOf };
    const bootId = await readBootId();
    const logs = new ProjectLogs({
      data: dataDirectory,
      bootId,
      createId: () => Buffer.from(random(8)).toString("hex"),
    });
    const say: ProcessMachineOptions["say"] = (projectId, section, text) =>
      logs.appendSystemLine(projectId, section, text, new Date(clock.now()));
    const hostPath = process.env["PATH"] ?? hostEnvironment["PATH"] ?? "";
    const machineParts =
      simulated !== undefined
        ? simulateMachine(simulated, machine)
        : config.runtime === "process"
          ? await openProcessMachine({ ...machine, say, hostPath }, resources)
          : await openMachine(machine, resources);
    const { disks, runtime, images, network, readListeners, trust, installNotices } = machineParts;

    const keptInstalls = await InstallCache.create({
      directory: join(dataDirectory, "installs"),
      bounds: defaultBounds,
      inUse: () => installLayersInUse(ledger),
      accounts: () => new Set(ledger.assignments().map(({ accountId }) => accountId)),
      clock,
      bootId,
      logger,
    });
    const installCache = machineParts.keepsInstalls === false ? noInstallCache : keptInstalls;
    const fraction = () => Buffer.from(random(4)).readUInt32LE() / 2 ** 32;
    const parts: { link?: Link } = {};
    const explainer = resources.use(new Explainer());
    const portWatch = resources.use(
      new PortWatch({
        readListeners: (projectId) => readListeners(projectId),
        isRunning: (projectId, runNumber) => isRunning(ledger, projectId, runNumber),
        say: (projectId, text) => say(projectId, "app", text),
        logger,
      }),
    );
    const context: WorkerContext = {
      dataDirectory,
      clock,
      logger,
      ledger,
      disks,
      runtime,
      images,
      installCache,
      network,
      logs,
      portWatch,
      explainer,
      random: fraction,
      trust,
      ...(installNotices === undefined ? {} : { installNotices }),
      uidStart: config.uidStart,
      cpuCount: availableParallelism(),
      installSlots: new Slots(installsAtOnce),
      installTimeoutMs: config.installTimeoutMs,
      async fetchArchive({ sha256, sizeBytes }, target, signal) {
        const bearer = await bearerOf(() => parts.link?.bearer()?.bearer, signal);
        const url = `${centralUrl}/link/archives/${sha256}`;
        await fetchArchive(
          { url, headers: { authorization: `Bearer ${bearer}` }, sha256, sizeBytes, target },
          { signal, random: fraction },
        );
      },
      wakeOutbox: () => parts.link?.wakeOutbox(),
    };
    await checkUidStart(context);
    await noteFoundProjects(context);
    const reconciler = resources.use(await Reconciler.create(context));

    /**
     * True once central has said in this connection what it wants: before, what it does not want is not
     * known.
     */
    let isCompared = false;
    const held = { ledger, disks, reconciler, dataDirectory, isCompared: () => isCompared };
    const hostImages = new HostImages({ images, ledger });
    const link = createLink({
      centralUrl,
      identity,
      hostId,
      joinAnew,
      ledger,
      random: fraction,
      logger,
      handlers: {
        describe() {
          isCompared = false;
          return describeHost({ dataDirectory, warning: runtimeName === "process" ? hostPrefix : "" });
        },
        onDesired() {
          isCompared = true;
          reconciler.takeDesired();
        },
        tellStates: () => reconciler.tellStates(),
        inventory: () => takeInventory(held),
        held: (projectIds, signal) => describeHeld(held, projectIds, signal),
        answers: hostAnswers({ ...held, logs, images: hostImages, runtime }),
      },
    });
    parts.link = link;
    resources.defer(() => link.close());
    const ingress = new Ingress({
      centralUrl,
      bearer: () => link.bearer()?.bearer,
      findTarget: (projectId) => findTarget(reconciler, machineParts, dataDirectory, projectId),
      logger,
      random: fraction,
    });
    resources.defer(() => ingress.close());
    link.onConnected(() => ingress.wake());
    const diskUsage = resources.use(
      new DiskUsage({
        disks,
        limitOf: (projectId) => reconciler.find(projectId)?.assignment?.diskMb,
        tell: (projectId, text) => say(projectId, "app", text),
        logger,
      }),
    );
    const processors = new ProcessorLoad();
    const tellUsage = async () =>
      link.sendUsage(await readUsage({ runtime, network, disks: diskUsage, processors, dataDirectory }));
    const routine = [
      {
        name: "keep-house",
        everyMs: housekeepingEveryMs,
        run: () => keepHouse({ ledger, images, network, installCache }),
      },
      { name: "tell-usage", everyMs: usageEveryMs, run: tellUsage },
    ];
    resources.use(new ReconcilerDriver(routine, logger));
    return new Agent(membership, resources.move());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#resources.disposeAsync();
  }
}

/** The bearer of the link's connection; waits for one while the link is down. */
async function bearerOf(find: () => string | undefined, signal: AbortSignal): Promise<string> {
  const bearer = await poll(find, { timeoutMs: bearerTimeoutMs, everyMs: 100, signal });
  if (bearer === undefined) throw new ArchiveFetchError("unreachable", "there is no link to central");
  return bearer;
}

function isRunning(ledger: Ledger, projectId: string, runNumber: number): boolean {
  const record = readRecord(ledger.findRecord(projectId));
  return record?.runNumber === runNumber && record.observed.phase === "running";
}

function findTarget(
  reconciler: Reconciler,
  { network, portOf = (_projectId, port) => port }: MachineParts,
  dataDirectory: string,
  projectId: string,
): IngressTarget | undefined {
  const worker = reconciler.find(projectId);
  if (worker?.assignment === undefined || worker.record.observed.phase !== "running") return undefined;
  const { language, root, port } = worker.record.startedWith ?? worker.assignment.settings;
  if (language === "static") {
    const code = join(versionDirectory(dataDirectory, projectId, worker.assignment.versionNumber), "code");
    const directory = servedDirectory(code, root ?? "");
    if (directory === undefined) return undefined;
    return { kind: "static", directory, ...(relative(code, directory) === "" ? { hidden: "svc.json" } : {}) };
  }
  const address = network.find(projectId)?.address;
  return address === undefined || port === null
    ? undefined
    : { kind: "process", address, port: portOf(projectId, port) };
}
