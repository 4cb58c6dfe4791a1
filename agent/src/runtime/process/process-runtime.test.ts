import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, readFile, rename, rmdir, stat, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { StartError } from "../runtime.ts";
import { findProcesses } from "./command-run.ts";
import { isAlive, readProcessTable } from "./process-table.ts";
import { projectId, testHost, until } from "./test-host.ts";
import { ownerText } from "../../../../test/support/projects/owner-text.ts";

const runOf = (dataDirectory: string, runNumber: number) =>
  join(dataDirectory, "runs", projectId, `run-${runNumber}`);

/** The command line stands for a process that has left its family. */
function isRunning(marker: string): boolean {
  return execFileSync("ps", ["-A", "-o", "args="], { encoding: "utf8" })
    .split("\n")
    .some((line) => line.startsWith(marker));
}

test("the program finds this machine's places in its environment, and nothing of the agent's", async (t) => {
  process.env["TIJOLO_SECRET_OF_THE_AGENT"] = "x";
  t.after(() => delete process.env["TIJOLO_SECRET_OF_THE_AGENT"]);
  const host = await testHost(t);
  const runtime = await host.open();
  const environment = {
    HOME: "/home/project",
    PATH: "/app/bin:/usr/bin",
    DATA: "/app/data",
    TEXT: "a\nb=c",
    EMPTY: "",
    URL: "http://x/app/y",
  };
  const program = "console.log(JSON.stringify({ ...process.env, cwd: process.cwd() }))";
  await writeFile(join(host.dataDirectory, "code", "show.js"), program);
  await runtime.start(host.request(1, "exec node show.js", { environment }));
  await until(() => host.ended.length === 1);
  const {
    PWD: _pwd,
    OLDPWD: _old,
    _,
    SHLVL: _level,
    ...shown
  } = JSON.parse((await host.lines("stdout")).join("")) as Record<string, string>;
  const path = [...new Set([`${host.app}/bin`, ...(process.env["PATH"] ?? "").split(":")])]
    .filter(Boolean)
    .join(":");
  assert.deepEqual(shown, {
    ...environment,
    HOME: join(host.dataDirectory, "projects", projectId, "disk", "home"),
    PATH: path,
    DATA: `${host.app}/data`,
    cwd: host.app,
  });
  assert.equal(
    existsSync(join(runOf(host.dataDirectory, 1), "environment")),
    false,
    "variables do not stay on the disk",
  );
});

test("a signal's code, the last line without its newline, and both streams are told exactly", async (t) => {
  const host = await testHost(t);
  const runtime = await host.open();
  await runtime.start(host.request(1, "echo out; echo err >&2; printf last; kill -SEGV $$"));
  await until(() => host.ended.length === 1);
  assert.deepEqual([host.ended[0]?.exit?.code, host.ended[0]?.exit?.cause], [139, "exited"]);
  assert.deepEqual([await host.lines("stdout"), await host.lines("stderr")], [["out", "last"], ["err"]]);
});

test("a program that ends well when asked to is told with its own code, not with its shell's", async (t) => {
  const host = await testHost(t);
  const runtime = await host.open();
  const program =
    'process.on("SIGTERM", () => process.exit(6)); console.log("ready"); setInterval(() => {}, 1000);';
  await writeFile(join(host.dataDirectory, "code", "index.js"), program);
  await runtime.start(host.request(1, "node index.js"));
  await until(async () => (await host.lines("stdout")).includes("ready"));
  await runtime.stop(projectId, { graceMs: 20_000 });
  assert.equal(host.ended[0]?.exit?.code, 6);
});

test("a stop ends the whole family, also what left its group and what ignores SIGTERM", async (t) => {
  const host = await testHost(t);
  const runtime = await host.open();
  const marker = `sleep 86${process.pid}`;
  const command = `perl -e 'use POSIX; fork and exit; POSIX::setsid(); exec "${marker}"' ; trap '' TERM; echo up; ${marker} & wait; wait`;
  await runtime.start(host.request(1, command));
  await until(async () => (await host.lines("stdout")).includes("up") && isRunning(marker));
  await runtime.stop(projectId, { graceMs: 200 });
  assert.equal(host.ended[0]?.exit?.code, 137);
  assert.equal(isRunning(marker), false);
  const [instance] = await runtime.instances();
  assert.ok(instance);
  await runtime.forget(instance);
  assert.equal(existsSync(runOf(host.dataDirectory, 1)), false);
});

