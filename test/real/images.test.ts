/** Images are built from the real archives, work as a root file system, and leave nothing behind when a build fails. */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { exec } from "../../agent/src/host/exec.ts";
import { createImageStore, type ImageStore } from "../../agent/src/images/image-store.ts";
import { IntegrityError } from "../../agent/src/images/npm-package.ts";
import type { NpmLayer, Recipe } from "../../agent/src/images/recipe.ts";

const silent = { info() {}, warn() {} };

describe("images from the real archives", { timeout: 600_000 }, () => {
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
      store.ensure("node", "24", { onProgress: (line) => lines.push(line) }),
      store.ensure("node", "24"),
    ]);
    context.diagnostic(`node 24 from scratch: ${seconds(startedAtMs)} s`);
    assert.deepEqual(first, second);
    assert.equal(first.layers.length, 2);
    assert.equal((await store.list()).length, 2);
    assert.match(lines.join("\n"), /Debian trixie is ready, \d+ MB \(\d+ s\)/);
    assert.match((await runIn(directory, first.layers, ["node", "-p", "process.version"])).trim(), /^v24\./);
    assert.match((await runIn(directory, first.layers, ["npm", "-v"])).trim(), /^11\./);
    assert.match((await runIn(directory, first.layers, ["npx", "-v"])).trim(), /^11\./);
    assert.match(
      await runIn(directory, first.layers, ["node", "-p", "new Date(0).toLocaleString('pt', { timeZone: 'America/Sao_Paulo' })"]),
      /1969/,
    );
  });

  test("node 22 shares the base layer of node 24", async (context) => {
    const startedAtMs = performance.now();
    const { layers } = await store.ensure("node", "22");
    context.diagnostic(`node 22 above a ready base: ${seconds(startedAtMs)} s`);
    assert.equal(layers[1], (await store.ensure("node", "24")).layers[1]);
    assert.match((await runIn(directory, layers, ["node", "-p", "process.version"])).trim(), /^v22\./);
  });

  test("python 3.13 has python, pip, venv and TLS", async (context) => {
    const startedAtMs = performance.now();
    const { layers } = await store.ensure("python", "3.13");
    context.diagnostic(`python 3.13 from scratch: ${seconds(startedAtMs)} s`);
    assert.match(await runIn(directory, layers, ["python", "-c", "import ssl, sqlite3, sys; print(sys.version)"]), /^3\.13\./);
    assert.match(await runIn(directory, layers, ["pip", "--version"]), /python 3\.13/);
    await runIn(directory, layers, ["python", "-m", "venv", "/tmp/venv"]);
  });

  test("every file belongs to root and no directory is open to others but the sticky ones", async (context) => {
    for (const layer of await store.list()) {
      context.diagnostic(`${layer.title}: ${Math.round(layer.sizeBytes / 1e6)} MB, built in ${(layer.buildMs / 1000).toFixed(1)} s`);
      const open = await exec(["find", layer.directory, "-type", "d", "-perm", "/022", "!", "-perm", "-1000", "-print"]);
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
    const [base] = (await store.ensure("node", "24")).layers.slice(1);
    assert.ok(base !== undefined);
    assert.equal(await readFile(join(base, "etc/resolv.conf"), "utf8"), "");
  });

  test("a layer that nothing uses is pruned, one in use stays", async () => {
    const { layers } = await store.ensure("node", "24");
    const before = await store.list();
    const removed = await store.prune(layers);
    assert.equal(removed.length, before.length - 2);
    assert.deepEqual((await store.list()).map((layer) => layer.directory).sort(), [...layers].sort());
  });

  test("a build whose process is killed stops writing and is collected at the next start", async () => {
    const imagesDirectory = join(directory, "killed");
    const source = new URL("../../agent/src/images/image-store.ts", import.meta.url).href;
    const script = `const { createImageStore } = await import(${JSON.stringify(source)});
      const store = await createImageStore({ imagesDirectory: ${JSON.stringify(imagesDirectory)}, logger: { info() {}, warn() {} } });
      await store.ensure("python", "3.13");`;
    const builder = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: "inherit" });
    await until(async () => {
      const [build] = await readdir(imagesDirectory).catch(() => []);
      return build !== undefined && (await readdir(join(imagesDirectory, build, "root/usr/bin")).catch(() => [])).length > 0;
    });
    assert.ok((await processesNaming(imagesDirectory)).length > 0);
    builder.kill("SIGKILL");
    await until(async () => (await processesNaming(imagesDirectory)).length === 0);
    assert.doesNotMatch(await readFile("/proc/self/mountinfo", "utf8"), new RegExp(imagesDirectory));

    await createImageStore({ imagesDirectory, logger: silent });
    assert.deepEqual(await readdir(imagesDirectory), []);
  });

  test("an aborted build ends with the reason and leaves nothing", async () => {
    const imagesDirectory = join(directory, "aborted");
    const aborted = await createImageStore({ imagesDirectory, logger: silent });
    const controller = new AbortController();
    const building = aborted.ensure("python", "3.13", { signal: controller.signal });
    building.catch(() => {});
    await until(async () => (await processesNaming(imagesDirectory)).length > 0);
    controller.abort(new Error("not wanted any more"));
    await assert.rejects(building, /not wanted any more/);
    assert.deepEqual(await readdir(imagesDirectory), []);
    assert.deepEqual(await processesNaming(imagesDirectory), []);
  });
});

