/**
 * Packages of an npm registry become a layer only as they are pinned, and once for all processes that want
 * it.
 */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { exec } from "../../../agent/src/host/exec.ts";
import { createImageStore, type ImageStore } from "../../../agent/src/images/image-store.ts";
import { IntegrityError } from "../../../agent/src/images/npm-package.ts";
import type { NpmLayer, Recipe } from "../../../agent/src/images/recipe.ts";
import { until } from "../../support/until.ts";

const silent = { info() {}, warn() {} };

describe("packages of a registry", { timeout: 600_000 }, () => {
  let directory: string;
  let registry: Server;
  let registryUrl: string;
  let tarball: Buffer;
  let served: Buffer;
  let integrity: string;
  let publishedIntegrity: string;
  let fetches = 0;
  /** Tarballs are sent only then. */
  let mayBeFetched = Promise.resolve();

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), "tijolo-registry-"));
    await mkdir(join(directory, "package/bin"), { recursive: true });
    await writeFile(join(directory, "package/bin/tool"), "#!/bin/sh\n", { mode: 0o777 });
    await exec(["tar", "--create", "--gzip", "--file=good.tgz", "package"], { cwd: directory });
    tarball = await readFile(join(directory, "good.tgz"));
    integrity = integrityOf(tarball);
    registry = createServer((request, response) => {
      if (request.url?.endsWith(".tgz")) {
        fetches++;
        return void mayBeFetched.then(() => response.end(served));
      }
      response.end(
        JSON.stringify({ dist: { tarball: `${registryUrl}tool.tgz`, integrity: publishedIntegrity } }),
      );
    });
    await new Promise<void>((resolve) => registry.listen(0, "127.0.0.1", resolve));
    const address = registry.address();
    assert.ok(address !== null && typeof address === "object");
    registryUrl = `http://127.0.0.1:${address.port}/`;
  });
  after(async () => {
    registry.close();
    await rm(directory, { recursive: true, force: true });
  });

  async function storeNamed(name: string): Promise<{ store: ImageStore; imagesDirectory: string }> {
    const imagesDirectory = join(directory, name);
    const findRecipe = (): Recipe => ({
      language: "node",
      version: "24",
      sources: [{ kind: "debian", why: "", layers: [toolLayer(integrity)] }],
    });
    return {
      imagesDirectory,
      store: await createImageStore({
        imagesDirectory,
        logger: silent,
        npmRegistry: registryUrl,
        findRecipe,
      }),
    };
  }

  test("a package with the pinned hash is placed, and not writable by others", async () => {
    served = tarball;
    publishedIntegrity = integrity;
    const { store } = await storeNamed("good");
    const { layers } = await store.ensure({ language: "node", version: "24", systemPackages: [] });
    const tool = await stat(join(layers[0] ?? "", "usr/local/bin/tool"));
    assert.equal(tool.mode & 0o777, 0o755);
  });

  /** A process of its own that makes the same layer in the same directory, as far as the registry lets it. */
  async function buildElsewhere(imagesDirectory: string) {
    const fetched = fetches;
    const source = new URL("../../../agent/src/images/image-store.ts", import.meta.url).href;
    const recipe = {
      language: "node",
      version: "24",
      sources: [{ kind: "debian", why: "", layers: [toolLayer(integrity)] }],
    };
    const script = `const { createImageStore } = await import(${JSON.stringify(source)});
      const store = await createImageStore({ imagesDirectory: ${JSON.stringify(imagesDirectory)}, logger: { info() {}, warn() {} },
        npmRegistry: ${JSON.stringify(registryUrl)}, findRecipe: () => (${JSON.stringify(recipe)}) });
      await store.ensure({ language: "node", version: "24", systemPackages: [] });`;
    const builder = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: "inherit" });
    await until(async () => fetches > fetched);
    return builder;
  }

  for (const fate of ["is waited for, and not made twice", "is made here once that process is killed"]) {
    test(`a layer that another process is making ${fate}`, async () => {
      served = tarball;
      publishedIntegrity = integrity;
      const held = Promise.withResolvers<void>();
      mayBeFetched = held.promise;
      const { store, imagesDirectory } = await storeNamed(fate.replaceAll(" ", "-"));
      const fetchedBefore = fetches;
      const builder = await buildElsewhere(imagesDirectory);
      const ended = once(builder, "exit");
      const lines: string[] = [];
      const building = store.ensure(
        { language: "node", version: "24", systemPackages: [] },
        { onProgress: (line) => lines.push(line) },
      );
      await until(async () => lines.includes("Another process is making a tool"));
      const isKilled = fate.includes("killed");
      if (isKilled) builder.kill("SIGKILL");
      else held.resolve();
      await until(async () => !isKilled || fetches - fetchedBefore === 2);
      held.resolve();
      const { layers } = await building;
      assert.ok(existsSync(join(layers[0] ?? "", "usr/local/bin/tool")));
      assert.deepEqual(await ended, isKilled ? [null, "SIGKILL"] : [0, null]);
      assert.equal(fetches - fetchedBefore, isKilled ? 2 : 1);
      assert.equal((await readdir(imagesDirectory)).filter((name) => !name.startsWith(".")).length, 1);
    });
  }

  test("a tarball with one changed byte is refused and nothing is left", async () => {
    served = Buffer.from(tarball);
    served.writeUInt8(served.readUInt8(20) ^ 1, 20);
    publishedIntegrity = integrity;
    const { store, imagesDirectory } = await storeNamed("tampered");
    await assert.rejects(
      store.ensure({ language: "node", version: "24", systemPackages: [] }),
      IntegrityError,
    );
    assert.deepEqual(await readdir(imagesDirectory), []);
  });

  test("a registry that publishes another hash than the pinned one is refused before its tarball is fetched", async () => {
    served = Buffer.from("another package");
    publishedIntegrity = integrityOf(served);
    const { store, imagesDirectory } = await storeNamed("republished");
    await assert.rejects(
      store.ensure({ language: "node", version: "24", systemPackages: [] }),
      /registry's entry of tool 1\.0\.0/,
    );
    assert.deepEqual(await readdir(imagesDirectory), []);
  });

  test("a tarball that names a path outside is refused although its hash is the pinned one", async () => {
    await exec(
      [
        "tar",
        "--create",
        "--gzip",
        "--absolute-names",
        "--transform=s,package/bin/tool,package/../../evil,",
        "--file=evil.tgz",
        "package",
      ],
      { cwd: directory },
    );
    served = await readFile(join(directory, "evil.tgz"));
    assert.match(
      (await exec(["tar", "--list", "--file=evil.tgz"], { cwd: directory })).stdout,
      /\.\.\/\.\.\/evil/,
    );
    const goodIntegrity = integrity;
    integrity = publishedIntegrity = integrityOf(served);
    const { store, imagesDirectory } = await storeNamed("evil");
    await assert.rejects(
      store.ensure({ language: "node", version: "24", systemPackages: [] }),
      /path outside/,
    );
    assert.deepEqual(await readdir(imagesDirectory), []);
    integrity = goodIntegrity;
  });
});

function toolLayer(integrity: string): NpmLayer {
  return {
    kind: "npm",
    revision: 1,
    packages: [
      { name: "tool", version: "1.0.0", integrity, place: [{ from: "bin/tool", to: "usr/local/bin/tool" }] },
    ],
    links: [],
    title: "a tool",
  };
}

function integrityOf(content: Buffer): string {
  return `sha512-${createHash("sha512").update(content).digest("base64")}`;
}
