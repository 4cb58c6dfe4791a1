import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { compressSite, defaultCompressionBounds } from "./compress-site.ts";

const signal = new AbortController().signal;
const text = "let answer = 42; ".repeat(500);

test("text is compressed in both ways, and what does not gain by it is left alone", async (t) => {
  const { site, target } = await placesOf(t);
  await mkdir(join(site, "assets"));
  await writeFile(join(site, "assets/app.js"), text);
  await writeFile(join(site, "small.js"), "let x");
  await writeFile(join(site, "picture.png"), text);
  await writeFile(join(site, "noise.txt"), randomBytes(4_000));
  await writeFile(join(site, ".env"), text);
  await symlink("assets/app.js", join(site, "link.js"));
  await compressSite(site, target, { signal });
  assert.deepEqual(await filesOf(target), ["br/assets/app.js", "gzip/assets/app.js"]);
  assert.equal(brotliDecompressSync(await readFile(join(target, "br/assets/app.js"))).toString(), text);
  assert.equal(gunzipSync(await readFile(join(target, "gzip/assets/app.js"))).toString(), text);
});

test("bounds of size and time leave the rest as it is", async (t) => {
  const { site, target } = await placesOf(t);
  for (const name of ["a.js", "b.js"]) await writeFile(join(site, name), text);
  const compress = async (name: string, bounds: Partial<typeof defaultCompressionBounds>) => {
    await compressSite(site, join(target, name), {
      signal,
      bounds: { ...defaultCompressionBounds, ...bounds },
    });
    return (await filesOf(join(target, name))).length;
  };
  assert.equal(await compress("all", {}), 4);
  assert.equal(await compress("total", { totalBytes: text.length * 1.5 }), 2);
  assert.equal(await compress("file", { fileBytes: text.length - 1 }), 0);
  assert.equal(await compress("time", { timeMs: -1 }), 0);
  const aborted = compressSite(site, join(target, "aborted"), { signal: AbortSignal.abort() });
  await assert.rejects(aborted, { name: "AbortError" });
});

async function placesOf(t: TestContext): Promise<{ site: string; target: string }> {
  const place = await mkdtemp(join(tmpdir(), "compress-site-"));
  t.after(() => rm(place, { recursive: true }));
  await mkdir(join(place, "site"));
  return { site: join(place, "site"), target: join(place, "compressed") };
}

async function filesOf(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1))
    .sort();
}