describe("packages of a registry", { timeout: 60_000 }, () => {
  let directory: string;
  let registry: Server;
  let registryUrl: string;
  let tarball: Buffer;
  let served: Buffer;
  let integrity: string;
  let publishedIntegrity: string;

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), "tijolo-registry-"));
    await mkdir(join(directory, "package/bin"), { recursive: true });
    await writeFile(join(directory, "package/bin/tool"), "#!/bin/sh\n", { mode: 0o777 });
    await exec(["tar", "--create", "--gzip", "--file=good.tgz", "package"], { cwd: directory });
    tarball = await readFile(join(directory, "good.tgz"));
    integrity = integrityOf(tarball);
    registry = createServer((request, response) => {
      if (request.url?.endsWith(".tgz")) return void response.end(served);
      response.end(JSON.stringify({ dist: { tarball: `${registryUrl}tool.tgz`, integrity: publishedIntegrity } }));
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
    const findRecipe = (): Recipe => ({ language: "node", version: "24", sources: [{ kind: "debian", layers: [toolLayer(integrity)] }] });
    return { imagesDirectory, store: await createImageStore({ imagesDirectory, logger: silent, npmRegistry: registryUrl, findRecipe }) };
  }

  test("a package with the pinned hash is placed, and not writable by others", async () => {
    served = tarball;
    publishedIntegrity = integrity;
    const { store } = await storeNamed("good");
    const { layers } = await store.ensure("node", "24");
    const tool = await stat(join(layers[0] ?? "", "usr/local/bin/tool"));
    assert.equal(tool.mode & 0o777, 0o755);
  });

  test("a tarball with one changed byte is refused and nothing is left", async () => {
    served = Buffer.from(tarball);
    served.writeUInt8(served.readUInt8(20) ^ 1, 20);
    publishedIntegrity = integrity;
    const { store, imagesDirectory } = await storeNamed("tampered");
    await assert.rejects(store.ensure("node", "24"), IntegrityError);
    assert.deepEqual(await readdir(imagesDirectory), []);
  });

  test("a registry that publishes another hash than the pinned one is refused before its tarball is fetched", async () => {
    served = Buffer.from("another package");
    publishedIntegrity = integrityOf(served);
    const { store, imagesDirectory } = await storeNamed("republished");
    await assert.rejects(store.ensure("node", "24"), /registry's entry of tool 1\.0\.0/);
    assert.deepEqual(await readdir(imagesDirectory), []);
  });

  test("a tarball that names a path outside is refused although its hash is the pinned one", async () => {
    await exec(
      ["tar", "--create", "--gzip", "--absolute-names", "--transform=s,package/bin/tool,package/../../evil,", "--file=evil.tgz", "package"],
      { cwd: directory },
    );
    served = await readFile(join(directory, "evil.tgz"));
    assert.match((await exec(["tar", "--list", "--file=evil.tgz"], { cwd: directory })).stdout, /\.\.\/\.\.\/evil/);
    const goodIntegrity = integrity;
    integrity = publishedIntegrity = integrityOf(served);
    const { store, imagesDirectory } = await storeNamed("evil");
    await assert.rejects(store.ensure("node", "24"), /path outside/);
    assert.deepEqual(await readdir(imagesDirectory), []);
    integrity = goodIntegrity;
  });
});

function toolLayer(integrity: string): NpmLayer {
  return {
    kind: "npm",
    revision: 1,
    packages: [{ name: "tool", version: "1.0.0", integrity, place: [{ from: "bin/tool", to: "usr/local/bin/tool" }] }],
    links: [],
    title: "a tool",
  };
}

function integrityOf(content: Buffer): string {
  return `sha512-${createHash("sha512").update(content).digest("base64")}`;
}

/** Runs a command in the image, writable for the time of the command, without any isolation. */
async function runIn(directory: string, layers: string[], argv: string[]): Promise<string> {
  const writable = await mkdtemp(join(directory, "run-"));
  const mountAndRun = `set -e; mkdir "$1/upper" "$1/work" "$1/root"
    mount -t overlay overlay -o "lowerdir=$2,upperdir=$1/upper,workdir=$1/work" "$1/root"
    mount --rbind /dev "$1/root/dev"
    root=$1/root; shift 2; exec chroot "$root" "$@"`;
  const result = await exec(["unshare", "--mount", "sh", "-c", mountAndRun, "sh", writable, layers.join(":"), ...argv], {
    env: { PATH: "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", HOME: "/root" },
  });
  return result.stdout;
}

async function processesNaming(text: string): Promise<string[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name) && name !== String(process.pid));
  const lines = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")));
  return lines.filter((line) => line.includes(text));
}

function seconds(sinceMs: number): string {
  return ((performance.now() - sinceMs) / 1000).toFixed(1);
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  const deadlineMs = performance.now() + 60_000;
  while (!(await condition())) {
    assert.ok(performance.now() < deadlineMs, "the condition did not come true within 60 s");
    await delay(20);
  }
}
