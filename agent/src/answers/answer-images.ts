/** Answers central's requests about the images of this host. */

import type { HostItem, HostRequestInput, ImageNeed, ImagePullItem } from "@tijolo/protocol";
import { Latch } from "@tijolo/protocol/kit";
import type { HostImages } from "../reports/host-images.ts";

/** Most progress lines that wait for central; of a faster build the oldest are dropped. */
const maxWaitingLines = 50;
const maxLineLength = 300;
const maxReasonLength = 1_000;
/** Milliseconds of silence after which a build is reported as still running. */
const heartbeatMs = 10_000;

export async function* listImages(
  images: HostImages,
): AsyncGenerator<HostItem<"list-images">[], void, undefined> {
  yield images.recipes().map((recipe) => ({ kind: "image-recipe", recipe }));
  yield (await images.layers()).map((layer) => ({ kind: "image-layer", layer }));
}

export async function* pruneImages(
  images: HostImages,
  signal: AbortSignal,
): AsyncGenerator<HostItem<"prune-images">[], void, undefined> {
  if (images.isShared) yield [{ kind: "removal-refused", reason: "shared" }];
  else yield* whileWorking(images.prune(), signal);
}

/** Pulls the images; a failure of one does not stop the others. */
export async function* pullImages(
  images: HostImages,
  { images: needs, overrides }: HostRequestInput<"pull-images">,
  signal: AbortSignal,
): AsyncGenerator<ImagePullItem[], void, undefined> {
  const isTold = images.untilOverridesAre(overrides, signal);
  isTold.catch(() => {}); // each image tells of it
  for (const image of needs) {
    if (!signal.aborted) yield* pull(images, { image, isTold }, signal);
  }
}

async function* pull(
  images: HostImages,
  { image, isTold }: { image: ImageNeed; isTold: Promise<void> },
  signal: AbortSignal,
): AsyncGenerator<ImagePullItem[], void, undefined> {
  const lines: string[] = [];
  const news = new Latch();
  const onProgress = (line: string) => {
    lines.push(line.slice(0, maxLineLength));
    if (lines.length > maxWaitingLines) lines.shift();
    news.set();
  };
  const work: Promise<ImagePullItem[]> = isTold
    .then(() => images.pull(image, { signal, onProgress }))
    .then(
      (pulled) => [pulled],
      (error: unknown) => [{ kind: "image-failed", image, reason: reasonOf(error) }],
    );
  for await (const items of whileWorking(work, signal, news)) {
    yield lines.splice(0).map((text) => ({ kind: "image-progress", image, text }));
    if (items.length > 0) yield items;
  }
}

/** Yields the work's result; before it an empty batch at each change, and at each heartbeat. */
async function* whileWorking<Item>(
  work: Promise<Item[]>,
  signal: AbortSignal,
  news = new Latch(),
): AsyncGenerator<Item[], void, undefined> {
  let isOver = false;
  const over = () => {
    isOver = true;
    news.set();
  };
  work.then(over, over);
  for (;;) {
    if ((await news.wait({ signal, timeoutMs: heartbeatMs })) === "aborted") return;
    if (isOver) return yield await work;
    yield [];
  }
}

/** Returns the reason of a failure; when several sources failed, each with its own reason. */
function reasonOf(error: unknown): string {
  const text =
    error instanceof AggregateError
      ? `${error.message}: ${error.errors.map(messageOf).join("; ")}`
      : messageOf(error);
  return text.slice(0, maxReasonLength);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
