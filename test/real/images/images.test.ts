/**
 * Images are built from the real archives, work as a root file system, and leave nothing behind when a build
 * fails.
 */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, readlink, rm, stat, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { exec } from "../../../agent/src/host/exec.ts";
import { findHostArchive } from "../../../agent/src/images/host-archive.ts";
import { createImageStore, type ImageStore } from "../../../agent/src/images/image-store.ts";
import { keepImages } from "../support/images/kept-images.ts";
import { runInImage, runScriptInImage } from "../support/images/run-in-image.ts";

const silent = { info() {}, warn() {} };

describe("images from the real archives", { timeout: 1_800_000 }, () => {
  let directory: string;
  let store: ImageStore;

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), "tijolo-images-"));
    store = await createImageStore({ imagesDirectory: join(directory, "images"), logger: silent, keepMs: 0 });
  });
  after(async () => {
    await store.close();
    await rm(directory, { recursive: true, force: true });
  });

  test("two callers of node 24 build it once, and node, npm and npx run in it", async (context) => {
    const lines: string[] = [];
    const startedAtMs = performance.now();
    const [first, second] = await Promise.all([
      store.ensure(
        { language: "node", version: "24", systemPackages: [] },
        { onProgress: (line) => lines.push(line) },
      ),
      store.ensure({ language: "node", version: "24", systemPackages: [] }),
    ]);
    context.diagnostic(`node 24 from scratch: ${seconds(startedAtMs)} s`);
    assert.deepEqual(first, second);
    assert.equal((await store.list()).length, first.layers.length);
    assert.match(lines.join("\n"), /Debian trixie is ready, \d+ MB \(\d+ s\)/);
    assert.match(
      (await runInImage(directory, first.layers, ["node", "-p", "process.version"])).trim(),
      /^v24\./,
    );
    assert.match((await runInImage(directory, first.layers, ["npm", "-v"])).trim(), /^11\./);
    assert.match((await runInImage(directory, first.layers, ["npx", "-v"])).trim(), /^11\./);
    assert.match(
      await runInImage(directory, first.layers, [
        "node",
        "-p",
        "new Date(0).toLocaleString('pt', { timeZone: 'America/Sao_Paulo' })",
      ]),
      /1969/,
    );
  });

  test("node 22 shares all but Node itself with node 24", async (context) => {
    const startedAtMs = performance.now();
    const { layers } = await store.ensure({ language: "node", version: "22", systemPackages: [] });
    context.diagnostic(`node 22 above a ready base: ${seconds(startedAtMs)} s`);
    assert.deepEqual(
      layers.slice(1),
      (await store.ensure({ language: "node", version: "24", systemPackages: [] })).layers.slice(1),
    );
    assert.match((await runInImage(directory, layers, ["node", "-p", "process.version"])).trim(), /^v22\./);
  });

  test("a set of system packages is one layer, in whatever order, and the versions of Node share it", async (context) => {
    const startedAtMs = performance.now();
    const { layers } = await store.ensure({
      language: "node",
      version: "24",
      systemPackages: ["zip", "unzip"],
    });
    context.diagnostic(`zip and unzip above a ready base: ${seconds(startedAtMs)} s`);
    assert.deepEqual(
      await store.ensure({ language: "node", version: "24", systemPackages: ["unzip", "zip"] }),
      {
        layers,
        environment: {},
      },
    );
    const other = await store.ensure({ language: "node", version: "22", systemPackages: ["unzip", "zip"] });
    assert.deepEqual(other.layers.slice(1), layers.slice(1));
    const script = "echo text > a; zip -q a.zip a; rm a; unzip -q a.zip; cat a; dpkg --audit";
    assert.equal(await runScriptInImage(directory, layers, `cd /tmp; ${script}`), "text\n");
    const system = layers.find((layer) => existsSync(join(layer, "usr/bin/zip")));
    assert.ok(system !== undefined);
    const names = (await exec(["find", system, "-type", "f", "-printf", "%P\n"])).stdout.split("\n");
    assert.ok(names.includes("var/lib/dpkg/status"));
    assert.deepEqual(
      names.filter((name) =>
        /^(dev|proc|run|tmp|var\/log|var\/cache\/apt|var\/lib\/apt|etc\/resolv.conf|usr\/sbin\/policy)/.test(
          name,
        ),
      ),
      [],
    );
  });

  test("every file belongs to root and no directory is open to others but the sticky ones", async (context) => {
    for (const layer of await store.list()) {
      context.diagnostic(
        `${layer.title}: ${Math.round(layer.sizeBytes / 1e6)} MB, built in ${(layer.buildMs / 1000).toFixed(1)} s`,
      );
      const open = await exec([
        "find",
        layer.directory,
        "-type",
        "d",
        "-perm",
        "/022",
        "!",
        "-perm",
        "-1000",
        "-print",
      ]);
      assert.equal(open.stdout.replace(/.*\/var\/(local|mail)\n/g, ""), "");
      const highIds = await exec([
        "find",
        layer.directory,
        "(",
        "-uid",
        "+65535",
        "-o",
        "-gid",
        "+65535",
        "-o",
        "-type",
        "b",
        "-o",
        "-type",
        "c",
        ")",
      ]);
      assert.equal(highIds.stdout, "");
      assert.equal((await stat(layer.directory)).mode & 0o777, 0o755);
    }
    const base = (await store.ensure({ language: "node", version: "24", systemPackages: [] })).layers.at(-1);
    assert.ok(base !== undefined);
    assert.equal(await readFile(join(base, "etc/resolv.conf"), "utf8"), "");
  });

  test("a layer that nothing uses is pruned, one in use stays", async () => {
    await keepImages(store); // for the clusters of other tests
    const { layers } = await store.ensure({ language: "node", version: "24", systemPackages: [] });
    const before = await store.list();
    const removed = await store.prune(layers);
    assert.equal(removed.length, before.length - layers.length);
    assert.deepEqual((await store.list()).map((layer) => layer.directory).sort(), [...layers].sort());
  });

  test("a build whose process is killed stops writing and is collected at the next start", async () => {
    const imagesDirectory = join(directory, "killed");
    const source = new URL("../../../agent/src/images/image-store.ts", import.meta.url).href;
    const script = `const { createImageStore } = await import(${JSON.stringify(source)});
      const store = await createImageStore({ imagesDirectory: ${JSON.stringify(imagesDirectory)}, logger: { info() {}, warn() {} } });
      await store.ensure({ language: "python", version: "3.13", systemPackages: [] });`;
    const builder = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: "inherit" });
    await until(async () => {
      const [build] = await readdir(imagesDirectory).catch(() => []);
      return (
        build !== undefined &&
        (await readdir(join(imagesDirectory, build, "root/usr/bin")).catch(() => [])).length > 0
      );
    });
    assert.ok((await processesNaming(imagesDirectory)).length > 0);
    builder.kill("SIGKILL");
    await until(async () => (await processesNaming(imagesDirectory)).length === 0);
    assert.doesNotMatch(await readFile("/proc/self/mountinfo", "utf8"), new RegExp(imagesDirectory));

    await createImageStore({ imagesDirectory, logger: silent });
    assert.deepEqual(await readdir(imagesDirectory), []);
  });

  test("system packages whose agent is killed are installed no further, and leave no mount", async () => {
    const base =
      (await store.ensure({ language: "node", version: "24", systemPackages: [] })).layers.at(-1) ?? "";
    const imagesDirectory = join(directory, "killed-packages");
    await mkdir(imagesDirectory);
    await symlink(join(base, ".."), join(imagesDirectory, basename(join(base, ".."))));
    const source = new URL("../../../agent/src/images/layer-store.ts", import.meta.url).href;
    const script = `const { LayerStore } = await import(${JSON.stringify(source)});
      const store = new LayerStore({ imagesDirectory: ${JSON.stringify(imagesDirectory)}, architecture: process.arch, logger: { info() {} },
        debianArchive: async () => (${JSON.stringify(await findHostArchive())}), debianIndexAgeDays: null, npmRegistry: async () => "", keepMs: 0, now: () => new Date(),
        randomName: () => "test" });
      const layer = { kind: "apt", revision: 1, suites: ["trixie"], packages: ["build-essential"], links: [], title: "a compiler" };
      await store.ensure([layer], {}, { roots: [${JSON.stringify(base)}], digests: ["base"] });`;
    const builder = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: "inherit" });
    await until(async () =>
      (await processesNaming(imagesDirectory)).some((line) => line.includes("\0install\0")),
    );
    builder.kill("SIGKILL");
    await until(async () => (await processesNaming(imagesDirectory)).length === 0);
    assert.doesNotMatch(await readFile("/proc/self/mountinfo", "utf8"), new RegExp(imagesDirectory));
    await createImageStore({ imagesDirectory, logger: silent });
    assert.equal((await readdir(imagesDirectory)).length, 1);
  });

  test("an aborted build ends with the reason and leaves nothing", async () => {
    const imagesDirectory = join(directory, "aborted");
    const aborted = await createImageStore({ imagesDirectory, logger: silent });
    const controller = new AbortController();
    const building = aborted.ensure(
      { language: "python", version: "3.13", systemPackages: [] },
      { signal: controller.signal },
    );
    building.catch(() => {});
    await until(async () => (await processesNaming(imagesDirectory)).length > 0);
    controller.abort(new Error("not wanted any more"));
    await assert.rejects(building, /not wanted any more/);
    assert.deepEqual(await readdir(imagesDirectory), []);
    assert.deepEqual(await processesNaming(imagesDirectory), []);
  });
});

/** Returns the processes that name the text in their arguments or their root. */
async function processesNaming(text: string): Promise<string[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name) && name !== String(process.pid));
  const lines = await Promise.all(
    pids.map(async (pid) => {
      const root = await readlink(`/proc/${pid}/root`).catch(() => "");
      return `${await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")} ${root}`;
    }),
  );
  return lines.filter((line) => line.includes(text));
}

function seconds(sinceMs: number): string {
  return ((performance.now() - sinceMs) / 1000).toFixed(1);
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  const deadlineMs = performance.now() + 180_000;
  while (!(await condition())) {
    assert.ok(performance.now() < deadlineMs, "the condition did not come true within 180 s");
    // Reading what all processes of the machine are costs some 15 ms.
    await delay(100);
  }
}
