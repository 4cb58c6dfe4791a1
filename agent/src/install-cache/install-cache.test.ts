import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { chownSync, existsSync, lstatSync, readdirSync, readlinkSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { defaultBounds, InstallCache, type InstallCacheBounds } from "./install-cache.ts";
import { openSourceTree } from "../versions/source-tree.ts";
import { stepKey } from "./step-key.ts";
import { hasWrittenHome } from "./written-home.ts";

const never = new AbortController().signal;
const keyOf = (digit: string) => digit.repeat(64);

async function setUp(t: TestContext, bounds: Partial<InstallCacheBounds> = {}) {
  const home = await mkdtemp(join(tmpdir(), "tijolo-install-cache-"));
  t.after(() => rm(home, { recursive: true, force: true }));
  const directory = join(home, "installs");
  const clock = { at: Date.parse("2026-01-01"), now: () => clock.at };
  const inUse = new Set<string>();
  const accounts = new Set(["acc_1", "acc_2"]);
  const told: string[] = [];
  const logger = { info: () => {}, warn: (...words: unknown[]) => void told.push(String(words[1])) };
  const open = (bootId = "a boot") =>
    InstallCache.create({
      directory,
      bounds: { ...defaultBounds, freeBytes: 0, ...bounds },
      inUse: () => inUse,
      accounts: () => accounts,
      clock,
      bootId,
      logger,
    });
  async function makeLayer(name: string, bytes = 10): Promise<string> {
    const layer = join(home, name);
    await mkdir(join(layer, "modules"), { recursive: true });
    await writeFile(join(layer, "modules", "a.js"), Buffer.alloc(bytes, "x"));
    return layer;
  }
  return { directory, clock, inUse, accounts, told, logger, open, makeLayer };
}

test("a kept layer is a copy with the same files, owned by root, found by its account and key alone", async (t) => {
  const { open, makeLayer } = await setUp(t);
  const cache = await open();
  const layer = await makeLayer("layer");
  await symlink("../../etc/passwd", join(layer, "modules", "link"));
  execFileSync("mknod", [join(layer, "modules", "whiteout"), "c", "0", "0"]);
  for (const path of [layer, join(layer, "modules"), join(layer, "modules", "a.js")])
    chownSync(path, 1_000_000, 1_000_000);
  const kept = await cache.keep("acc_1", keyOf("a"), layer, never);
  assert.ok(kept !== undefined && kept.uidBase === 0);
  await rm(layer, { recursive: true });
  assert.equal(await readFile(join(kept.directory, "modules", "a.js"), "utf8"), "x".repeat(10));
  assert.equal(readlinkSync(join(kept.directory, "modules", "link")), "../../etc/passwd");
  assert.ok(lstatSync(join(kept.directory, "modules", "whiteout")).isCharacterDevice());
  assert.deepEqual(
    [lstatSync(join(kept.directory, "modules", "a.js")).uid, lstatSync(kept.directory).gid],
    [0, 0],
  );
  assert.deepEqual(await cache.find("acc_1", keyOf("a")), kept);
  assert.equal(await cache.find("acc_2", keyOf("a")), undefined);
  assert.equal(await cache.find("acc_1", keyOf("b")), undefined);
  await assert.rejects(cache.find("../x", keyOf("a")), /not a name/);
});

test("the longest unused go first when an account has too much, those in use never", async (t) => {
  const { clock, inUse, open, makeLayer } = await setUp(t, { accountBytes: 375_000, layerBytes: 225_000 });
  const cache = await open();
  for (const digit of ["a", "b"]) {
    assert.ok(await cache.keep("acc_1", keyOf(digit), await makeLayer(digit, 100_000), never));
    clock.at += 3_600_000;
  }
  const used = await cache.find("acc_1", keyOf("a"));
  assert.ok(used);
  clock.at += 3_600_000;
  assert.ok(await cache.keep("acc_1", keyOf("c"), await makeLayer("c", 100_000), never));
  assert.deepEqual(await found(cache, "abc"), ["a", "c"], "b was asked for longest ago");
  clock.at += 3_600_000;
  inUse.add(used.directory);
  assert.ok(await cache.keep("acc_1", keyOf("d"), await makeLayer("d", 150_000), never));
  assert.deepEqual(await found(cache, "acd"), ["a", "d"]);
  assert.equal(
    await cache.keep("acc_1", keyOf("e"), await makeLayer("e", 100_000), never),
    undefined,
    "there is no room to make",
  );
  assert.equal(
    await cache.keep("acc_2", keyOf("f"), await makeLayer("f", 250_000), never),
    undefined,
    "one layer is too large",
  );
  assert.equal((await cache.list()).length, 2);
});

test("what nobody asks for in a month is collected, and what an account had that is gone", async (t) => {
  const { directory, clock, accounts, open, makeLayer } = await setUp(t);
  const cache = await open();
  await cache.keep("acc_1", keyOf("a"), await makeLayer("a"), never);
  clock.at += 29 * 24 * 3_600_000;
  await cache.collect();
  assert.ok(existsSync(join(directory, "acc_1", keyOf("a"))));
  clock.at += 2 * 24 * 3_600_000;
  await cache.collect();
  assert.deepEqual(readdirSync(join(directory, "acc_1")), []);

  await cache.keep("acc_2", keyOf("b"), await makeLayer("b"), never);
  accounts.delete("acc_2");
  await cache.collect();
  assert.deepEqual(readdirSync(join(directory, "acc_2")), [keyOf("b")], "an install may just be taking it");
  clock.at += 2 * 3_600_000;
  await cache.collect();
  assert.deepEqual(readdirSync(directory), ["acc_1"]);
});

test("a disk that fills up gets its room back, except what is in use", async (t) => {
  const { clock, inUse, open, makeLayer } = await setUp(t, { freeBytes: 2 ** 60 });
  const cache = await open();
  assert.equal(
    await cache.keep("acc_1", keyOf("a"), await makeLayer("a"), never),
    undefined,
    "there is no such room",
  );
  const roomy = await setUp(t);
  const first = await (await roomy.open()).keep("acc_1", keyOf("a"), await roomy.makeLayer("a"), never);
  await (await roomy.open()).keep("acc_1", keyOf("b"), await roomy.makeLayer("b"), never);
  assert.ok(first);
  inUse.add(first.directory);
  clock.at += 2 * 3_600_000;
  const full = await InstallCache.create({
    directory: roomy.directory,
    bounds: { ...defaultBounds, freeBytes: 2 ** 60 },
    inUse: () => inUse,
    accounts: () => new Set(["acc_1"]),
    clock,
    bootId: "a boot",
    logger: roomy.logger,
  });
  await full.collect();
  assert.deepEqual(await found(full, "ab"), ["a"]);
});

test("many small files count as what they cost", async (t) => {
  const { open, makeLayer } = await setUp(t, { layerBytes: 1_000_000 });
  const cache = await open();
  const layer = await makeLayer("a", 0);
  for (let count = 0; count < 200; count += 1) await writeFile(join(layer, `empty-${count}`), "");
  assert.equal(await cache.keep("acc_1", keyOf("a"), layer, never), undefined);
});

test("a copy that was cut short is not found, and gone with the next start", async (t) => {
  const { directory, open, makeLayer } = await setUp(t);
  const cache = await open();
  const layer = await makeLayer("a");
  await assert.rejects(
    cache.keep("acc_1", keyOf("a"), layer, AbortSignal.abort(new Error("stopped"))),
    /stopped/,
  );
  assert.equal(await cache.find("acc_1", keyOf("a")), undefined);
  await mkdir(join(directory, "acc_1", ".killed", "layer"), { recursive: true });
  await open();
  assert.deepEqual(readdirSync(join(directory, "acc_1")), []);
});

test("two projects that keep the same at once both have it", async (t) => {
  const { directory, open, makeLayer } = await setUp(t);
  const cache = await open();
  const layers = await Promise.all([makeLayer("a"), makeLayer("b")]);
  const kept = await Promise.all(layers.map((layer) => cache.keep("acc_1", keyOf("a"), layer, never)));
  assert.ok(kept.every((layer) => layer?.directory === join(directory, "acc_1", keyOf("a"), "layer")));
  assert.deepEqual(readdirSync(join(directory, "acc_1")), [keyOf("a")]);
});

test("a step's key follows its command, its files, its image and its variables, and no project", () => {
  const files: Record<string, string> = { "package.json": "{}", "lock.json": "1", "index.js": "a" };
  const digests = (paths: readonly string[]) => paths.map((path) => files[path] ?? null);
  const tree = {
    has: (path: string) => path in files,
    hasFolder: () => false,
    read: (path: string) => files[path],
    digests,
  };
  const step = { name: "dependencies" as const, command: "npm ci", inputs: ["package.json", "lock.json"] };
  const now = { tree, imageLayers: ["/images/1"], environment: { A: "1", SVC_PROJECT_ID: "p" } };
  const key = stepKey(step, now);
  assert.match(key ?? "", /^[0-9a-f]{64}$/);
  assert.equal(stepKey(step, { ...now, environment: { SVC_PROJECT_ID: "q", A: "1" } }), key);
  const others = [
    stepKey({ ...step, command: "npm install" }, now),
    stepKey({ ...step, inputs: ["package.json"] }, now),
    stepKey(step, { ...now, tree: { ...tree, digests: (paths) => paths.map(() => "2") } }),
    stepKey(step, { ...now, imageLayers: ["/images/2"] }),
    stepKey(step, { ...now, environment: { A: "2" } }),
  ];
  assert.equal(new Set([key, ...others]).size, others.length + 1);
  assert.equal(stepKey({ ...step, inputs: null }, now), undefined);
});

test("a step whose files are larger than honest ones has no key: reading them whole would hold up the agent", async (t) => {
  const { makeLayer } = await setUp(t);
  const directory = await makeLayer("code");
  const sizeFiles = async (...sizes: number[]) => {
    for (const [index, bytes] of sizes.entries()) {
      await writeFile(join(directory, `${index}.lock`), "");
      await truncate(join(directory, `${index}.lock`), bytes);
    }
  };
  const inputs = ["0.lock", "1.lock", "missing.lock"];
  const key = () =>
    stepKey(
      { name: "dependencies", command: "npm ci", inputs },
      { tree: openSourceTree(directory), imageLayers: [], environment: {} },
    );
  const half = 8 * 1024 * 1024;
  await sizeFiles(half, half);
  assert.match(key() ?? "", /^[0-9a-f]{64}$/);
  await sizeFiles(half, half + 1);
  assert.equal(key(), undefined, "both together");
  await sizeFiles(2 ** 31, 0);
  assert.equal(key(), undefined, "one alone");
});

test("what an install leaves in HOME for the program is told from what package managers keep there", async (t) => {
  const { directory } = await setUp(t);
  const home = join(directory, "home");
  const write = async (path: string) => {
    await mkdir(join(home, path, ".."), { recursive: true });
    await writeFile(join(home, path), "");
  };
  for (const path of [
    ".npm/_cacache/x",
    ".cache/pip/x",
    ".local/share/pnpm/store/x",
    ".config/configstore/x.json",
  ])
    await write(path);
  assert.equal(await hasWrittenHome(home), false);
  for (const path of [".cache/puppeteer/chrome/x", ".local/lib/python3.13/site-packages/x.py", "kept"]) {
    await write(path);
    assert.equal(await hasWrittenHome(home), true, path);
    await rm(join(home, path));
    await rm(join(home, ".cache", "puppeteer"), { recursive: true, force: true });
    await rm(join(home, ".local", "lib"), { recursive: true, force: true });
  }
  await symlink("/etc", join(home, ".local", "state"));
  assert.equal(await hasWrittenHome(home), true, "a link leads nowhere");
});

/** Looks without asking for it: the order goes by when each was asked for. */
async function found(cache: InstallCache, digits: string): Promise<string[]> {
  const directories = (await cache.list()).map(({ directory }) => directory);
  return digits
    .split("")
    .filter((digit) => directories.some((directory) => directory.endsWith(keyOf(digit))));
}

test("what was not on the disk yet when the host lost its power is not kept", async (t) => {
  const { open, makeLayer } = await setUp(t);
  const layer = await makeLayer("layer");
  const first = await open("first boot");
  await first.keep("acc_1", keyOf("a"), layer, never);
  await first.collect();
  await first.keep("acc_1", keyOf("b"), layer, never);
  const sameBoot = await open("first boot");
  assert.ok((await sameBoot.find("acc_1", keyOf("a"))) !== undefined);
  assert.ok((await sameBoot.find("acc_1", keyOf("b"))) !== undefined, "a new agent is no power cut");
  const nextBoot = await open("second boot");
  assert.ok((await nextBoot.find("acc_1", keyOf("a"))) !== undefined);
  assert.equal(await nextBoot.find("acc_1", keyOf("b")), undefined);
});

/**
 * Truncates files as ext4 leaves them after a power cut when their names, but not their contents, were on the
 * disk.
 */
async function tear(entry: string): Promise<void> {
  for (const name of ["manifest.json", "unflushed", "layer/modules/a.js"])
    await truncate(join(entry, name), 0);
}

test("what the power cut has torn is thrown away, by the next start and by whoever keeps the same again", async (t) => {
  const { directory, open, makeLayer } = await setUp(t);
  const entry = join(directory, "acc_1", keyOf("a"));
  const layer = await makeLayer("layer");
  const first = await open("first boot");
  assert.ok((await first.keep("acc_1", keyOf("a"), layer, never)) !== undefined);
  await tear(entry);
  assert.equal(await first.find("acc_1", keyOf("a")), undefined, "a torn manifest is no promise");
  await first.keep("acc_1", keyOf("a"), layer, never);
  assert.equal(
    await readFile(join(entry, "layer/modules/a.js"), "utf8"),
    "x".repeat(10),
    "the good copy takes its place",
  );
  await tear(entry);
  const next = await open("second boot");
  assert.ok(!existsSync(entry));
  assert.equal(await next.find("acc_1", keyOf("a")), undefined);
});

test("what cannot be cleared is told once, does not stop the agent, and is tried again by housekeeping", async (t) => {
  const { directory, told, open } = await setUp(t);
  const leftover = join(directory, "acc_1", ".killed");
  await mkdir(join(leftover, "layer"), { recursive: true });
  execFileSync("mount", ["-t", "tmpfs", "none", join(leftover, "layer")]); // as good as a copy that goes on: it cannot be removed
  const cache = await open().finally(() => t.after(() => spawnSync("umount", [join(leftover, "layer")])));
  await cache.collect();
  assert.deepEqual([existsSync(leftover), told.length], [true, 1], told.join("\n"));
  execFileSync("umount", [join(leftover, "layer")]);
  await cache.collect();
  assert.ok(!existsSync(leftover));
});

test("housekeeping leaves a copy alone that is being made", async (t) => {
  const { directory, open, makeLayer } = await setUp(t);
  const cache = await open();
  const layer = await makeLayer("layer");
  for (let count = 0; count < 300; count += 1) await writeFile(join(layer, "modules", `file-${count}`), "x");
  const keeping = cache.keep("acc_1", keyOf("a"), layer, never);
  const isCopying = () =>
    existsSync(join(directory, "acc_1")) &&
    readdirSync(join(directory, "acc_1")).some((name) => name.startsWith("."));
  while (!isCopying()) await delay(1);
  await cache.collect();
  const kept = await keeping;
  assert.equal(readdirSync(join(kept?.directory ?? "", "modules")).length, 301);
});
