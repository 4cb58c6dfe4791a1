import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { defaultUrl } from "registry-url";
import { findHostNpmRegistry } from "./npm-package.ts";

const { PATH } = process.env;

test("the registry is the one that npm on this host is set to", async () => {
  const environment = { PATH, npm_config_registry: "https://registry.example/npm" };
  assert.equal(await findHostNpmRegistry(environment), "https://registry.example/npm/");
});

test("without an npm it is the one that npm uses by itself", async () => {
  assert.equal(await findHostNpmRegistry({ PATH: import.meta.dirname }), defaultUrl);
});

test("where npm does not answer, the operator is told which setting says it", async (t) => {
  const directory = await mkdtemp(join(tmpdir(), "tijolo-npm-"));
  t.after(() => rm(directory, { recursive: true }));
  await writeFile(join(directory, "npm"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
  await assert.rejects(findHostNpmRegistry({ PATH: directory }), /TIJOLO_NPM_REGISTRY/);
});
