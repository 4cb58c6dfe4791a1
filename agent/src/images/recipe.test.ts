import assert from "node:assert/strict";
import { test } from "node:test";
import { languages, languageVersions, type Language } from "@tijolo/protocol";
import {
  architectures,
  layerDigest,
  type AptLayer,
  type Architecture,
  type BootstrapLayer,
  type LayerRecipe,
  type Recipe,
} from "./recipe.ts";
import { findRecipe } from "./recipes/find-recipe.ts";
import { suitesOf, systemPackagesLayer, withSystemPackages } from "./system-packages.ts";

const base: BootstrapLayer = {
  kind: "bootstrap",
  revision: 1,
  suite: "trixie",
  packages: ["tzdata"],
  title: "Debian",
};

test("a digest follows the content of a recipe, not its title or the order of its keys", () => {
  const digest = layerDigest(base, "x64");
  assert.match(digest, /^[0-9a-f]{32}$/);
  assert.equal(layerDigest({ ...base, title: "other" }, "x64"), digest);
  const { kind, ...rest } = base;
  assert.equal(layerDigest({ ...rest, kind }, "x64"), digest);
});

test("a digest changes with revision, suite, packages and architecture", () => {
  const digests = [
    layerDigest(base, "x64"),
    layerDigest(base, "arm64"),
    layerDigest({ ...base, revision: 2 }, "x64"),
    layerDigest({ ...base, suite: "forky" }, "x64"),
    layerDigest({ ...base, packages: [] }, "x64"),
  ];
  assert.equal(new Set(digests).size, digests.length);
});

test("only what apt makes depends on the layers below", () => {
  const apt: AptLayer = {
    kind: "apt",
    revision: 1,
    suites: ["trixie"],
    packages: ["git"],
    links: [],
    title: "git",
  };
  assert.notEqual(layerDigest(apt, "x64", ["a"]), layerDigest(apt, "x64", ["b"]));
  assert.equal(layerDigest(base, "x64", ["a"]), layerDigest(base, "x64", ["b"]));
});

test("every version of every language has a recipe on both architectures, and each source its reason", () => {
  for (const language of languages) {
    for (const version of languageVersions[language]) {
      for (const architecture of architectures) {
        const recipe = findRecipe(language, version, architecture);
        assert.ok(recipe !== undefined, `${language} ${version}`);
        assert.equal(recipe.sources.length > 0, language !== "static");
        for (const { why } of recipe.sources) assert.notEqual(why, "");
      }
    }
  }
  assert.equal(findRecipe("node", "1", "x64"), undefined);
});

test("what Debian's archive may drop can also come from a registry", () => {
  for (const { language, version, sources } of allRecipes()) {
    const suites = sources.flatMap((source) =>
      source.kind === "debian" ? source.layers.flatMap(suitesNamed) : [],
    );
    const isPassing = suites.some((suite) => !["bookworm", "trixie"].includes(suite));
    if (isPassing)
      assert.ok(
        sources.some(({ kind }) => kind === "oci"),
        `${language} ${version}`,
      );
  }
});

test("languages of one suite share its root file system, and the versions of Node all but Node", () => {
  const bottoms = new Map<string, Set<string>>();
  for (const { sources } of allRecipes()) {
    for (const source of sources) {
      if (source.kind !== "debian") continue;
      const bottom = source.layers.at(-1);
      assert.ok(bottom?.kind === "bootstrap");
      bottoms.set(bottom.suite, (bottoms.get(bottom.suite) ?? new Set()).add(layerDigest(bottom, "x64")));
    }
  }
  for (const [suite, digests] of bottoms) assert.equal(digests.size, 1, suite);
  const shared = ["20", "22", "24"].map((version) => JSON.stringify(debianLayers("node", version).slice(1)));
  assert.equal(new Set(shared).size, 1);
  assert.deepEqual(
    debianLayers("node", "26")
      .filter(({ kind }) => kind !== "apt")
      .slice(1),
    debianLayers("node", "24").slice(1),
  );
});

test("packages of the registry are pinned by hash, each architecture's own", () => {
  for (const version of languageVersions.node) {
    const [x64, arm64] = architectures.map((architecture) => debianLayers("node", version, architecture));
    assert.notDeepEqual(x64?.[0], arm64?.[0]);
    for (const layer of [...(x64 ?? []), ...(arm64 ?? [])]) {
      if (layer.kind !== "npm") continue;
      for (const { integrity } of layer.packages) assert.match(integrity, /^sha512-[A-Za-z0-9+/]{86}==$/);
    }
  }
});

test("system packages are one layer for each set, above what dpkg knows of and below what comes from elsewhere", () => {
  const system = systemPackagesLayer(["zip", "git", "zip"], ["trixie"]);
  assert.ok(system !== null);
  assert.deepEqual(system, systemPackagesLayer(["git", "zip"], ["trixie"]));
  assert.equal(systemPackagesLayer([], ["trixie"]), null);
  const kinds = (language: Language, version: string) => {
    const layers = debianLayers(language, version);
    assert.deepEqual(suitesOf(layers), ["trixie"]);
    return withSystemPackages(layers, system).map((layer) => (layer === system ? "system" : layer.kind));
  };
  assert.deepEqual(kinds("node", "24"), ["npm", "npm", "system", "bootstrap"]);
  assert.deepEqual(kinds("java", "25"), ["system", "apt", "bootstrap"]);
});

function allRecipes(): Recipe[] {
  return languages.flatMap((language) =>
    languageVersions[language]
      .map((version) => findRecipe(language, version, "x64"))
      .filter((recipe) => recipe !== undefined),
  );
}

function debianLayers(
  language: Language,
  version: string,
  architecture: Architecture = "x64",
): readonly LayerRecipe[] {
  const source = findRecipe(language, version, architecture)?.sources.find(({ kind }) => kind === "debian");
  return source?.kind === "debian" ? source.layers : [];
}

function suitesNamed(layer: LayerRecipe): readonly string[] {
  if (layer.kind === "bootstrap") return [layer.suite];
  return layer.kind === "apt" ? (layer.suites ?? []) : [];
}
