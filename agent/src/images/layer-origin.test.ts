import assert from "node:assert/strict";
import { test } from "node:test";
import { imageVersions } from "@tijolo/protocol";
import { originOfLayer, originOfSource } from "./layer-origin.ts";
import { overriddenRecipe } from "./overridden-recipe.ts";
import type { ImageSource } from "./recipe.ts";
import { findRecipe } from "./recipes/find-recipe.ts";

test("a stored layer is told by what it was made from, whatever its manifest holds", () => {
  const recipe = findRecipe("node", "24", "x64");
  const debian = recipe?.sources.find(
    (source): source is Extract<ImageSource, { kind: "debian" }> => source.kind === "debian",
  );
  const told = debian?.layers.map((layer) => originOfLayer({ title: layer.title, recipe: layer })) ?? [];
  assert.deepEqual([...new Set(told.map(({ source }) => source))].sort(), ["debian", "npm"]);
  assert.ok(told.some(({ origin }) => origin === "Debian trixie"));
  const own = { kind: "apt", suites: null, packages: ["git"] };
  assert.deepEqual(originOfLayer({ title: "t", recipe: own }), {
    source: "debian",
    origin: "the image's own sources",
  });
  for (const recipe of [{ kind: "oci", diffId: "sha256:1" }, { kind: "later" }, null, "text"]) {
    assert.deepEqual(originOfLayer({ title: "Layer of a/b:c", recipe }), { source: "oci", origin: "a/b:c" });
  }
});

test("each source of each recipe says where from, and why", () => {
  for (const { language, version } of imageVersions) {
    const sources = findRecipe(language, version, "x64")?.sources.map(originOfSource) ?? [];
    assert.ok(sources.length > 0, `${language} ${version}`);
    for (const { origin, why } of sources) assert.ok(origin !== "" && why !== "", `${language} ${version}`);
  }
});

test("an operator's image takes the place of all sources of its language version, and of no other", () => {
  const overrides = [{ language: "ruby", version: "4.0", reference: "registry.example/ruby:4.0" } as const];
  let known: typeof overrides = [];
  const find = overriddenRecipe(() => known);
  assert.deepEqual(find("ruby", "4.0", "x64"), findRecipe("ruby", "4.0", "x64"));
  known = overrides;
  assert.deepEqual(
    find("ruby", "4.0", "x64")?.sources.map((source) => [
      source.kind,
      source.kind === "oci" && source.reference,
      source.kind === "oci" && source.packages,
    ]),
    [["oci", "registry.example/ruby:4.0", []]],
  );
  assert.deepEqual(find("ruby", "3.4", "x64"), findRecipe("ruby", "3.4", "x64"));
});
