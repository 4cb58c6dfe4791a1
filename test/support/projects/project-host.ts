/**
 * Runs one project on a simulated host for tests of updates: agents come and go, the machine and its files
 * stay.
 */

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import type { Assignment, ObservedState } from "@tijolo/protocol";
import { ownerText } from "./owner-text.ts";
import { rawZip } from "../archives/raw-zip.ts";
import { sampleAssignment, sampleSettings } from "../samples.ts";
import { until } from "../until.ts";
import { PortWatch } from "../../../agent/src/diagnosis/port-watch.ts";
import type { Ledger } from "../../../agent/src/ledger/ledger.ts";
import { Reconciler } from "../../../agent/src/reconcile/reconciler.ts";
import { SimulatedMachine, SimulatedRuntime } from "../../../agent/src/runtime/simulated.ts";
import { readRecord } from "../../../agent/src/project/record.ts";
import { reportedState } from "../../../agent/src/project/reported-state.ts";
import { openTestContext } from "../../../agent/src/project/test-context.ts";
import type { ProjectWorker } from "../../../agent/src/project/worker.ts";
import type { WorkerContext } from "../../../agent/src/project/worker-context.ts";

const { projectId } = sampleAssignment();

type Changes = Partial<Assignment["settings"]>;
type AgentChanges = Partial<WorkerContext> & { onLedger?: (ledger: Ledger) => Ledger };

/** Returns the desired state: an upload of this number, of a bot whose program is `command`. */
export function version(versionNumber: number, settings: Changes = {}, changes: Partial<Assignment> = {}) {
  return sampleAssignment({
    versionNumber,
    restartCount: versionNumber,
    archive: { sha256: String(versionNumber % 10).repeat(64), sizeBytes: 100 },
    settings: sampleSettings({ command: "sim run", installCommand: "sim exit 0", ...settings }),
    configTag: `tag ${versionNumber}`,
    ...changes,
  });
}

export class ProjectHost {
  readonly dataDirectory: string;
  readonly machine = new SimulatedMachine();
  fetches = 0;
  #behindMs = 0;
  #agent: {
    reconciler: Reconciler;
    context: WorkerContext & AsyncDisposable;
    portWatch: PortWatch;
  } | null = null;

  private constructor(dataDirectory: string) {
    this.dataDirectory = dataDirectory;
  }

  static async create(t: TestContext): Promise<ProjectHost> {
    const host = new ProjectHost(await mkdtemp(join(tmpdir(), "tijolo-update-")));
    t.after(async () => {
      await host.stopAgent();
      host.machine.reboot();
      await rm(host.dataDirectory, { recursive: true, force: true, maxRetries: 5 });
    });
    return host;
  }

  /** Starts an agent with this desired state in its ledger. */
  async startAgent(
    wanted: Assignment,
    { onLedger = (ledger) => ledger, ...changes }: AgentChanges = {},
  ): Promise<void> {
    const { dataDirectory, machine } = this;
    const clock = { now: () => Date.now() + this.#behindMs };
    const runtime = new SimulatedRuntime({
      dataDirectory,
      machine,
      clock: { now: () => new Date(clock.now()) },
    });
    const fetchArchive: WorkerContext["fetchArchive"] = (_archive, target) => {
      this.fetches++;
      return writeFile(target, rawZip([{ name: "index.js", content: "1" }]));
    };
    const own = { runtime, clock, fetchArchive, random: () => 0, ...changes };
    const context = openTestContext(dataDirectory, wanted, own);
    const portWatch = new PortWatch({
      isListening: async (id, port) => machine.listeners(id).some((each) => each.port === port),
      findHealth: (id) => this.#agent?.reconciler.find(id)?.assignment?.health,
      askHealth: async (id) => machine.healthStatus.get(id) ?? 200,
      readListeners: async (id) => machine.listeners(id),
      onSeen: (id, runNumber, seen) => this.#agent?.reconciler.find(id)?.notePort(runNumber, seen),
      afterMs: 200,
      isRunning: (id, runNumber) => readRecord(context.ledger.findRecord(id))?.runNumber === runNumber,
      say: async () => {},
      logger: context.logger,
    });
    const reconciler = await Reconciler.create({ ...context, portWatch, ledger: onLedger(context.ledger) });
    this.#agent = { reconciler, context, portWatch };
  }

  async stopAgent(): Promise<void> {
    await this.#agent?.reconciler[Symbol.asyncDispose]();
    this.#agent?.portWatch[Symbol.dispose]();
    await this.#agent?.context[Symbol.asyncDispose]();
    this.#agent = null;
  }

  get worker(): ProjectWorker {
    const worker = this.#agent?.reconciler.find(projectId);
    if (worker === undefined) throw new Error("the project is not known");
    return worker;
  }

  get told(): ObservedState {
    return reportedState(this.worker.record);
  }

  want(wanted: Assignment): void {
    this.worker.assign(wanted);
  }

  /** Advances the clocks, and has the worker look at them. */
  advance(ms: number): void {
    this.#behindMs += ms;
    this.worker.wake();
  }

  /** Has a version start and run until it has come up. */
  async bringUp(wanted: Assignment): Promise<void> {
    this.want(wanted);
    const isUp = () => this.told.phase === "running" && this.told.versionNumber === wanted.versionNumber;
    await until(isUp);
    if (!this.told.hasComeUp) this.advance(6_000);
    await until(() => this.told.hasComeUp);
  }

  /**
   * Has what runs die so often in a row. Until it runs again time passes in steps: a run that looks a minute old
   * would be forgiven its crashes.
   */
  async dieInARow(count: number): Promise<void> {
    for (let crashes = 1; crashes <= count; crashes++) {
      await until(() => {
        if (this.running().length === 1) return true;
        this.advance(1_000);
        return false;
      });
      this.kill();
      await until(() => this.worker.record.observed.consecutiveCrashes === crashes);
    }
  }

  /** Resolves with the report to central once it has these fields. */
  async tells(expected: Partial<ObservedState>): Promise<ObservedState> {
    const isTold = () =>
      Object.entries(expected).every(([name, value]) => this.told[name as keyof ObservedState] === value);
    try {
      await until(isTold);
    } catch (cause) {
      throw new Error(`it tells ${JSON.stringify(this.told)}, not ${JSON.stringify(expected)}`, { cause });
    }
    return this.told;
  }

  /** Returns run number and version of what runs now. */
  running(): string[] {
    return [...this.machine.runs.values()]
      .filter(({ instance }) => instance.exit === null)
      .map(({ instance }) => `run ${instance.runNumber} of version ${instance.versionNumber}`);
  }

  async says(): Promise<string[]> {
    const { lines } = await this.worker.context.logs.readLast(projectId, { lines: 100 });
    return lines.map(({ text }) => text);
  }

  kill(): void {
    this.machine.kill(projectId, new Date(Date.now() + this.#behindMs));
  }
}

/** Returns the Portuguese texts of the details. */
export function texts({ errorDetails }: ObservedState): string[] {
  return errorDetails.map((message) => ownerText(message));
}
