import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { openAuthSecret } from "./auth-secret.ts";

async function bench(t: TestContext) {
  const directory = await mkdtemp(join(tmpdir(), "tijolo-auth-secret-"));
  t.after(() => rm(directory, { recursive: true }));
  const file = join(directory, "auth-secret");
  return { file, open: (mayMake = true) => openAuthSecret(file, { random: randomBytes, mayMake }) };
}

test("the secret is made at the first start, for its owner alone, and read at the next", async (t) => {
  const { file, open } = await bench(t);
  const made = await open();
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  assert.equal(await open(false), made);
});

test("a file that others can read is refused, with what to do", async (t) => {
  const { file, open } = await bench(t);
  await open();
  for (const mode of [0o640, 0o604, 0o644]) {
    await chmod(file, mode);
    await assert.rejects(
      open(false),
      /others can read it \(mode 6[04][04]\)\. Run: chmod 600 .*end-two-factor/,
    );
  }
});

test("a lost or empty one is not made anew over what it has encrypted", async (t) => {
  const { file, open } = await bench(t);
  await assert.rejects(open(false), /is missing, and authenticators are stored/);
  await writeFile(file, "\n", { mode: 0o600 });
  await assert.rejects(open(false), /is empty, and authenticators are stored/);
});

test("what is there and no file is said with its path", async (t) => {
  const { file } = await bench(t);
  await assert.rejects(
    openAuthSecret(join(file, ".."), { random: randomBytes, mayMake: true }),
    /tijolo-auth-secret-\w+ cannot be read/,
  );
});
