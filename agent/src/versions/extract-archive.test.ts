import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { ArchiveError, archiveLimits } from "@tijolo/protocol";
import { hostileArchives, hostileLimits } from "../../../test/support/archives/hostile-archives.ts";
import { rawZip, type RawArchive, type RawEntry } from "../../../test/support/archives/raw-zip.ts";
import { extractArchive } from "./extract-archive.ts";
import { removeUnfinished, versionDirectory } from "./version-files.ts";

const { signal } = new AbortController();
const limits = archiveLimits(1024);
let directory = "";
let target = "";

before(async () => {
  directory = await mkdtemp(join(tmpdir(), "extract-archive-"));
  await mkdir(join(directory, "place/sibling"), { recursive: true });
  await writeFile(join(directory, "place/sibling/x"), "mine");
  await writeFile(join(directory, "x"), "mine");
  await symlink("/etc", join(directory, "place/link"));
  target = join(directory, "place/code");
});
after(() => rm(directory, { recursive: true }));

async function extract(
  archive: readonly RawEntry[] | RawArchive | Buffer,
  options: Partial<Parameters<typeof extractArchive>[2]> = {},
) {
  const path = join(directory, "version.zip");
  await rm(path, { force: true }); // ext4 flushes a file that is written over
  await writeFile(path, Buffer.isBuffer(archive) ? archive : rawZip(archive));
  await rm(target, { recursive: true, force: true });
  return extractArchive(path, target, { signal, limits, ...options });
}

/**
 * Every path below `root`, and below links to directories, with its kind, mode, owner and content;
 * `version.zip` apart.
 */
function snapshot(root: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of readdirSync(root, { recursive: true, encoding: "utf8" }).sort()) {
    if (name === "version.zip") continue;
    const path = join(root, name);
    const stats = lstatSync(path);
    const content = stats.isSymbolicLink()
      ? readlinkSync(path)
      : stats.isFile()
        ? readFileSync(path, "latin1")
        : "/";
    found[name] = `${(stats.mode & 0o7777).toString(8)} ${stats.uid}:${stats.gid} ${content}`;
  }
  return found;
}

const owner = `${process.getuid?.()}:${process.getgid?.()}`;

describe("nothing changes on disk when an archive is refused that is", () => {
  for (const hostile of hostileArchives()) {
    test(hostile.name, async () => {
      assert.ok(hostile.proof(hostile.bytes), "the attack is in the bytes");
      await rm(target, { recursive: true, force: true });
      const earlier = snapshot(directory);
      await assert.rejects(extract(hostile.bytes, { limits: hostileLimits }), (error) => {
        assert.ok(error instanceof ArchiveError, String(error));
        assert.deepEqual(
          { code: error.code, reason: error.reason },
          { code: hostile.code, reason: hostile.reason },
          error.detail,
        );
        return true;
      });
      assert.deepEqual(snapshot(directory), earlier);
    });
  }
});

test("files come out without their top folder, with two modes and no others, whatever the umask", async () => {
  const entries: RawEntry[] = [
    { name: "top/", mode: 0o40700 },
    { name: "top/run.sh", content: "#!/bin/sh\n", mode: 0o104755 },
    { name: "top/secret", content: "s", mode: 0o100600 },
    { name: "top/everyone", content: "e", mode: 0o100666 },
    { name: "top/empty/", mode: 0o42777 },
    { name: "top/a/b/c.txt", content: "deep" },
    { name: "top/.DS_Store", content: "noise" },
    { name: "__MACOSX/top/._a", content: "noise" },
  ];
  const expected = {
    a: `755 ${owner} /`,
    "a/b": `755 ${owner} /`,
    "a/b/c.txt": `644 ${owner} deep`,
    empty: `755 ${owner} /`,
    everyone: `644 ${owner} e`,
    "run.sh": `755 ${owner} #!/bin/sh\n`,
    secret: `644 ${owner} s`,
  };
  for (const umask of [0o022, 0o077, 0]) {
    const earlier = process.umask(umask);
    try {
      assert.deepEqual(await extract(entries), { files: 4, extractedBytes: 16, topFolder: "top" });
    } finally {
      process.umask(earlier);
    }
    assert.deepEqual(snapshot(target), expected);
    assert.equal((await lstat(target)).mode & 0o7777, 0o755);
  }
});

test("names with backslashes, of Windows PowerShell 5.1, come out as files in folders", async () => {
  const windows = { flags: 0, mode: 0, central: { madeBy: 20 } };
  await extract([
    { ...windows, name: "top\\empty\\", method: 0 },
    { ...windows, name: "top\\src\\index.js", content: "i" },
    { ...windows, name: "top\\svc.json", content: "{}" },
  ]);
  assert.deepEqual(snapshot(target), {
    empty: `755 ${owner} /`,
    src: `755 ${owner} /`,
    "src/index.js": `644 ${owner} i`,
    "svc.json": `644 ${owner} {}`,
  });
});

test("large files, stored and deflated, come out as they went in", async () => {
  const content = Buffer.from(Array.from({ length: 3_000_000 }, (_, index) => (index * index) % 251));
  await extract([
    { name: "stored", content, method: 0 },
    { name: "deflated", content },
    { name: "described", content, descriptor: true },
  ]);
  for (const name of ["stored", "deflated", "described"])
    assert.ok(content.equals(await readFile(join(target, name))), name);
});

