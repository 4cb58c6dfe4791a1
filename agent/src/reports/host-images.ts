/**
 * Carries out what operators do with the images of this host: list them, pull them ahead, remove what no
 * project uses.
 */

import {
  imageVersions,
  type ImagePruneItem,
  type ImagePullItem,
  type HostLayer,
  type HostRecipe,
  type ImageNeed,
  type ImageOverride,
} from "@tijolo/protocol";
import { poll } from "@tijolo/protocol/kit";
import { originOfLayer, originOfSource } from "../images/layer-origin.ts";
import type { Recipe } from "../images/recipe.ts";
import type { StoredLayer } from "../images/image-store.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { MachineParts } from "../machine-parts.ts";
import { isUnderWay, layerUses, needsImage, projectImages, runsOnOther } from "./image-use.ts";

const overridesTimeoutMs = 15_000;
const overridesPollMs = 50;
/** Longest text that the link takes, in characters. */
const maxTextLength = 1_000;

export interface HostImagesOptions {
  images: MachineParts["images"];
  ledger: Ledger;
}

type Pulled = Extract<ImagePullItem, { kind: "image-pulled" }>;
type Removed = Extract<ImagePruneItem, { kind: "layer-removed" }>;

export interface PullOptions {
  signal: AbortSignal;
  onProgress: (line: string) => void;
}

export class HostImages {
  readonly #options: HostImagesOptions;
  #pulls = 0;

  constructor(options: HostImagesOptions) {
    this.#options = options;
  }

  /** True when other agents of this machine use the same images, so that none is removed. */
  get isShared(): boolean {
    return this.#options.images.isShared;
  }

  async layers(): Promise<HostLayer[]> {
    const { images, ledger } = this.#options;
    const uses = layerUses(projectImages(ledger));
    const pulled = new Set(ledger.pulledImages().flatMap(({ layers }) => layers));
    return (await images.list()).map((layer) => ({
      digest: layer.digest,
      title: layer.title.slice(0, maxTextLength),
      source: originOfLayer(layer).source,
      origin: originOfLayer(layer).origin.slice(0, maxTextLength),
      sizeBytes: layer.sizeBytes,
      builtAt: layer.builtAt,
      projects: uses.get(layer.directory) ?? 0,
      isPulled: pulled.has(layer.directory),
    }));
  }

  /** Returns the language versions that there is an image for on this machine, the operator's included. */
  recipes(): HostRecipe[] {
    const overrides = this.#options.ledger.imageOverrides();
    const found = imageVersions.map(({ language, version }) =>
      this.#options.images.findRecipe(language, version),
    );
    return found
      .filter((recipe): recipe is Recipe => recipe !== undefined)
      .map(({ language, version, sources }) => {
        const override = overrides.find((each) => each.language === language && each.version === version);
        return {
          language,
          version,
          override: override?.reference ?? null,
          sources: sources.map(originOfSource),
        };
      });
  }

  /**
   * Rejects when central's update of the overrides does not come in time: a pull must not fetch the previous
   * image.
   */
  async untilOverridesAre(wanted: readonly ImageOverride[], signal: AbortSignal): Promise<void> {
    const text = JSON.stringify(wanted);
    const areSo = () => JSON.stringify(this.#options.ledger.imageOverrides()) === text;
    if (await poll(areSo, { timeoutMs: overridesTimeoutMs, everyMs: overridesPollMs, signal })) return;
    throw new Error(
      "this host has not been told what images operators have set; is its control connection up?",
    );
  }

  /**
   * Pulls the image as it is now at its source; it is kept from then on. Rejects with what stood in the way,
   * or the signal's reason.
   */
  async pull(image: ImageNeed, { signal, onProgress }: PullOptions): Promise<Pulled> {
    const { images, ledger } = this.#options;
    this.#pulls++;
    try {
      const before = new Set((await images.list()).map(({ directory }) => directory));
      const { layers } = await images.ensure(image, { signal, onProgress, isRefresh: true });
      ledger.savePulledImage({ image, layers });
      const stored = (await images.list()).filter(({ directory }) => layers.includes(directory));
      return {
        kind: "image-pulled",
        image,
        origins: [...new Set(stored.map((layer) => originOfLayer(layer).origin.slice(0, maxTextLength)))],
        sizeBytes: sizeOf(stored),
        isNew: layers.some((directory) => !before.has(directory)),
        runningOnOther: projectImages(ledger).filter((project) => runsOnOther(project, image, layers)).length,
      };
    } finally {
      this.#pulls--;
    }
  }

  /**
   * Removes every image that no project uses, pulled ones as well. While a project installs, or a pull is
   * running, it spares what was requested lately, as housekeeping does.
   */
  async prune(): Promise<Removed[]> {
    const { images, ledger } = this.#options;
    const projects = projectImages(ledger);
    const inUse = new Set(layerUses(projects).keys());
    const isBusy = this.#pulls > 0 || projects.some(isUnderWay);
    for (const { image, layers } of ledger.pulledImages()) {
      const isUsed =
        layers.every((directory) => inUse.has(directory)) ||
        projects.some((project) => needsImage(project, image));
      if (!isUsed) ledger.forgetPulledImage(image);
    }
    for (const { layers } of ledger.pulledImages()) for (const directory of layers) inUse.add(directory);
    const known = new Map((await images.list()).map((layer) => [layer.digest, layer]));
    const removed = await images.pruneAll(inUse, isBusy ? {} : { keepMs: 0 });
    return removed.map((digest) => ({
      kind: "layer-removed",
      digest,
      title: known.get(digest)?.title.slice(0, maxTextLength) ?? digest,
      sizeBytes: known.get(digest)?.sizeBytes ?? 0,
    }));
  }
}

function sizeOf(layers: readonly StoredLayer[]): number {
  return layers.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
}
