/**
 * Carries out what operators do with the images on the hosts: each host is asked, and one that fails stops
 * none of the others.
 */

import {
  AppError,
  type HostItem,
  type HostQuestionOf,
  type HostRequestKind,
  type HostImages,
  type HostReference,
  type HostRemovals,
  type ImageList,
  type ImagePull,
  type ImagePullEvent,
} from "@tijolo/protocol";
import { listImageOverrides } from "../../store/tables/hosts/image-override.ts";
import { transact } from "../../store/store.ts";
import type { HostsContext } from "../hosts/hosts-context.ts";
import type { OperatorActor } from "../identity/caller.ts";
import { recordAudit } from "../operators/audit.ts";
import { chooseHosts } from "../hosts/choose-hosts.ts";
import type { HostLink } from "../hosts/host-link.ts";
import { mergeAll } from "../logs/merge-all.ts";

type ImageLink = Pick<HostLink, "ask">;

/** Most hosts that work at once; others wait until one has ended. */
const hostsAtOnce = 16;

export async function listImages(
  app: HostsContext,
  link: ImageLink,
  { host }: { host?: string | undefined },
  signal: AbortSignal,
): Promise<ImageList> {
  const hosts = await onEach(await referencesOf(app, host), async (reference) => {
    const found: HostImages = { host: reference, isReached: true, layers: [], recipes: [] };
    for await (const item of answerOf(link, reference, { kind: "list-images" }, signal)) {
      if (item.kind === "host-lost") found.isReached = false;
      else if (item.kind === "image-layer") found.layers.push(item.layer);
      else if (item.kind === "image-recipe") found.recipes.push(item.recipe);
    }
    return found;
  });
  return { hosts, overrides: await listImageOverrides(app.db) };
}

export async function* pullImages(
  app: HostsContext,
  link: ImageLink,
  operator: OperatorActor,
  { host, images, systemPackages }: ImagePull,
  signal: AbortSignal,
): AsyncGenerator<ImagePullEvent> {
  const stop = new AbortController();
  const until = AbortSignal.any([signal, stop.signal]);
  const overrides = await listImageOverrides(app.db);
  const request: HostQuestionOf<"pull-images"> = {
    kind: "pull-images",
    images: images.map((image) => ({ ...image, systemPackages })),
    overrides,
  };
  const hosts = await referencesOf(app, host);
  const named = images.map(({ language, version }) => `${language} ${version}`);
  await recordAsked(app, operator, hosts, { images: named, systemPackages });
  try {
    yield* mergeAll(
      hosts.map((reference) => () => pullOn(link, reference, request, until)),
      hostsAtOnce,
    );
    signal.throwIfAborted(); // a pull that was cut off has no end
    yield { event: "pull-ended", data: { hosts: hosts.length } };
  } finally {
    stop.abort();
  }
}

/** Records what an operator asks of hosts, before they begin. */
async function recordAsked(
  app: HostsContext,
  operator: OperatorActor,
  hosts: readonly HostReference[],
  asked: Record<string, unknown>,
): Promise<void> {
  await transact(app.db, (tx) =>
    recordAudit(app, tx, operator, {
      subject: { kind: "image", id: null, name: null },
      after: { ...asked, hosts: hosts.map(({ name }) => name) },
    }),
  );
}

export async function pruneImages(
  app: HostsContext,
  link: ImageLink,
  operator: OperatorActor,
  { host }: { host?: string | undefined },
  signal: AbortSignal,
): Promise<HostRemovals[]> {
  const hosts = await referencesOf(app, host);
  await recordAsked(app, operator, hosts, {});
  return onEach(hosts, async (reference) => {
    const found: HostRemovals = { host: reference, isReached: true, isShared: false, removed: [] };
    for await (const item of answerOf(link, reference, { kind: "prune-images" }, signal)) {
      if (item.kind === "host-lost") found.isReached = false;
      else if (item.kind === "removal-refused") found.isShared = true;
      else {
        const { digest, title, sizeBytes } = item;
        found.removed.push({ digest, title, sizeBytes });
      }
    }
    return found;
  });
}

async function* pullOn(
  link: ImageLink,
  host: HostReference,
  request: HostQuestionOf<"pull-images">,
  signal: AbortSignal,
): AsyncGenerator<ImagePullEvent> {
  for await (const item of answerOf(link, host, request, signal)) {
    switch (item.kind) {
      case "image-progress": {
        const { image, text } = item;
        yield { event: item.kind, data: { host, image, text } };
        break;
      }
      case "image-pulled": {
        const { image, origins, sizeBytes, isNew, runningOnOther } = item;
        yield { event: item.kind, data: { host, image, origins, sizeBytes, isNew, runningOnOther } };
        break;
      }
      case "image-failed":
        yield { event: item.kind, data: { host, image: item.image, reason: item.reason } };
        break;
      case "host-lost":
        yield { event: item.kind, data: { host } };
        break;
    }
  }
}

/** Yields every item; `host-lost` at the end of an answer that did not come, or broke off. */
async function* answerOf<Kind extends HostRequestKind>(
  link: ImageLink,
  { id }: HostReference,
  request: HostQuestionOf<Kind>,
  signal: AbortSignal,
): AsyncGenerator<HostItem<Kind> | { kind: "host-lost" }> {
  try {
    for await (const items of link.ask(id, request, signal)) yield* items;
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof AppError)) throw error;
    yield { kind: "host-lost" };
  }
}

async function referencesOf(app: HostsContext, wanted: string | undefined): Promise<HostReference[]> {
  return (await chooseHosts(app, wanted)).map(({ id, name }) => ({ id, name }));
}

async function onEach<Result>(
  hosts: readonly HostReference[],
  ask: (host: HostReference) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const queue = [...hosts.entries()];
  const worker = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift())
      results[next[0]] = await ask(next[1]);
  };
  await Promise.all(Array.from({ length: Math.min(hostsAtOnce, hosts.length) }, worker));
  return results;
}
