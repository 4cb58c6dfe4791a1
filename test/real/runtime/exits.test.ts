/** Exit codes, signals, out-of-memory and what a program finds when it starts. */

import assert from "node:assert/strict";
import { closeSync, constants, existsSync, openSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { StartError } from "../../../agent/src/runtime/runtime.ts";
import { ContainerHost, until } from "../support/host/container-host.ts";

let host: ContainerHost;
let runs: string;
before(async () => {
  host = await ContainerHost.create();
  runs = join(host.dataDirectory, "runs", "prj_test");
});
after(() => host[Symbol.asyncDispose]());

for (const code of [0, 1, 3, 133, 255]) {
  test(`exit code ${code} arrives as it is`, async () => {
    const exit = await host.run(`exit ${code}`);
    assert.deepEqual([exit.code, exit.cause, exit.isOutOfMemory], [code, "exited", false]);
  });
}

for (const [name, number] of [
  ["KILL", 9],
  ["SEGV", 11],
  ["TERM", 15],
] as const) {
  test(`a death by SIG${name} arrives as ${128 + number}`, async () => {
    const exit = await host.run(`kill -${name} $$`);
    assert.deepEqual([exit.code, exit.cause], [128 + number, "exited"]);
    assert.deepEqual(exit.stderr, []);
  });
}

test("a program that does not exist is exit code 127, said in its own log", async () => {
  const exit = await host.run("no-such-program --at-all");
  assert.equal(exit.code, 127);
  assert.match(exit.stderr.join("\n"), /no-such-program.*not found/);
});

test("a file that is no program is exit code 126", async () => {
  await host.writeCode("data.txt", "text");
  assert.equal((await host.run("./data.txt")).code, 126);
});

test("compound commands work as in any shell", async () => {
  const exit = await host.run("true && echo one; echo two | cat; false || exit 7");
  assert.deepEqual([exit.code, exit.stdout], [7, ["one", "two"]]);
});

test("a last line without a line feed is kept, and stderr is kept apart", async () => {
  const exit = await host.run("printf out; printf err >&2");
  assert.deepEqual([exit.stdout, exit.stderr], [["out"], ["err"]]);
});

test("/dev/stdout and /dev/stderr can be opened again", async () => {
  const exit = await host.run("echo out > /dev/stdout; echo err > /dev/stderr");
  assert.deepEqual([exit.code, exit.stdout, exit.stderr], [0, ["out"], ["err"]]);
});

test("the program's environment is exactly what was asked for, whatever the values hold", async () => {
  const environment = {
    PATH: "/usr/bin:/bin",
    QUOTES: `it's "x" $HOME \`id\` \\`,
    EMPTY: "",
    LD_PRELOAD_X: "é",
    LINES: "a\nb",
  };
  const exit = await host.run(
    `perl -e 'print join("|", map { my $v = $ENV{$_}; $v =~ s/\\n/<nl>/g; "$_=$v" } sort keys %ENV), "\\n"'`,
    {
      environment,
    },
  );
  const expected = { ...environment, LINES: "a<nl>b", HOME: "/home/project", PWD: "/app" };
  assert.deepEqual(
    exit.stdout[0]?.split("|"),
    Object.entries(expected)
      .map(([name, value]) => `${name}=${value}`)
      .sort(),
  );
});

test("a program starts in /app with no signal ignored and stdin at its end", async () => {
  const exit = await host.run("pwd; cat; grep SigIgn /proc/self/status; readlink /proc/self/fd/0; hostname");
  assert.deepEqual(exit.stdout, ["/app", "SigIgn:\t0000000000000000", "/dev/null", "svc-test"]);
});

test("what a program writes under /app and HOME is there in the next run, what it writes elsewhere is not", async () => {
  await host.run("echo app > kept; echo home > ~/kept; echo root > /var/gone; echo tmp > /tmp/gone");
  const exit = await host.run("cat kept ~/kept; ls /var/gone /tmp/gone");
  assert.deepEqual(exit.stdout, ["app", "home"]);
  assert.equal(exit.stderr.length, 2);
});

test("orphans of a program are reaped by the container's first process", async () => {
  // One that is not reaped keeps its place in /proc.
  const left = "for pid in $(cat /tmp/orphans); do [ ! -e /proc/$pid ] || echo $pid; done";
  const exit = await host.run(
    `for i in 1 2 3 4 5; do sh -c 'sleep 0.2 & echo $! >> /tmp/orphans'; done; n=0; while [ -n "$(${left})" ] && [ $n -lt 600 ]; do n=$((n+1)); sleep 0.05; done; wc -l < /tmp/orphans; ${left}; exit 4`,
  );
  assert.deepEqual([exit.code, exit.stdout], [4, ["5"]]);
});

test("a program that takes more memory than its limit is killed and reported as out of memory", async () => {
  const exit = await host.run(
    `perl -e '$x = "x" x (40 << 20); print "ready\\n"; push @a, "y" x (8 << 20) while 1'`,
    {
      limits: { memoryMb: 64, cpuPercent: null, cpuWeight: 100, pids: 64 },
    },
  );
  assert.deepEqual([exit.code, exit.isOutOfMemory, exit.cause], [137, true, "exited"]);
});

test("a fork bomb stays within its limit of processes and can be stopped", async () => {
  const instance = await host.start(`perl -e 'while (1) { fork; select(undef, undef, undef, 0.01) }'`, {
    limits: { memoryMb: 128, cpuPercent: 50, cpuWeight: 10, pids: 40 },
  });
  await until(async () => (await host.pids()).length >= 35);
  assert.ok((await host.pids()).length <= 44); // the limit, and the supervisor with its writer beside it
  await host.runtime.stop("prj_test", { graceMs: 100 });
  const { code } = await host.exitOf(instance);
  assert.ok(code === 143 || code === 137, `code ${code}`); // whether the first process had its turn to obey
  assert.deepEqual(await host.pids(), []);
  await host.runtime.forget(instance);
});

test("a run whose log ends late is told with its exit code then, and until then keeps nobody waiting for the others", async () => {
  const instance = await host.start("sleep 1; exit 6");
  const log = openLog(`run-${instance.runNumber}`);
  await until(() => existsSync(join(runs, `run-${instance.runNumber}`, "exit")));
  const askedMs = performance.now();
  const found = await host.runtime.instances();
  assert.ok(performance.now() - askedMs < 20_000, "before its log was given up");
  assert.deepEqual(
    found.map(({ runNumber, exit }) => [runNumber, exit]),
    [[instance.runNumber, null]],
  );
  closeSync(log);
  const { code, cause } = await host.exitOf(instance);
  assert.deepEqual([code, cause], [6, "exited"]);
  await host.runtime.forget(instance);
});

test("an install that ended in time is installed, though its log ends after its time is over", async () => {
  const request = await host.installRequest("sleep 1", { timeoutMs: 15_000 });
  const install = host.runtime.install(request, new AbortController().signal);
  const name = `install-${request.versionNumber}`;
  await until(() => existsSync(join(runs, name, "started")));
  const log = openLog(name);
  await delay(request.timeoutMs + 2_000);
  closeSync(log);
  assert.equal((await install).status, "installed");
});

/** Opens the log like a program that is slow to close it. */
function openLog(name: string): number {
  return openSync(join(runs, name, "inside", "stdout"), constants.O_WRONLY | constants.O_NONBLOCK);
}

test("a container that cannot come up is a StartError that says why, with nothing left over", async () => {
  const request = await host.request("true", { imageLayers: ["/nonexistent/image"] });
  await assert.rejects(
    host.runtime.start(request),
    (error) => error instanceof StartError && /nonexistent/.test(error.message),
  );
  assert.deepEqual(await host.pids(), []);
  assert.deepEqual(await host.runtime.instances(), []);
});

test("a network namespace that does not exist is a StartError", async () => {
  await assert.rejects(host.start("true", { networkNamespace: "no-such-netns" }), StartError);
});