test("what another program zipped comes out equal", async (context) => {
  const source = join(directory, "source");
  const path = join(directory, "by-zip.zip");
  await mkdir(join(source, "app/lib/ação"), { recursive: true });
  await writeFile(join(source, "app/lib/ação/índice.js"), "export {};\n".repeat(500));
  await writeFile(join(source, "app/run"), "#!/bin/sh\n", { mode: 0o755 });
  await writeFile(join(source, "app/empty"), "");
  try {
    execFileSync("zip", ["-qr", path, "app"], { cwd: source, env: { ...process.env, LC_ALL: "C.UTF-8" } });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT")
      return context.skip("zip is not installed");
    throw error;
  }
  await rm(target, { recursive: true, force: true });
  await extractArchive(path, target, { signal, limits });
  assert.deepEqual(snapshot(target), snapshot(join(source, "app")));
  await rm(source, { recursive: true });
  await rm(path);
});

test("a directory that exists is left as it is", async () => {
  const path = join(directory, "version.zip");
  await extract([{ name: "a", content: "first" }]);
  await writeFile(path, rawZip([{ name: "a", content: "second" }]));
  await assert.rejects(extractArchive(path, target, { signal, limits }), /exists/);
  assert.equal(await readFile(join(target, "a"), "utf8"), "first");
});

test("while it is written, the tree is where only its owner can enter, also below a set-gid parent", async () => {
  await chmod(join(directory, "place"), 0o2777);
  const big = Buffer.alloc(60 << 20, "0123456789");
  const extracting = extract([
    { name: "big", content: big, method: 0 },
    { name: "z/y", content: "z" },
  ]);
  let seen = 0;
  let isDone = false;
  const watching = (async () => {
    while (!isDone) {
      for (const name of await readdir(join(directory, "place"))) {
        if (!name.startsWith(".extract-")) continue;
        const stats = await lstat(join(directory, "place", name)).catch(() => null);
        if (stats === null || (stats.mode & 0o7777) === 0o2700) continue;
        assert.equal(stats.mode & 0o7777, 0o700);
        seen += 1;
      }
      await delay(1);
    }
  })();
  await extracting.finally(() => (isDone = true));
  await watching;
  assert.ok(seen > 0, "the shelter was seen");
  assert.equal((await lstat(join(target, "z"))).mode & 0o7777, 0o755);
  await chmod(join(directory, "place"), 0o755);
});

test("an abort at any moment leaves nothing", async () => {
  const archive = rawZip(
    Array.from({ length: 400 }, (_, index) => ({
      name: `d${index % 20}/f${index}`,
      content: "x".repeat(2000),
    })),
  );
  await rm(target, { recursive: true, force: true });
  const earlier = snapshot(directory);
  let aborted = 0;
  for (let pauseMs = 0; pauseMs < 30; pauseMs += 2) {
    const controller = new AbortController();
    const extracting = extract(archive, { signal: controller.signal });
    setTimeout(() => controller.abort(new Error("enough")), pauseMs);
    const failure = await extracting.then(
      () => null,
      (error: unknown) => error,
    );
    if (failure === null) continue;
    aborted += 1;
    assert.match(String(failure), /enough/);
    assert.deepEqual(snapshot(directory), earlier);
  }
  assert.ok(aborted > 0);
});

test("a killed extraction leaves nothing that the next attempt does not remove", async () => {
  const path = join(directory, "version.zip");
  await writeFile(
    path,
    rawZip(
      Array.from({ length: 5000 }, (_, index) => ({
        name: `d${index % 50}/f${index}`,
        content: `content ${index}`,
      })),
    ),
  );
  const place = versionDirectory(directory, "prj_killed", 1);
  await mkdir(place, { recursive: true });
  const script = `import { extractArchive } from ${JSON.stringify(new URL("extract-archive.ts", import.meta.url).href)};
    process.stdout.write("ready");
    await extractArchive(process.argv[1], process.argv[2], { signal: new AbortController().signal, limits: ${JSON.stringify(limits)} });`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script, path, join(place, "code")], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  while (!(await readdir(place)).some((name) => name.startsWith(".extract-"))) {
    assert.equal(child.exitCode, null, "it is killed before it ends");
    await delay(1);
  }
  child.kill("SIGKILL");
  await once(child, "exit");
  assert.equal(child.signalCode, "SIGKILL");
  assert.notDeepEqual(await readdir(place), []);
  await removeUnfinished(directory, "prj_killed", 1);
  assert.deepEqual(await readdir(place), []);
});

test("thousands of files come out, and none is left open", async (context) => {
  const entries = Array.from({ length: 5000 }, (_, index) => ({
    name: `node_modules/p${index % 200}/lib/f${index}.js`,
    content: `module.exports = ${index};\n`.repeat(20),
  }));
  const openBefore = (await readdir("/proc/self/fd")).length;
  const archive = rawZip(entries);
  const startedAt = performance.now();
  const { files } = await extract(archive);
  const tookMs = performance.now() - startedAt;
  context.diagnostic(`${files} files in ${Math.round(tookMs)} ms`);
  assert.equal(files, 5000);
  assert.equal((await readdir("/proc/self/fd")).length, openBefore);
});
