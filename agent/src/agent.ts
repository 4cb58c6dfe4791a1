/** The agent's composition root: builds every part, hands each what it needs, and closes them in reverse order. */

import { mkdir, readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { Logger } from "pino";
import { assertHostFit } from "./host/check-host.ts";
import { describeHost } from "./host/describe-host.ts";
import { createIngress } from "./ingress/ingress.ts";
import type { IngressTarget } from "./ingress/ingress-options.ts";
import { openLedger, type Ledger } from "./ledger/ledger.ts";
import { answerLogs } from "./link/answer-logs.ts";
import { loadIdentity } from "./link/identity.ts";
import { joinCluster } from "./link/join.ts";
import { createLink, type Link } from "./link/link.ts";
import type { AgentConfig } from "./config.ts";
import { openMachine, simulateMachine, type MachineParts } from "./machine-parts.ts";
import type { AgentContext } from "./reconcile/agent-context.ts";
import { Reconciler } from "./reconcile/reconciler.ts";
import { keepHouse } from "./reconcile/keep-house.ts";
import { Slots } from "@tijolo/protocol/node";
import { readUsage } from "./reconcile/usage-reporter.ts";
import type { Runtime } from "./runtime/runtime.ts";
import type { SimulatedMachine } from "./runtime/simulated.ts";
import { ProjectLogs } from "./stream/project-logs.ts";
import { ArchiveFetchError, fetchArchive } from "./versions/fetch-archive.ts";
import { versionDirectory } from "./versions/version-files.ts";

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
  readonly hostId: string;
  readonly #resources: AsyncDisposableStack;

  private constructor(hostId: string, resources: AsyncDisposableStack) {
    this.hostId = hostId;
    this.#resources = resources;
  }

  /** Joins on the first start, takes over what runs, and keeps the link up. Central may be away, except to join. */
  static async create(config: AgentConfig, { clock, random, logger, simulated }: AgentDependencies): Promise<Agent> {
    await using resources = new AsyncDisposableStack();
    if (simulated === undefined) await assertHostFit();
    const { dataDirectory, centralUrl } = config;
    await mkdir(dataDirectory, { recursive: true, mode: 0o711 });
    const ledger = resources.adopt(openLedger({ path: join(dataDirectory, "ledger.sqlite"), clock, logger }), (opened) => opened.close());
    const identity = await loadIdentity(join(dataDirectory, "identity.pem"));
    const hostId = ledger.hostId() ?? (await joinFirst(config, ledger, identity));

    const machine = { config, logger, clock: { now: () => new Date(clock.now()) } };
    const { runtime, images, network, trust } =
      simulated === undefined ? await openMachine(machine, resources) : simulateMachine(simulated, machine);
    const logs = new ProjectLogs({ data: dataDirectory, createId: () => Buffer.from(random(8)).toString("hex") });

    const fraction = () => Buffer.from(random(4)).readUInt32LE() / 2 ** 32;
    const parts: { link?: Link } = {};
    const context: AgentContext = {
      dataDirectory,
      clock,
      logger,
      ledger,
      runtime,
      images,
      network,
      logs,
      trust,
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
    const reconciler = resources.use(await Reconciler.create(context));

    const agentId = Buffer.from(random(8)).toString("hex");
    const link = createLink({
      centralUrl,
      identity,
      hostId,
      ledger,
      random,
      logger,
      handlers: {
        describe: () => describeHost({ agentId, dataDirectory, running: () => runningOf(runtime, ledger) }),
        onDesired: () => reconciler.takeDesired(),
        logs: (projectId, query, signal) => answerLogs(logs, projectId, query, signal),
      },
    });
    parts.link = link;
    resources.defer(() => link.close());
    const ingress = createIngress({
      centralUrl,
      bearer: () => link.bearer()?.bearer,
      findTarget: (projectId) => findTarget(reconciler, network, dataDirectory, projectId),
      logger,
      random: fraction,
    });
    resources.defer(() => ingress.close());
    link.onConnected(() => ingress.wake());
    const housekeepingTimer = setInterval(() => {
      keepHouse(ledger, { images, network }).catch((error: unknown) => logger.error({ err: error }, "housekeeping failed"));
    }, housekeepingEveryMs);
    resources.defer(() => clearInterval(housekeepingTimer));
    const usageTimer = setInterval(() => {
      readUsage({ runtime, network, clock, dataDirectory }).then(
        (usage) => link.sendUsage(usage),
        (error: unknown) => logger.warn({ err: error }, "usage could not be read"),
      );
    }, usageEveryMs);
    resources.defer(() => clearInterval(usageTimer));
    return new Agent(hostId, resources.move());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#resources.disposeAsync();
  }
}

async function joinFirst(config: AgentConfig, ledger: Ledger, identity: Awaited<ReturnType<typeof loadIdentity>>): Promise<string> {
  if (config.joinTokenFile === null) {
    throw new Error("This machine has not joined a cluster. Run `tijolo cluster host add` and start the agent with the token it prints.");
  }
  const token = (await readFile(config.joinTokenFile, "utf8")).trim();
  const { hostId } = await joinCluster({ centralUrl: config.centralUrl, token, name: config.hostName, identity });
  ledger.setHostId(hostId);
  return hostId;
}

/** The bearer of the link's connection; waits for one while the link is down. */
async function bearerOf(find: () => string | undefined, signal: AbortSignal): Promise<string> {
  const deadline = AbortSignal.timeout(bearerTimeoutMs);
  for (;;) {
    const bearer = find();
    if (bearer !== undefined) return bearer;
    signal.throwIfAborted();
    if (deadline.aborted) throw new ArchiveFetchError("unreachable", "there is no link to central");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function runningOf(runtime: Runtime, ledger: Ledger): Promise<{ projectId: string; generation: number; runNumber: number }[]> {
  const generations = new Map(ledger.assignments().map(({ projectId, generation }) => [projectId, generation]));
  const instances = await runtime.instances();
  return instances
    .filter(({ exit }) => exit === null)
    .map(({ projectId, runNumber }) => ({ projectId, runNumber, generation: generations.get(projectId) ?? 0 }));
}

function findTarget(
  reconciler: Reconciler,
  network: MachineParts["network"],
  dataDirectory: string,
  projectId: string,
): IngressTarget | undefined {
  const worker = reconciler.find(projectId);
  if (worker?.assignment === undefined || worker.record.observed.phase !== "running") return undefined;
  const { settings, versionNumber } = worker.assignment;
  if (settings.language === "static") {
    const code = join(versionDirectory(dataDirectory, projectId, versionNumber), "code");
    return { kind: "static", directory: join(code, settings.root ?? "") };
  }
  const address = network.find(projectId)?.address;
  return address === undefined || settings.port === null ? undefined : { kind: "process", address, port: settings.port };
}
