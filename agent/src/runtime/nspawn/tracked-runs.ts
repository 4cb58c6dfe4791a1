/** Watches the runs that the agent knows until each one's end is noticed, once. */

import type { Logger } from "pino";
import type { Cgroups, GroupFigures } from "../../host/cgroups/cgroup.ts";
import type { Instance, UsageCounters } from "../runtime.ts";
import { findContainerEnd, removeEnvironment, type ContainerEnd } from "./container.ts";
import type { ContainerPlace } from "./container-place.ts";
import { watchDirectory, type DirectoryWatch } from "../directory-watch.ts";
import { instanceOf, isStarted, type RunRecord } from "../run-record.ts";

export interface TrackedRunsOptions {
  cgroups: Cgroups;
  /** Boot id of this start of the host: a run with another one is gone with its kernel. */
  bootId: string;
  clock: { now(): Date };
  logger: Pick<Logger, "error">;
}

interface Tracked {
  instance: Instance;
  place: ContainerPlace;
  figures: GroupFigures;
  watch: DirectoryWatch | null;
  /** False while the environment may be on the disk, after a kill between start and removal. */
  isEnvironmentGone: boolean;
}

/** Milliseconds between two checks of runs without any change in their directories. */
const lookEveryMs = 2_000;

export class TrackedRuns {
  readonly #options: TrackedRunsOptions;
  /** Runs by the group of the whole run. */
  readonly #runs = new Map<string, Tracked>();
  readonly #listeners: ((ended: Instance) => void)[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(options: TrackedRunsOptions) {
    this.#options = options;
  }

  onExit(listener: (ended: Instance) => void): void {
    this.#listeners.push(listener);
  }

  /** Returns the instance of a run, watched from now on. It changes when the run ends. */
  track(record: RunRecord, place: ContainerPlace): Instance {
    const known = this.#runs.get(place.whole);
    if (known !== undefined) return known.instance;
    const instance = instanceOf(record, this.#options.bootId);
    const watch = instance.exit === null ? watchDirectory(place.run, null, () => this.look(place)) : null;
    const figures = this.#options.cgroups.figures(place.group, place.whole);
    this.#runs.set(place.whole, { instance, place, figures, watch, isEnvironmentGone: false });
    this.#timer ??= setInterval(() => this.#lookForMissed(), lookEveryMs).unref();
    return instance;
  }

  /** Returns the instance of a run that is watched. */
  find({ whole }: ContainerPlace): Instance | undefined {
    return this.#runs.get(whole)?.instance;
  }

  untrack({ whole }: ContainerPlace): void {
    const tracked = this.#runs.get(whole);
    if (tracked !== undefined) letGo(tracked);
    this.#runs.delete(whole);
  }

  /** Returns the runs that go on; of a project, the later after the earlier. */
  running(): { instance: Instance; place: ContainerPlace }[] {
    return this.#running();
  }

  /** Returns the usage of each running run, by project id; of two, the later one's. */
  usage(): Map<string, UsageCounters> {
    return new Map(
      this.#running().map(({ instance, figures }) => [
        instance.projectId,
        { runNumber: instance.runNumber, ...figures.usage() },
      ]),
    );
  }

  close(): void {
    clearInterval(this.#timer);
    for (const tracked of this.#runs.values()) letGo(tracked);
    this.#runs.clear();
  }

  /** Notices the end of a run, and reports it. Never rejects. */
  async look({ whole }: ContainerPlace): Promise<void> {
    const tracked = this.#runs.get(whole);
    if (tracked === undefined || tracked.instance.exit !== null) return;
    const end = await this.#findEnd(tracked).catch((error: unknown) => {
      this.#options.logger.error({ err: error, run: whole }, "a run could not be looked at");
      return undefined;
    });
    if (end === undefined || tracked.instance.exit !== null || this.#runs.get(whole) !== tracked) return;
    tracked.instance.exit = end;
    letGo(tracked);
    for (const listener of this.#listeners) this.#tell(listener, tracked);
  }

  #running(): Tracked[] {
    return [...this.#runs.values()]
      .filter(({ instance }) => instance.exit === null)
      .sort((one, other) => one.instance.runNumber - other.instance.runNumber);
  }

  async #findEnd(tracked: Tracked): Promise<ContainerEnd | undefined> {
    const { cgroups, clock } = this.#options;
    if (!tracked.isEnvironmentGone && (await isStarted(tracked.place.run))) {
      await removeEnvironment(tracked.place);
      tracked.isEnvironmentGone = true;
    }
    return findContainerEnd(cgroups, tracked.place, () => clock.now());
  }

  /** Checks the running instances, nearly all, by one short file each. */
  #lookForMissed(): void {
    for (const tracked of this.#runs.values())
      if (tracked.instance.exit === null && mayHaveNews(tracked)) tracked.watch?.look();
  }

  #tell(listener: (ended: Instance) => void, { instance, place }: Tracked): void {
    try {
      listener({ ...instance });
    } catch (error) {
      this.#options.logger.error(
        { err: error, run: place.whole },
        "the end of a run could not be taken note of",
      );
    }
  }
}

/** False for a run whose program has begun, whose group is not empty, and whose directory shows its end. */
function mayHaveNews({ figures, watch, isEnvironmentGone }: Tracked): boolean {
  if (!isEnvironmentGone || watch?.isBlind === true) return true;
  try {
    return !figures.isPopulated();
  } catch {
    return true; // the look meets it too, and tells of it
  }
}

function letGo({ watch, figures }: Tracked): void {
  watch?.close();
  figures[Symbol.dispose]();
}
