/**
 * Tests a project's container that runs from an image of a registry: its files, its whiteouts and its
 * environment, by way of the image store.
 */

import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { exec } from "../../../agent/src/host/exec.ts";
import { createImageStore } from "../../../agent/src/images/image-store.ts";
import { pulledImage } from "../../../agent/src/images/oci/open-registries.ts";
import { ContainerHost } from "../support/host/container-host.ts";
import { archiveOf, ImagePusher } from "../support/images/docker-registry-image.ts";
import { DockerRegistry } from "../support/images/docker-registry.ts";
import { OciHost } from "../support/images/oci-host.ts";

test(
  "a container of a pulled image runs, and starts again when the registry is gone",
  { timeout: 300_000 },
  async () => {
    const directory = await mkdtemp(join(tmpdir(), "tijolo-registry-"));
    await using containers = await ContainerHost.create();
    await using host = await OciHost.create();
    try {
      const registry = await DockerRegistry.start(join(directory, "registry"));
      await using _stop = registry;
      const [root] = (await containers.request("true")).imageLayers;
      assert.ok(root !== undefined);
      const base = join(directory, "base.tar");
      await exec(
        [
          "tar",
          "--create",
          "--numeric-owner",
          `--file=${base}`,
          `--directory=${root}`,
          "--exclude=./dev/*",
          ".",
        ],
        {
          timeoutMs: 120_000,
        },
      );
      const layers = [await readFile(base), await makeChanges(directory)].map((archive) => ({
        archive,
        compression: "zstd" as const,
      }));
      await new ImagePusher(registry.host, "team/site").push("v1", layers, {
        config: { Env: ["PATH=/opt/bin:/usr/bin:/bin", "GREETING=olá"] },
      });

      const reference = `${registry.host}/team/site:v1`;
      const open = async () => {
        const registries = await host.open({ keepMs: 0 });
        return createImageStore({
          imagesDirectory: host.imagesDirectory,
          logger: { info() {}, warn() {} },
          pullImage: (name, waiter) => pulledImage(registries, name, waiter),
          findKeptLayers: () => registries.rootsInUse(),
          findRecipe: (language, version) => ({
            language,
            version,
            sources: [{ kind: "oci", reference, packages: [], why: "it is what the test is about" }],
          }),
          keepMs: 0,
        });
      };
      const request = { language: "ruby", version: "4.0", systemPackages: [] } as const;
      const store = await open();
      const image = await store.ensure(request);
      assert.equal(image.layers.length, 2);
      assert.equal(image.environment.GREETING, "olá");
      assert.deepEqual((await store.list()).map((layer) => layer.directory).sort(), [...image.layers].sort());

      await registry[Symbol.asyncDispose]();
      const offline = await open();
      assert.deepEqual(await offline.ensure(request), image);
      const script = "greet; test ! -e /etc/debian_version && echo hidden; ls /etc/apt";
      const result = await containers.run(script, {
        imageLayers: image.layers,
        environment: image.environment,
      });
      assert.equal(result.code, 0, result.stderr.join("\n"));
      assert.deepEqual(result.stdout, ["olá from the image", "hidden", "only-this"]);

      assert.deepEqual(await offline.prune(image.layers), [], "what a project uses stays");
      assert.equal((await offline.prune([])).length, 2);
      await assert.rejects((await open()).ensure(request), { kind: "unreachable" });
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  },
);

/** Makes a layer with a program, a hidden file of the base, and an emptied directory of the base. */
async function makeChanges(directory: string): Promise<Buffer> {
  const changes = join(directory, "changes");
  for (const name of ["opt/bin", "etc/apt"]) await mkdir(join(changes, name), { recursive: true });
  await writeFile(join(changes, "opt/bin/greet"), '#!/bin/sh\necho "$GREETING from the image"\n', {
    mode: 0o755,
  });
  for (const name of ["etc/.wh.debian_version", "etc/apt/.wh..wh..opq", "etc/apt/only-this"])
    await writeFile(join(changes, name), "");
  return archiveOf(changes);
}
