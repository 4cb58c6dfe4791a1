import assert from "node:assert/strict";
import { test } from "node:test";
import { findHostNpmRegistry } from "./npm-package.ts";

const { PATH } = process.env;

test("the registry is the one that npm on this host is set to", async () => {
  const environment = { PATH, npm_config_registry: "https://registry.example/npm" };
  assert.equal(await findHostNpmRegistry(environment), "https://registry.example/npm/");
});

test("without an npm the operator is told which setting says it", async () => {
  await assert.rejects(findHostNpmRegistry({ PATH: import.meta.dirname }), /TIJOLO_NPM_REGISTRY/);
});
