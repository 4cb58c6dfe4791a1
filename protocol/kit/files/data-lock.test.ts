import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { takeDataLock } from "./data-lock.ts";

async function lockFile(context: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "tijolo-lock-"));
  context.after(() => rm(directory, { recursive: true }));
  return join(directory, "agent.lock");
}

/** A program that has the lock, with a child of its own that outlives it. */
async function startHolder(context: TestContext, path: string) {
  const text = `
    import { spawn } from "node:child_process";
    import { takeDataLock } from ${JSON.stringify(join(import.meta.dirname, "data-lock.ts"))};
    await takeDataLock(${JSON.stringify(path)}, { onWait() {} });
    const child = spawn("sleep", ["60"], { stdio: "ignore", detached: true });
    console.log(child.pid);
    setInterval(() => {}, 1000);`;
  const holder = spawn(process.execPath, ["--input-type=module", "--eval", text], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = (await once(holder.stdout, "data")) as [Buffer];
  const child = Number(String(line));
  context.after(() => process.kill(child));
  return { holder, child };
}

test("while one program has a data directory, another waits, and has it as soon as the first is killed", async (context) => {
  const path = await lockFile(context);
  const { holder, child } = await startHolder(context, path);
  assert.equal((await stat(path)).mode & 0o777, 0o600);
  await assert.rejects(
    takeDataLock(path, { onWait() {}, patienceMs: 300 }),
    /Another program works on this data directory/,
  );
  let waits = 0;
  const waiting = takeDataLock(path, { onWait: () => waits++ });
  assert.equal(waits, 1);
  holder.kill("SIGKILL");
  using _lock = await waiting;
  process.kill(child, 0); // it lives, and has not inherited the lock
});

test("in one process, too, and once it is given back anybody can have it", async (context) => {
  const path = await lockFile(context);
  const first = await takeDataLock(path, { onWait: assert.fail });
  await assert.rejects(takeDataLock(path, { onWait() {}, patienceMs: 0 }));
  await assert.rejects(
    takeDataLock(path, { onWait() {}, patienceMs: 0 }),
    "the one that was refused has not ended the first one's lock",
  );
  first[Symbol.dispose]();
  using _second = await takeDataLock(path, { onWait: assert.fail });
});
