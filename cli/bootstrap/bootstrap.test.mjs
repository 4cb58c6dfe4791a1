/* oxlint-disable typescript/no-floating-promises -- the runner waits for its tests */

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { nodeFlags } from "../src/start/node-flags.ts";
import { CommandError, run } from "./child.mjs";
import { withLock } from "./lock.mjs";
import { findMissingTools } from "./system-tools.mjs";
import { tasks } from "./tasks.mjs";
import { allTexts, textsFor } from "./texts.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");

function makeDirectory(t) {
  const path = mkdtempSync(join(tmpdir(), "tijolo-bootstrap-"));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

test("every script of package.json names a task", () => {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  for (const script of Object.values(scripts)) {
    const task = /^node cli\/bootstrap\/run\.mjs (\S+)$/.exec(script)?.[1];
    if (task !== undefined) assert.ok(Object.hasOwn(tasks, task), task);
  }
});

test("an unknown task ends with 2 and names the ones there are, from any directory", () => {
  const { status, stderr } = spawnSync(process.execPath, [join(root, "cli/bootstrap/run.mjs"), "nope"], {
    cwd: "/",
    encoding: "utf8",
  });
  assert.equal(status, 2);
  for (const name of Object.keys(tasks)) assert.ok(stderr.includes(name), name);
});

test("what cannot be said changes no end", { skip: !existsSync("/dev/full") }, (t) => {
  const full = openSync("/dev/full", "a");
  t.after(() => closeSync(full));
  const { status } = spawnSync(process.execPath, [join(root, "cli/bootstrap/run.mjs"), "nope"], {
    stdio: ["ignore", full, full],
  });
  assert.equal(status, 2);
});

test("both languages have the same texts", () => {
  assert.deepEqual(Object.keys(allTexts.en), Object.keys(allTexts.pt));
  assert.equal(textsFor({}), allTexts.pt);
  assert.equal(textsFor({ LANG: "en_GB.UTF-8" }), allTexts.en);
});

test("a tool that is not on the machine is missing, one that is there is not", () => {
  const here = { file: "sh", debianPackage: "dash" };
  const gone = { file: "no-such-command", debianPackage: "none" };
  assert.deepEqual(
    findMissingTools([here, gone, { file: "/no/such/file", debianPackage: "none" }]).map(({ file }) => file),
    ["no-such-command", "/no/such/file"],
  );
});

test("one at a time holds the lock, and the lock is gone afterwards", async (t) => {
  const file = join(makeDirectory(t), "lock");
  let holders = 0;
  let most = 0;
  const waited = [];
  const hold = () =>
    withLock(
      file,
      { onWait: (pid) => waited.push(pid), timeoutError: () => new Error("timeout") },
      async () => {
        most = Math.max(most, ++holders);
        await new Promise((resolve) => setTimeout(resolve, 30));
        holders--;
      },
    );
  await Promise.all([hold(), hold(), hold()]);
  assert.equal(most, 1);
  assert.ok(waited.includes(process.pid));
  assert.equal(existsSync(file), false);
});

test("a dead holder's lock is taken over", async (t) => {
  const file = join(makeDirectory(t), "lock");
  const { pid } = spawnSync(process.execPath, ["-e", ""]);
  writeFileSync(file, `${pid}\n`);
  const result = await withLock(
    file,
    { onWait: () => assert.fail("it waits"), timeoutError: () => new Error("timeout") },
    async () => "mine",
  );
  assert.equal(result, "mine");
});

test("a holder that has ended holds nothing, also while its parent does not collect it", async (t) => {
  if (!existsSync("/proc/self/stat")) return t.skip("nothing tells how a process is");
  const file = join(makeDirectory(t), "lock");
  const parent = spawn("perl", [
    "-e",
    "$| = 1; my $pid = fork; exit if $pid == 0; print qq($pid\n); <STDIN>;",
  ]);
  t.after(() => parent.kill("SIGKILL"));
  const pid = Number(await once(parent.stdout, "data"));
  while (!/\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"))) await setImmediate();
  writeFileSync(file, `${pid}\n`);
  const take = withLock(file, { onWait: () => assert.fail("it waits") }, async () => "mine");
  assert.equal(await take, "mine");
});

const bootstrapDirectory = import.meta.dirname;

test("whoever has a dead holder's number now holds nothing, and a living holder is waited for", async (t) => {
  const file = join(makeDirectory(t), "lock");
  const take = (onWait) =>
    withLock(file, { onWait, timeoutError: () => new Error("timeout") }, async () => "mine");
  const fail = () => assert.fail("it waits");
  writeFileSync(file, `${process.pid}\n`); // in a container that was started again the same numbers come again
  assert.equal(await take(fail), "mine");
  if (!existsSync("/proc/self/stat")) return t.skip("nothing tells when a process started");
  for (const pid of [1, process.pid]) {
    writeFileSync(file, `${pid} 17\n`);
    assert.equal(await take(fail), "mine", `${pid} started at another time`);
  }
  const program = `const { withLock } = await import(${JSON.stringify(join(bootstrapDirectory, "lock.mjs"))});
    await withLock(${JSON.stringify(file)}, {}, async () => { console.log("held"); await new Promise((resolve) => process.stdin.once("data", resolve)); });
    process.exit(0);`;
  const holder = spawn(process.execPath, ["--input-type=module", "-e", program], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  t.after(() => holder.kill("SIGKILL"));
  await once(holder.stdout, "data");
  const waited = [];
  const answer = take((pid) => {
    waited.push(pid);
    holder.stdin.write("end");
  });
  assert.equal(await answer, "mine");
  assert.deepEqual(waited, [holder.pid]);
});

test("a command that fails tells its last lines, and one that hangs is ended", async () => {
  const failing = run([process.execPath, "-e", "console.error('why'); process.exit(3)"], {
    timeoutMs: 10_000,
  });
  await assert.rejects(
    failing,
    (error) =>
      error instanceof CommandError && error.tail.includes("why") && error.message.includes("code 3"),
  );
  await assert.rejects(
    run([process.execPath, "-e", "setInterval(() => {}, 1000)"], { timeoutMs: 300 }),
    /took longer/,
  );
});

test("an agent that is started by itself has the flags of the one that npm start starts", () => {
  assert.deepEqual(tasks.agent.nodeFlags, nodeFlags.agent);
});
