import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { exec, execFed, ExecError } from "./exec.ts";

test("a command that cannot be started for lack of descriptors is an error of its caller, not the end of the agent", async () => {
  const descriptors = openAll();
  const outcomes = [];
  try {
    for (const run of [() => exec(["true"]), () => execFed(["cat"])])
      outcomes.push(await run().catch((error: unknown) => error));
  } finally {
    descriptors.forEach(closeSync);
  }
  for (const outcome of outcomes) {
    assert.ok(outcome instanceof ExecError, String(outcome));
    assert.equal((outcome.cause as NodeJS.ErrnoException).code, "EMFILE");
  }
  assert.equal((await exec(["echo", "well again"])).stdout, "well again\n");
});

/**
 * Shell texts that start something in the background, after `echo`ing its pid into the file that is their
 * argument.
 */
const leftBehind = [
  { what: "it has left its group", text: 'setsid sleep 3600 & echo $! > "$1"; wait', goesOn: true },
  {
    what: "it does not heed SIGTERM",
    text: '(trap "" TERM; exec sleep 3600) & echo $! > "$1"; wait',
    goesOn: false,
  },
];

for (const { what, text, goesOn } of leftBehind) {
  test(`a deadline counts while something that the command started holds its output: ${what}`, async (t) => {
    const directory = await mkdtemp(join(tmpdir(), "tijolo-exec-"));
    t.after(() => rm(directory, { recursive: true }));
    const pidFile = join(directory, "pid");
    const error: unknown = await exec(["sh", "-c", text, "sh", pidFile], { timeoutMs: 8_000 }).catch(
      (cause: unknown) => cause,
    );
    const pid = Number(await readFile(pidFile, "utf8"));
    assert.ok(pid > 1, "it was started before the deadline");
    t.after(() => (isAlive(pid) ? process.kill(pid, "SIGKILL") : undefined));
    assert.ok(error instanceof ExecError, String(error));
    assert.match(error.message, /took longer than 8000 ms/);
    if (goesOn) assert.ok(isAlive(pid), "it was the deadline that ended the wait");
    else
      for (const endAt = Date.now() + 30_000; isAlive(pid); await delay(10))
        assert.ok(Date.now() < endAt, "it is killed");
  });
}

test("what must not go on beside the next agent ends with this one, however it ends", async (t) => {
  const program = `const { exec } = await import(process.argv[1]);
    for (const options of [{ endsWithAgent: true }, {}])
      void exec(["sh", "-c", "echo $$; exec sleep 3600"], { ...options, timeoutMs: 3_600_000, onLine: console.log });`;
  const argv = [
    "--disable-warning=ExperimentalWarning",
    "--input-type=module",
    "--eval",
    program,
    join(import.meta.dirname, "exec.ts"),
  ];
  const agent = spawn(process.execPath, argv, { stdio: ["ignore", "pipe", "inherit"] });
  const pids: number[] = [];
  for await (const line of createInterface(agent.stdout)) {
    const pid = Number(line);
    t.after(() => (isAlive(pid) ? process.kill(pid, "SIGKILL") : undefined));
    if (pids.push(pid) === 2) break;
  }
  assert.ok(pids.every(isAlive), "both run");
  agent.kill("SIGKILL");
  for (const endAt = Date.now() + 30_000; pids.every(isAlive); await delay(10))
    assert.ok(Date.now() < endAt, "it ends");
  assert.equal(pids.filter(isAlive).length, 1, "the other one, which no flag binds to the agent, goes on");
});

test("a command that ends with the agent fails under its own name", async () => {
  await assert.rejects(
    exec(["sh", "-c", "exit 3"], { endsWithAgent: true }),
    /^ExecError: sh ended with code 3$/,
  );
});

function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

/** Opens as many descriptors as this process may have. */
function openAll(): number[] {
  const descriptors: number[] = [];
  for (;;) {
    try {
      descriptors.push(openSync("/dev/null", "r"));
    } catch {
      return descriptors;
    }
  }
}
