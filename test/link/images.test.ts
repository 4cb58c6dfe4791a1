/**
 * Operators' images over the link: overrides with the desired state, requests and their answers; agents that
 * know of neither.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { AppError, type HostItem, type HostQuestionOf, type ImageOverride } from "@tijolo/protocol";
import { pruneImages, pullImages } from "../../agent/src/answers/answer-images.ts";
import type { HostImages } from "../../agent/src/reports/host-images.ts";
import { until } from "../support/until.ts";
import { LinkBench } from "./link-bench.ts";
import { sampleAssignment } from "./samples.ts";

const override: ImageOverride = { language: "ruby", version: "4.0", reference: "registry.example/ruby:4.0" };
const ruby = { language: "ruby", version: "4.0", systemPackages: [] } as const;
const pull: HostQuestionOf<"pull-images"> = {
  kind: "pull-images",
  images: [{ ...ruby, systemPackages: [] }],
  overrides: [],
};
const isUnavailable = (error: unknown) => error instanceof AppError && error.code === "server_unavailable";

function hostImages(changes: Partial<HostImages>): HostImages {
  return {
    isShared: false,
    recipes: () => [],
    layers: async () => [],
    untilOverridesAre: async () => {},
    ...changes,
  } as HostImages;
}

async function collect(items: AsyncIterable<HostItem[]>): Promise<HostItem[]> {
  return (await Array.fromAsync(items)).flat();
}

test("overrides come with the first update and with each change of theirs, and stay in the ledger", async () => {
  await using bench = await LinkBench.create();
  const host = await bench.joinHost();
  bench.backend.imageOverrides = [override];
  bench.backend.want(host.hostId, [sampleAssignment()]);
  const link = bench.connect(host);
  await until(() => host.ledger.assignments().length === 1);
  assert.deepEqual(
    host.ledger.imageOverrides(),
    [override],
    "in one transaction with what is to run on them",
  );
  const second = { ...override, reference: "registry.example/ruby:4.0.1" };
  bench.backend.imageOverrides = [second];
  bench.backend.want(host.hostId, []);
  await until(() => host.ledger.imageOverrides()[0]?.reference === second.reference);
  await link.close();
  bench.backend.imageOverrides = [];
  bench.connect(host);
  await until(() => host.ledger.imageOverrides().length === 0);
});

test("progress is told as it comes, of a flood the newest lines; a failure is told with each source's reason", async () => {
  await using bench = await LinkBench.create();
  const host = await bench.joinHost();
  const images = hostImages({
    async pull(_image, { onProgress }) {
      for (let index = 1; index <= 10_000; index++) onProgress(`line ${index} ${"x".repeat(1_000)}`);
      throw new AggregateError([new Error("no route"), "odd"], "No source could be built");
    },
  });
  bench.connect(host, {
    answers: { "pull-images": (request, signal) => pullImages(images, request, signal) },
  });
  const ask = () => collect(bench.server.ask(host.hostId, pull, new AbortController().signal));
  const items = await until(ask);
  const lines = items.flatMap((item) => (item.kind === "image-progress" ? [item.text] : []));
  assert.ok(lines.length > 0 && lines.length <= 100, String(lines.length));
  assert.match(lines.at(-1) ?? "", /^line 10000 x+$/);
  assert.ok(lines.every((text) => text.length === 300));
  assert.deepEqual(items.at(-1), {
    kind: "image-failed",
    image: { ...ruby, systemPackages: [] },
    reason: "No source could be built: no route; odd",
  });
});

test("a host that has not been told of the operator's images in time says so for each, and pulls nothing", async () => {
  await using bench = await LinkBench.create();
  const host = await bench.joinHost();
  let pulls = 0;
  const images = hostImages({
    untilOverridesAre: async () => {
      throw new Error("not told yet");
    },
    pull: async () => {
      pulls++;
      throw new Error("not asked for");
    },
  });
  bench.connect(host, {
    answers: { "pull-images": (request, signal) => pullImages(images, request, signal) },
  });
  const both: HostQuestionOf<"pull-images"> = {
    ...pull,
    images: [...pull.images, { language: "go", version: "1.27", systemPackages: [] }],
  };
  const items = await until(() => collect(bench.server.ask(host.hostId, both, new AbortController().signal)));
  const failures = items.map((item) =>
    item.kind === "image-failed" ? `${item.image.language}: ${item.reason}` : item.kind,
  );
  assert.deepEqual([failures, pulls], [["ruby: not told yet", "go: not told yet"], 0]);
});

test("who leaves an answer, or loses the host, ends the work there", async () => {
  await using bench = await LinkBench.create();
  const host = await bench.joinHost();
  let aborted = 0;
  const images = hostImages({
    pull: (_image, { signal, onProgress }) =>
      new Promise((_, reject) => {
        onProgress("begun");
        signal.addEventListener("abort", () => {
          aborted++;
          reject(new Error("aborted"));
        });
      }),
  });
  const link = bench.connect(host, {
    answers: { "pull-images": (request, signal) => pullImages(images, request, signal) },
  });
  const first = await until(async () => {
    const images = bench.server.ask(host.hostId, pull, new AbortController().signal);
    const answer = images[Symbol.asyncIterator]();
    return (await answer.next()).done === false ? answer : undefined;
  });
  await first.return?.();
  await until(() => aborted === 1);
  const second = collect(bench.server.ask(host.hostId, pull, new AbortController().signal));
  second.catch(() => {});
  await until(() => bench.backend.isConnected(host.hostId));
  await link.close();
  await assert.rejects(second, isUnavailable);
});

test("a host that shares its images refuses to remove any; items of another kind than asked for go nowhere", async () => {
  await using bench = await LinkBench.create();
  const host = await bench.joinHost();
  const line = {
    at: "2026-01-01T00:00:00.000Z",
    section: "app",
    stream: "stdout",
    version: 1,
    text: "x",
  } as const;
  bench.connect(host, {
    answers: {
      async *"prune-images"(_request, signal) {
        yield [{ kind: "line", cursor: "1", line }] as never;
        yield* pruneImages(hostImages({ isShared: true }), signal);
      },
    },
  });
  const ask = () =>
    collect(bench.server.ask(host.hostId, { kind: "prune-images" }, new AbortController().signal));
  assert.deepEqual(await until(ask), [{ kind: "removal-refused", reason: "shared" }]);
});