test("a program runs on without its agent, and the next one finds it, also when its end came between", async (t) => {
  const host = await testHost(t);
  const first = await host.open();
  const gate = join(host.dataDirectory, "gate");
  await first.start(host.request(1, `until [ -e ${gate} ]; do sleep 0.05; done; echo over; exit 9`));
  const processes = await findProcesses(runOf(host.dataDirectory, 1));
  assert.ok(processes);
  await first.close();
  const second = await host.open();
  const [running] = await second.instances();
  assert.deepEqual([running?.exit, running?.runNumber, await isAlive(processes.command)], [null, 1, true]);
  await second.close();
  await writeFile(gate, "");
  await until(async () => !(await isAlive(processes.supervisor)));
  assert.equal(host.ended.length, 0);
  const [found] = await (await host.open()).instances();
  assert.deepEqual([found?.exit?.code, found?.exit?.cause], [9, "exited"]);
  assert.deepEqual(await host.lines("stdout"), ["over"]);
});

test("a killed supervisor leaves nothing that runs, and is told as killed", async (t) => {
  const host = await testHost(t);
  const runtime = await host.open();
  await runtime.start(host.request(1, "sleep 3600 & sleep 3600"));
  const processes = await findProcesses(runOf(host.dataDirectory, 1));
  assert.ok(processes);
  process.kill(processes.supervisor.pid, "SIGKILL");
  await until(() => host.ended.length === 1);
  assert.equal(host.ended[0]?.exit?.cause, "killed");
  assert.equal(
    (await readProcessTable()).some(({ groupId }) => groupId === processes.command.pid),
    false,
  );
});

test("after a restart of the machine a run has vanished, and who has its pids now is left alone", async (t) => {
  const host = await testHost(t);
  const before = await host.open();
  await before.start(host.request(1, "sleep 3600"));
  const processes = await findProcesses(runOf(host.dataDirectory, 1));
  assert.ok(processes);
  await before.close();
  const after = await host.open({ bootId: "another" });
  const [found] = await after.instances();
  assert.equal(found?.exit?.cause, "vanished");
  assert.ok(found);
  await after.forget(found);
  assert.equal(await isAlive(processes.command), true);
  process.kill(-processes.command.pid, "SIGKILL");
  await until(async () => !(await isAlive(processes.supervisor)));
});

test("what an agent that was killed has left half made is ended by the next", async (t) => {
  const host = await testHost(t);
  const first = await host.open();
  const controller = new AbortController();
  const installing = first
    .install(host.installRequest("echo begun; sleep 3600"), controller.signal)
    .catch(() => {});
  await until(async () => (await host.lines("stdout")).includes("begun"));
  const processes = await findProcesses(join(host.dataDirectory, "runs", projectId, "install-1"));
  assert.ok(processes);
  await host.open();
  assert.equal(await isAlive(processes.command), false);
  controller.abort();
  await installing;
});

test("a machine without the language is told to the owner, at the start and at the install", async (t) => {
  const host = await testHost(t);
  const runtime = await host.open({ hostPath: "/nowhere" });
  await assert.rejects(
    runtime.start(host.request(1, "node x.js")),
    (error) => error instanceof StartError && /instale node/.test(ownerText(error.forOwner)),
  );
  const outcome = await runtime.install(host.installRequest("npm ci"), new AbortController().signal);
  assert.deepEqual(outcome, { status: "failed", code: "install_failed", exitCode: 127 });
  assert.match(host.said.join(), /instale node/);
  assert.deepEqual(await runtime.instances(), []);
});

test("an install keeps what it made, changed and linked; not the code, and not what failed", async (t) => {
  const host = await testHost(t);
  const runtime = await host.open();
  for (const name of ["same", "changed"]) await writeFile(join(host.dataDirectory, "code", name), "code");
  const request = host.installRequest(
    "mkdir -p deps/bin && echo new > deps/a && ln -s ../a deps/bin/a && echo more >> changed && chmod 755 changed",
  );
  const { signal } = new AbortController();
  assert.deepEqual(await runtime.install(request, signal), { status: "installed" });
  const { resultDirectory } = request;
  assert.equal(existsSync(join(resultDirectory, "same")), false);
  assert.equal(await readFile(join(resultDirectory, "deps/bin/a"), "utf8"), "new\n");
  assert.equal((await stat(join(resultDirectory, "changed"))).mode & 0o777, 0o755);
  await runtime.start(
    host.request(1, "cat same deps/bin/a changed", {
      appLayers: [
        { directory: resultDirectory, uidBase: 0 },
        { directory: join(host.dataDirectory, "code"), uidBase: 0 },
      ],
    }),
  );
  await until(() => host.ended.length === 1);
  assert.deepEqual(await host.lines("stdout"), ["codenew", "codemore"]);
  assert.deepEqual(await runtime.install({ ...request, command: "echo x > half; exit 3" }, signal), {
    status: "failed",
    code: "install_failed",
    exitCode: 3,
  });
  assert.equal(existsSync(resultDirectory), false);
  assert.deepEqual(await runtime.install({ ...request, command: "sleep 3600", timeoutMs: 300 }, signal), {
    status: "failed",
    code: "install_timeout",
    exitCode: null,
  });
  await assert.rejects(runtime.install({ ...request, command: "sleep 3600" }, AbortSignal.timeout(300)), {
    name: "TimeoutError",
  });
  assert.equal(existsSync(join(dirname(resultDirectory), "work")), false);
});

