/** Watches the runs that the agent knows until each one's end is noticed, once. */

import type { Logger } from "pino";
import { watchDirectory, type DirectoryWatch } from "../directory-watch.ts";
import { instanceOf, type RunRecord } from "../run-record.ts";
import type { Instance, UsageCounters } from "../runtime.ts";
import { findCommandEnd, usageOf } from "./command-run.ts";
import { readProcessTable } from "./process-table.ts";

export interface TrackedCommandsOptions {
  /** Boot id of this boot of the machine: a run of another one is gone with it. */
  bootId: string;
  clock: { now(): Date };
  logger: Pick<Logger, "error">;
}

interface Tracked {
  instance: Instance;
  run: string;
  watch: DirectoryWatch | null;
  /** Highest value seen: what a process used is no longer reported once it has ended. */
  cpuUsec: number;
}

type RunKey = Pick<RunRecord, "projectId" | "runNumber">;

/** Milliseconds between two checks of a run without any change in its directory. */
const lookEveryMs = 2_000;

export class TrackedCommands {
  readonly #options: TrackedCommandsOptions;
  readonly #runs = new Map<string, Tracked>();
  readonly #listeners: ((ended: Instance) => void)[] = [];

  constructor(options: TrackedCommandsOptions) {
    this.#options = options;
  }

  onExit(listener: (ended: Instance) => void): void {
    this.#listeners.push(listener);
  }

  /** Returns the instance of a run, watched from now on. It changes when the run ends. */
  track(record: RunRecord, run: string): Instance {
    const known = this.#runs.get(keyOf(record));
    if (known !== undefined) return known.instance;
    const instance = instanceOf(record, this.#options.bootId);
    const watch = instance.exit === null ? watchDirectory(run, lookEveryMs, () => this.look(record)) : null;
    this.#runs.set(keyOf(record), { instance, run, watch, cpuUsec: 0 });
    return instance;
  }

  untrack(record: RunKey): void {
    this.#runs.get(keyOf(record))?.watch?.close();
    this.#runs.delete(keyOf(record));
  }

  /** Returns the usage of each running run, by project id. */
  async usage(): Promise<Map<string, UsageCounters>> {
    const running = [...this.#runs.values()].filter(({ instance }) => instance.exit === null);
    if (running.length === 0) return new Map();
    const table = await readProcessTable();
    const entries = running.map(async (tracked): Promise<[string, UsageCounters]> => {
      const { memoryBytes, cpuUsec } = await usageOf(tracked.run, table);
      tracked.cpuUsec = Math.max(tracked.cpuUsec, cpuUsec);
      const { projectId, runNumber } = tracked.instance;
      return [projectId, { runNumber, memoryBytes, cpuUsec: tracked.cpuUsec, oomKills: 0 }];
    });
    return new Map(await Promise.all(entries));
  }

  close(): void {
    for (const { watch } of this.#runs.values()) watch?.close();
    this.#runs.clear();
  }

  /** Notices the end of a run, and reports it. Never rejects. */
  async look(record: RunKey): Promise<void> {
    const { clock, logger } = this.#options;
    const key = keyOf(record);
    const tracked = this.#runs.get(key);
    if (tracked === undefined || tracked.instance.exit !== null) return;
    const end = await findCommandEnd(tracked.run, () => clock.now()).catch((error: unknown) => {
      logger.error({ err: error, run: key }, "a run could not be looked at");
      return undefined;
    });
    if (end === undefined || tracked.instance.exit !== null || this.#runs.get(key) !== tracked) return;
    tracked.instance.exit = end;
    tracked.watch?.close();
    for (const listener of this.#listeners) {
      try {
        listener({ ...tracked.instance });
      } catch (error) {
        logger.error({ err: error, run: key }, "the end of a run could not be taken note of");
      }
    }
  }
}

function keyOf({ projectId, runNumber }: RunKey): string {
  return `${projectId}/${runNumber}`;
}
