import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { until } from "../../../test/support/until.ts";
import { sampleAssignment } from "../../../test/support/samples.ts";
import type { Instance, Runtime } from "../runtime/runtime.ts";
import { Reconciler } from "./reconciler.ts";
import { openTestContext } from "../project/test-context.ts";

/** Simulates a machine where the given run is found ended, and reported, during the listing of instances. */
class EndedRunRuntime implements Runtime {
  readonly name = "simulated";
  readonly canRunBeside = false;
  readonly removed: string[] = [];
  readonly forgotten: number[] = [];
  readonly #ended: Instance;
  #tell: (ended: Instance) => void = () => {};

  constructor(ended: Instance) {
    this.#ended = ended;
  }

  onExit(listener: (ended: Instance) => void): void {
    this.#tell = listener;
  }

  async instances(): Promise<Instance[]> {
    this.#tell(this.#ended);
    await delay(20);
    return [this.#ended];
  }

  async remove(projectId: string): Promise<void> {
    this.removed.push(projectId);
  }

  async forget({ runNumber }: Instance): Promise<void> {
    this.forgotten.push(runNumber);
  }

  install = () => Promise.reject(new Error("nothing is to be installed"));
  start = () => Promise.reject(new Error("nothing is to be started"));
  stop = () => Promise.resolve();
  usage = () => Promise.resolve(new Map());
  enforcement = () => Promise.resolve({ cgroups: null, io: "none" as const });
  limits = () => Promise.resolve(new Map());
  close = () => Promise.resolve();
}

test("an exit that is noticed while the agent starts is recorded, and the project keeps its files", async (t) => {
  const dataDirectory = await mkdtemp(join(tmpdir(), "tijolo-reconciler-"));
  t.after(() => rm(dataDirectory, { recursive: true, force: true }));
  const assignment = sampleAssignment();
  const { projectId } = assignment;
  const exit = { code: 7, isOutOfMemory: false, at: new Date(), cause: "exited" as const };
  const runtime = new EndedRunRuntime({
    projectId,
    runNumber: 1,
    versionNumber: 1,
    startedAt: new Date(),
    exit,
  });
  await using context = openTestContext(dataDirectory, assignment, {
    runtime,
    images: { ensure: () => Promise.reject(new Error("no image is wanted")) },
    network: {
      claim: () => Promise.reject(new Error("no network is wanted")),
      release: () => Promise.resolve(),
      find: () => undefined,
      setAside: async () => {},
      takeBack: async () => {},
      releaseLeaving: async () => {},
      findLeaving: () => undefined,
      setRunning: () => {},
      setSite: () => {},
    },
    fetchArchive: (_archive, _target, signal) => delay(60_000, undefined, { signal }),
  });
  const reconciler = await Reconciler.create(context);
  await until(() => runtime.forgotten.length > 0);
  await reconciler[Symbol.asyncDispose]();
  assert.deepEqual([runtime.forgotten, runtime.removed], [[1], []]);
});
