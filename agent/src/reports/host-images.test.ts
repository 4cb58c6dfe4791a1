import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { Assignment, ImageNeed } from "@tijolo/protocol";
import type { StoredLayer } from "../images/image-store.ts";
import { hashAssignment, hashSet } from "../ledger/assignment-hash.ts";
import { openLedger, type Ledger } from "../ledger/ledger.ts";
import { makeAssignment, projectIdOf } from "../../../test/support/ledger/ledger-samples.ts";
import type { MachineImages } from "../images/machine-images.ts";
import { HostImages } from "./host-images.ts";
import { newRecord, type ProjectRecord } from "../project/record.ts";

const node: ImageNeed = { language: "node", version: "24", systemPackages: [] };
const ruby: ImageNeed = { language: "ruby", version: "3.4", systemPackages: [] };

class Bench implements AsyncDisposable {
  readonly layers = new Map<string, StoredLayer>();
  readonly prunes: { inUse: string[]; keepMs: number | undefined }[] = [];
  readonly hostImages: HostImages;
  readonly ledger: Ledger;
  readonly #directory: string;
  /** Layers that each image consists of now. */
  stacks: Record<string, string[]> = { node: ["/n1", "/base"], ruby: ["/r1", "/base"] };
  gate: Promise<void> = Promise.resolve();

  private constructor(directory: string) {
    this.#directory = directory;
    this.ledger = openLedger({
      path: join(directory, "ledger.sqlite"),
      clock: { now: () => 0 },
      logger: { warn() {} },
    });
    const images: MachineImages = {
      isShared: false,
      findRecipe: () => undefined,
      list: async () => [...this.layers.values()],
      ensure: async ({ language }) => {
        await this.gate;
        const layers = this.stacks[language] ?? [];
        for (const directory of layers) this.#add(directory);
        return { layers, environment: {} };
      },
      prune: async () => [],
      pruneAll: async (inUse, { keepMs }) => {
        this.prunes.push({ inUse: [...inUse].sort(), keepMs });
        const removed = [...this.layers.keys()].filter((directory) => !inUse.has(directory));
        for (const directory of removed) this.layers.delete(directory);
        return removed;
      },
    };
    this.hostImages = new HostImages({ images, ledger: this.ledger });
  }

  static async create(): Promise<Bench> {
    return new Bench(await mkdtemp(join(tmpdir(), "tijolo-host-images-")));
  }

  pull(image: ImageNeed) {
    return this.hostImages.pull(image, { signal: new AbortController().signal, onProgress() {} });
  }

  project(
    number: number,
    phase: ProjectRecord["observed"]["phase"],
    imageLayers: string[],
    changes: Partial<Assignment["settings"]> = {},
  ): void {
    const sample = makeAssignment(number);
    const assignment = { ...sample, settings: { ...sample.settings, ...changes } };
    const others = this.ledger.assignments().filter(({ projectId }) => projectId !== assignment.projectId);
    const setHash = hashSet(
      new Map([...others, assignment].map((each) => [each.projectId, hashAssignment(each)])),
    );
    this.ledger.applyDesired({
      revision: number,
      part: 0,
      isFull: false,
      upserts: [assignment],
      deletes: [],
      setHash,
    });
    this.ledger.saveRecord(
      projectIdOf(number),
      { ...newRecord, observed: { ...newRecord.observed, phase }, imageLayers },
      [],
    );
  }

  #add(directory: string): void {
    const layer = {
      digest: directory,
      title: directory,
      builtAt: "",
      buildMs: 0,
      sizeBytes: 10,
      recipe: null,
      directory,
    };
    this.layers.set(directory, layer);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.ledger.close();
    await rm(this.#directory, { recursive: true });
  }
}