test("a place that an install wrote down leads to where its result runs", async (t) => {
  const host = await testHost(t);
  const runtime = await host.open();
  const request = host.installRequest(
    "mkdir bin && echo hello > text && printf '#!/bin/sh\ncat %s/text\n' \"$(pwd)\" > bin/hello && chmod 755 bin/hello",
  );
  for (const _again of [1, 2])
    assert.deepEqual(await runtime.install(request, new AbortController().signal), { status: "installed" });
  const environment = { PATH: "/app/bin:/usr/bin" };
  await runtime.start(
    host.request(1, "hello", {
      environment,
      appLayers: [{ directory: request.resultDirectory, uidBase: 0 }],
    }),
  );
  await until(() => host.ended.length === 1);
  assert.deepEqual([await host.lines("stdout"), host.ended[0]?.exit?.code], [["hello"], 0]);
});

test("a site is given its own port where that is free, else another, and is told so", async (t) => {
  const taken = createServer().listen(0, "127.0.0.1");
  t.after(() => taken.close());
  await until(() => taken.listening);
  const { port } = taken.address() as AddressInfo;
  const host = await testHost(t);
  const runtime = await host.open();
  await runtime.start(
    host.request(1, 'echo "$HOST $PORT"', { environment: { PORT: String(port), HOST: "0.0.0.0" } }),
  );
  await until(() => host.ended.length === 1);
  const [, given] = /^127\.0\.0\.1 (\d+)$/.exec((await host.lines("stdout")).join()) ?? [];
  assert.ok(given !== undefined && given !== String(port), given);
  assert.ok(
    host.said.some((line) => line.includes(`PORT: ${given} (a porta ${port} está ocupada`)),
    host.said.join(),
  );
});

test("memory and CPU of the whole family are counted, and CPU never goes down", async (t) => {
  const host = await testHost(t);
  const runtime = await host.open();
  await runtime.start(
    host.request(
      1,
      "perl -e '$x = \"a\" x 40_000_000; 1 while (times)[0] < 1.2; print qq(done\\n); sleep 3600' & wait",
    ),
  );
  await until(async () => ((await runtime.usage()).get(projectId)?.cpuUsec ?? 0) >= 1_000_000);
  const counters = (await runtime.usage()).get(projectId);
  assert.ok(counters !== undefined && counters.memoryBytes > 30_000_000, JSON.stringify(counters));
  assert.equal(counters.runNumber, 1);
});

test("a run whose record cannot be read is not taken for one that was left half made: it goes on, and the agent says so", async (t) => {
  const host = await testHost(t);
  await (await host.open()).start(host.request(1, "exec sleep 3600"));
  const run = runOf(host.dataDirectory, 1);
  const { command } = (await findProcesses(run)) ?? {};
  assert.ok(command !== undefined);
  await rename(join(run, "run.json"), join(run, "kept"));
  await mkdir(join(run, "run.json")); // as good as a bad sector
  await assert.rejects(host.open(), { code: "EISDIR" });
  assert.ok(await isAlive(command));
  await rmdir(join(run, "run.json"));
  await rename(join(run, "kept"), join(run, "run.json"));
  const [found] = await (await host.open()).instances();
  assert.deepEqual([found?.runNumber, found?.exit], [1, null]);
});

test(
  "as another user without rights it does the same",
  { skip: process.getuid?.() !== 0 && "needs root to become another" },
  async (t) => {
    const host = await testHost(t);
    await mkdir(join(host.dataDirectory, "own"));
    execFileSync("chown", ["65534:65534", join(host.dataDirectory, "own")]);
    await chmod(host.dataDirectory, 0o755);
    const argv = [
      "--reuid=65534",
      "--regid=65534",
      "--clear-groups",
      process.execPath,
      join(import.meta.dirname, "test-program.ts"),
    ];
    const out = execFileSync("setpriv", [...argv, join(host.dataDirectory, "own")], {
      encoding: "utf8",
      env: { PATH: process.env["PATH"] ?? "" },
      timeout: 60_000,
    });
    assert.deepEqual(JSON.parse(out), { code: 7, lines: ["65534"] });
  },
);
