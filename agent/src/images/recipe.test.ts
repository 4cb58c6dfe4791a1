import assert from "node:assert/strict";
import { test } from "node:test";
import { layerDigest, type BootstrapLayer } from "./recipe.ts";
import { findRecipe } from "./recipes.ts";

const base: BootstrapLayer = { kind: "bootstrap", revision: 1, suite: "trixie", packages: ["tzdata"], title: "Debian" };

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

test("the node recipes of both architectures share the base and pin a build of their own", () => {
  const layers = (["x64", "arm64"] as const).map((architecture) => findRecipe("node", "24", architecture)?.sources[0]?.layers ?? []);
  const [x64 = [], arm64 = []] = layers;
  assert.deepEqual(x64[1], arm64[1]);
  assert.notDeepEqual(x64[0], arm64[0]);
  for (const layer of [x64[0], arm64[0]]) {
    assert.ok(layer?.kind === "npm");
    for (const { integrity } of layer.packages) assert.match(integrity, /^sha512-[A-Za-z0-9+/]{86}==$/);
  }
});

test("static has an image of no layers, and a version without a recipe has none", () => {
  assert.deepEqual(findRecipe("static", "", "x64")?.sources, []);
  assert.equal(findRecipe("node", "1", "x64"), undefined);
  assert.equal(findRecipe("java", "21", "x64"), undefined);
});