test("a pull says what is new, what it takes, and who runs on something else", async () => {
  await using bench = await Bench.create();
  const first = await bench.pull(node);
  assert.deepEqual([first.isNew, first.sizeBytes, first.runningOnOther], [true, 20, 0]);
  bench.project(1, "running", ["/n1", "/base"]);
  bench.project(2, "running", ["/packages", "/n1", "/base"], { systemPackages: ["git"] });
  bench.project(3, "waiting", ["/n1", "/base"]);
  bench.project(4, "running", ["/r1", "/base"], { language: "ruby", version: "3.4" });
  const same = await bench.pull(node);
  assert.deepEqual([same.isNew, same.runningOnOther], [false, 0]);
  bench.stacks = { ...bench.stacks, node: ["/n2", "/base"] };
  const newer = await bench.pull(node);
  assert.deepEqual(
    [newer.isNew, newer.runningOnOther],
    [true, 2],
    "those that run, with packages and without",
  );
  assert.equal(
    (await bench.pull({ ...node, systemPackages: ["git"] })).runningOnOther,
    1,
    "the one with just these packages",
  );
  const uses = (await bench.hostImages.layers()).map(({ title, projects, isPulled }) => [
    title,
    projects,
    isPulled,
  ]);
  assert.deepEqual(uses, [
    ["/n1", 3, false],
    ["/base", 4, true],
    ["/n2", 0, true],
  ]);
});

test("prune leaves what projects use or are about to, and forgets other pulls", async () => {
  await using bench = await Bench.create();
  await bench.pull(node);
  await bench.pull(ruby);
  bench.project(1, "ready", [], { language: "ruby", version: "3.4" });
  const removed = await bench.hostImages.prune();
  assert.deepEqual(
    removed.map(({ title, sizeBytes }) => [title, sizeBytes]),
    [["/n1", 10]],
    "a project that never ran keeps the image that was pulled for it",
  );
  assert.deepEqual(bench.prunes, [{ inUse: ["/base", "/r1"], keepMs: 0 }]);
  assert.deepEqual(
    bench.ledger.pulledImages().map(({ image }) => image.language),
    ["ruby"],
  );
});

test("while a project installs or a pull is under way, what was asked for lately is spared", async () => {
  await using bench = await Bench.create();
  bench.project(1, "installing", []);
  await bench.hostImages.prune();
  bench.project(1, "running", ["/n1", "/base"]);
  await bench.hostImages.prune();
  const gate = Promise.withResolvers<void>();
  bench.gate = gate.promise;
  const pulling = bench.pull(ruby);
  await bench.hostImages.prune();
  gate.resolve();
  await pulling;
  await bench.hostImages.prune();
  assert.deepEqual(
    bench.prunes.map(({ keepMs }) => keepMs),
    [undefined, 0, undefined, 0],
  );
});

test("a pull waits until this host knows the images that central means, and gives up at its end", async () => {
  await using bench = await Bench.create();
  const override = { language: "ruby", version: "4.0", reference: "registry.example/ruby:4.0" } as const;
  let isKnown = false;
  const waiting = bench.hostImages
    .untilOverridesAre([override], new AbortController().signal)
    .then(() => (isKnown = true));
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(isKnown, false);
  bench.ledger.applyDesired({
    revision: 1,
    part: 0,
    isFull: true,
    upserts: [],
    deletes: [],
    setHash: hashSet(new Map()),
    imageOverrides: [override],
  });
  await waiting;
  assert.deepEqual(bench.ledger.imageOverrides(), [override]);
  bench.ledger.applyDesired({
    revision: 2,
    part: 0,
    isFull: true,
    upserts: [],
    deletes: [],
    setHash: hashSet(new Map()),
  });
  assert.deepEqual(bench.ledger.imageOverrides(), [override], "an update without them leaves them");
  const leaving = new AbortController();
  const left = bench.hostImages.untilOverridesAre([], leaving.signal);
  leaving.abort();
  await assert.rejects(left, { name: "AbortError" });
  bench.ledger.applyDesired({
    revision: 3,
    part: 0,
    isFull: true,
    upserts: [],
    deletes: [],
    setHash: hashSet(new Map()),
    imageOverrides: [],
  });
  assert.deepEqual(bench.ledger.imageOverrides(), []);
});
