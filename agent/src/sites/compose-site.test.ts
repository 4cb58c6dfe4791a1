import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test, type TestContext } from "node:test";
import { composeSite, defaultSiteBounds, SiteTooLargeError } from "./compose-site.ts";

const isRoot = process.getuid?.() === 0;
const signal = new AbortController().signal;

test("what a build made is copied over what was uploaded, as its container saw it", async (t) => {
  const { place, layer } = await placeOf(t);
  const upload = await layer("code", { "dist/old.html": "old", "dist/both.html": "old", "src/a.js": "x" });
  const build = await layer("build", {
    "dist/index.html": "<p>",
    "dist/both.html": "new",
    "dist/assets/a.js": "a",
  });
  const sources = { layers: [build, upload], folder: "dist", target: join(place, "site") };
  assert.equal(await composeSite(sources, signal), 4);
  assert.deepEqual(await contents(join(place, "site")), {
    "assets/a.js": "a",
    "both.html": "new",
    "index.html": "<p>",
    "old.html": "old",
  });
});

test("of a whole project neither hidden files nor packages nor its settings are the site's", async (t) => {
  const { place, layer } = await placeOf(t);
  const code = await layer("code", { "index.html": "<p>", "svc.json": "{}", ".env": "TOKEN=1" });
  const build = await layer("build", {
    "node_modules/a/index.js": "a",
    ".cache/x": "x",
    "a/node_modules/b": "b",
  });
  assert.equal(
    await composeSite({ layers: [build, code], folder: "", target: join(place, "site") }, signal),
    2,
  );
  assert.deepEqual(await contents(join(place, "site")), { "a/node_modules/b": "b", "index.html": "<p>" });
});

test("no link is followed, wherever a build puts it, and nothing but files is taken", async (t) => {
  const { place, layer } = await placeOf(t);
  await writeFile(join(place, "secret"), "secret");
  await mkdir(join(place, "outside"));
  await writeFile(join(place, "outside/index.html"), "secret");
  const build = await layer("build", { "dist/index.html": "<p>" });
  await symlink("../../secret", join(build, "dist/link.txt"));
  await symlink(join(place, "outside"), join(build, "dist/folder"));
  await symlink(join(place, "outside"), join(build, "linked"));
  await mkdir(join(build, "deep"));
  await symlink(join(place, "outside"), join(build, "deep/linked"));
  execFileSync("mkfifo", [join(build, "dist/pipe")]);
  assert.equal(
    await composeSite({ layers: [build], folder: "dist", target: join(place, "site") }, signal),
    1,
  );
  assert.deepEqual(await contents(join(place, "site")), { "index.html": "<p>" });
  for (const folder of ["linked", "deep/linked", "linked/x", "..", "../outside", "none"]) {
    const target = join(place, "never");
    assert.equal(await composeSite({ layers: [build], folder, target }, signal), undefined, folder);
  }
});

test("a link in an upper layer hides what lies below it", async (t) => {
  const { place, layer } = await placeOf(t);
  const code = await layer("code", { "dist/index.html": "old" });
  const build = await layer("build", { a: "" });
  await symlink("elsewhere", join(build, "dist"));
  const sources = { layers: [build, code], folder: "dist", target: join(place, "site") };
  assert.equal(await composeSite(sources, signal), undefined);
});

test(
  "what a build removed is gone, and a folder that it made anew has only what is in it",
  { skip: !isRoot && "needs root for the marks of an overlay" },
  async (t) => {
    const { place, layer } = await placeOf(t);
    const code = await layer("code", {
      "dist/gone.html": "x",
      "dist/stays.html": "x",
      "dist/anew/old.js": "x",
    });
    const build = await layer("build", { "dist/index.html": "<p>", "dist/anew/new.js": "new" });
    execFileSync("mknod", [join(build, "dist/gone.html"), "c", "0", "0"]);
    const set = `my ($name, $yes) = ("trusted.overlay.opaque", "y"); syscall($ARGV[0] eq "x64" ? 188 : 5, $ARGV[1], $name, $yes, 1, 0) == 0 or die $!`;
    execFileSync("perl", ["-e", set, process.arch, join(build, "dist/anew")]);
    const target = join(place, "site");
    assert.equal(await composeSite({ layers: [build, code], folder: "dist", target }, signal), 3);
    assert.deepEqual(Object.keys(await contents(target)), ["anew/new.js", "index.html", "stays.html"]);
  },
);

test("a site has bounds of files, bytes and folders", async (t) => {
  const { place, layer } = await placeOf(t);
  const build = await layer("build", { "dist/a": "1234", "dist/b": "1234", "dist/c/d/e": "1" });
  let count = 0;
  const compose = (bounds: Partial<typeof defaultSiteBounds>) =>
    composeSite({ layers: [build], folder: "dist", target: join(place, `site-${count++}`) }, signal, {
      ...defaultSiteBounds,
      ...bounds,
    });
  assert.equal(await compose({ files: 3, bytes: 9, depth: 2 }), 3);
  for (const bounds of [{ files: 2 }, { bytes: 8 }, { depth: 1 }])
    await assert.rejects(compose(bounds), SiteTooLargeError, JSON.stringify(bounds));
  await assert.rejects(
    composeSite({ layers: [build], folder: "dist", target: join(place, "late") }, AbortSignal.abort()),
    { name: "AbortError" },
  );
});

async function placeOf(t: TestContext): Promise<{
  place: string;
  layer: (name: string, files: Record<string, string>) => Promise<string>;
}> {
  const place = await mkdtemp(join(tmpdir(), "compose-site-"));
  t.after(() => rm(place, { recursive: true }));
  return {
    place,
    async layer(name, files) {
      const directory = join(place, name);
      for (const [path, text] of Object.entries(files)) {
        await mkdir(dirname(join(directory, path)), { recursive: true });
        await writeFile(join(directory, path), text);
      }
      return directory;
    },
  };
}

async function contents(directory: string): Promise<Record<string, string>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name));
  const pairs = await Promise.all(
    files.map(async (file) => [file.slice(directory.length + 1), await readFile(file, "utf8")] as const),
  );
  return Object.fromEntries(pairs.sort(([left], [right]) => (left < right ? -1 : 1)));
}
