/**
 * Measures how long the image of each language takes to make from Debian's archive, and to find again; beside
 * mmdebstrap with the same packages in one go.
 */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defaultVersions, languages, type Language } from "@tijolo/protocol";
import { exec, hostEnvironment } from "../../agent/src/host/exec.ts";
import {
  debianSources,
  indexAgeOptions,
  neededPaths,
  unneededPaths,
} from "../../agent/src/images/debian-archive.ts";
import { findHostArchive } from "../../agent/src/images/host-archive.ts";
import { createImageStore, hostArchitecture, type ImageStore } from "../../agent/src/images/image-store.ts";
import type { LayerRecipe } from "../../agent/src/images/recipe.ts";
import { findRecipe } from "../../agent/src/images/recipes/find-recipe.ts";
import { testIndexAgeDays } from "../real/support/images/kept-images.ts";
import type { Bench, BenchContext, Figure, Row } from "./bench.ts";
import { Sample } from "./sample.ts";

/** The one that is made by mmdebstrap alone besides: all of it comes from one suite. */
const comparedLanguage: Language = "python";
const keptRounds = 5;
const bootstrapTimeoutMs = 600_000;

/** Benches for each language whose image is made here, so that each can be run alone. */
export const imageBuilds: readonly Bench[] = languages.filter(isMadeHere).map((language) => ({
  name: `images-${language}`,
  run: (context) => build(language, context),
}));

async function build(language: Language, context: BenchContext): Promise<Figure[]> {
  const version = defaultVersions[language];
  const directory = await mkdtemp(join(tmpdir(), "tijolo-bench-images-"));
  context.resources.defer(() => rm(directory, { recursive: true, force: true }));
  const store = await createImageStore({
    imagesDirectory: join(directory, "images"),
    logger: { info() {}, warn() {} },
    debianIndexAgeDays: testIndexAgeDays,
  });
  context.resources.defer(() => store.close());
  const ensure = () => store.ensure({ language, version, systemPackages: [] }, { onProgress: context.say });
  const cold = await secondsOf(ensure);
  const kept: number[] = [];
  for (let round = 0; round < keptRounds; round++) kept.push(await secondsOf(ensure));
  const title = `Image of ${language} ${version}`;
  const rows = [{ name: "Tijolo, from the archive", sample: new Sample([cold]) }];
  if (language === comparedLanguage) {
    context.say("mmdebstrap with the same packages");
    const root = join(directory, "peer");
    rows.push({
      name: "mmdebstrap of the same packages, in one",
      sample: new Sample([await secondsOf(() => bootstrap(root, language, version))]),
    });
  }
  return [
    { title: `${title}: made`, unit: "s", rows, aim: null },
    {
      title: `${title}: layers are there`,
      unit: "ms",
      rows: [{ name: "Tijolo", sample: new Sample(kept.map((each) => each * 1_000)) }],
      aim: null,
    },
    { title: `${title}: size`, unit: "MB", rows: await sizes(store), aim: null },
  ];
}

/**
 * Returns the size of each layer, with the seconds it took by itself: those that do not stand on each other
 * are made side by side.
 */
async function sizes(store: ImageStore): Promise<Row[]> {
  const layers = await store.list();
  return layers.map(({ title, sizeBytes, buildMs }) => ({
    name: `${title} (${(buildMs / 1_000).toFixed(1)} s)`,
    sample: new Sample([sizeBytes / 1e6]),
  }));
}

/** Builds the same packages, exclusions and archives as the recipe's layers, by one mmdebstrap. */
async function bootstrap(root: string, language: Language, version: string): Promise<void> {
  const { suite, packages } = asOneBootstrap(language, version);
  const options = [
    ...indexAgeOptions(testIndexAgeDays).map((option) => `--aptopt=${option}`),
    ...unneededPaths.map((path) => `--dpkgopt=path-exclude=${path}`),
    ...neededPaths.map((path) => `--dpkgopt=path-include=${path}`),
  ];
  const argv = [
    "mmdebstrap",
    "--quiet",
    "--mode=root",
    "--format=directory",
    "--variant=minbase",
    `--include=${packages.join(",")}`,
  ];
  const archive = debianSources(suite, await findHostArchive());
  await exec([...argv, ...options, suite, root, ...archive], {
    env: hostEnvironment,
    timeoutMs: bootstrapTimeoutMs,
  });
}

function asOneBootstrap(language: Language, version: string): { suite: string; packages: string[] } {
  const layers = layersOf(language, version).filter((layer) => layer.kind !== "npm");
  const suite = layers.find((layer) => layer.kind === "bootstrap")?.suite;
  if (suite === undefined)
    throw new Error(`the image of ${language} ${version} is not made from a suite of Debian`);
  return { suite, packages: layers.flatMap((layer) => layer.packages) };
}

function layersOf(language: Language, version: string): readonly LayerRecipe[] {
  const source = findRecipe(language, version, hostArchitecture())?.sources[0];
  return source?.kind === "debian" ? source.layers : [];
}

function isMadeHere(language: Language): boolean {
  return layersOf(language, defaultVersions[language]).length > 0;
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const beganMs = performance.now();
  await work();
  return (performance.now() - beganMs) / 1_000;
}
