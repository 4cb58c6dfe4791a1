import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import type { LogRecord } from "./log-tail.ts";
import { takePlace } from "./running-start.ts";
import { Service, ServiceError } from "./service.ts";
import { parseStartConfig } from "./start-config.ts";

const serves = 'console.log(JSON.stringify({ level: 30, pid: process.pid, msg: "program serves" })); setInterval(() => {}, 1000);';

function makeDirectory(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), "tijolo-start-"));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** A service that runs `program`, killed at the end of the test. */
function makeService(t: TestContext, program: string) {
  const directory = makeDirectory(t);
  const entry = join(directory, "program.mjs");
  writeFileSync(entry, program);
  const records: LogRecord[] = [];
  const ends: [string, boolean][] = [];
  const service = new Service({
    name: "program",
    entry,
    nodeFlags: [],
    environment: { PATH: process.env["PATH"] ?? "" },
    logFile: join(directory, "program.log"),
    onRecord: (record) => records.push(record),
    onEnd: (how, willReturn) => ends.push([how, willReturn]),
  });
  t.after(() => {
    service.kill();
    service[Symbol.dispose]();
  });
  return { service, records, ends };
}

const isServing = (record: LogRecord) => record.message === "program serves";

test("each program gets its own settings and none of the other's", () => {
  const { centralEnvironment, agentEnvironment } = parseStartConfig({
    PATH: "/bin",
    TIJOLO_DATA_DIRECTORY: "/data",
    TIJOLO_LISTEN: "127.0.0.1:1",
    TIJOLO_AGENT_NAME: "a",
    TIJOLO_KEY: "svc_secret",
    TIJOLO_LANG: "en",
  });
  assert.deepEqual(centralEnvironment, {
    PATH: "/bin",
    TIJOLO_LISTEN: "127.0.0.1:1",
    TIJOLO_DATA_DIRECTORY: "/data/central",
    TIJOLO_BOOTSTRAP_FILE: "/data/central/first-operator-token",
  });
  assert.deepEqual(agentEnvironment, {
    PATH: "/bin",
    TIJOLO_AGENT_NAME: "a",
    TIJOLO_DATA_DIRECTORY: "/data/agent",
    TIJOLO_JOIN_TOKEN_FILE: "/data/join-token",
  });
  assert.throws(() => parseStartConfig({ TIJOLO_LISTN: "x" }), /TIJOLO_LISTN/);
  assert.throws(() => parseStartConfig({ TIJOLO_DATA_DIRECTORY: "here" }), /absolute/);
});

test("the process runtime is chosen by name only, and has its place with its user", () => {
  assert.equal(parseStartConfig({ HOME: "/home/ana" }).dataDirectory, "/var/lib/tijolo");
  const { runtime, dataDirectory, agentEnvironment, centralEnvironment } = parseStartConfig({
    HOME: "/home/ana",
    TIJOLO_RUNTIME: "process",
  });
  assert.deepEqual([runtime, dataDirectory], ["process", "/home/ana/.local/share/tijolo"]);
  assert.equal(agentEnvironment["TIJOLO_RUNTIME"], "process");
  assert.equal("TIJOLO_RUNTIME" in centralEnvironment, false);
  assert.equal(parseStartConfig({ XDG_DATA_HOME: "/data", TIJOLO_RUNTIME: "process" }).dataDirectory, "/data/tijolo");
  assert.equal(parseStartConfig({ TIJOLO_DATA_DIRECTORY: "/here", TIJOLO_RUNTIME: "process" }).dataDirectory, "/here");
  assert.throws(() => parseStartConfig({ TIJOLO_RUNTIME: "proces" }), /TIJOLO_RUNTIME \(--runtime\) must be/);
});

test("a service is waited for by what it writes, and its log stays in its file", async (t) => {
  const { service, records } = makeService(t, `${serves} process.on("SIGTERM", () => process.exit(0));`);
  service.start();
  await service.waitForRecord(isServing, 10_000);
  assert.equal(await service.stop(5_000), "clean");
  assert.ok(records.some(isServing));
  assert.match(readFileSync(service.logFile, "utf8"), /program serves/);
  assert.equal(statSync(service.logFile).mode & 0o777, 0o600);
});

test("a service that does not stop is killed", async (t) => {
  const { service, ends } = makeService(t, `process.on("SIGTERM", () => {}); ${serves}`);
  service.start();
  await service.waitForRecord(isServing, 10_000);
  assert.equal(await service.stop(200), "killed");
  assert.deepEqual(ends, []);
});

test("a service that ends before it serves fails the wait, is not started again, and its words are heard", async (t) => {
  const { service, records, ends } = makeService(t, 'throw new Error("no port");');
  service.start();
  await assert.rejects(service.waitForRecord(isServing, 10_000), ServiceError);
  assert.ok(records.some((record) => record.level === 50 && record.message.includes("no port")));
  assert.deepEqual(ends, [["code 1", false]]);
});

test("a service that dies after it served is started again", async (t) => {
  const { service, records, ends } = makeService(t, serves);
  service.start();
  const { fields } = await service.waitForRecord(isServing, 10_000);
  const pid = Number(fields["pid"]);
  process.kill(pid, "SIGKILL");
  const deadline = Date.now() + 10_000;
  while (records.filter(isServing).length < 2) {
    assert.ok(Date.now() < deadline, "it came back");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  assert.deepEqual(ends, [["SIGKILL", true]]);
  assert.notEqual(records.findLast(isServing)?.fields["pid"], pid);
});

test("a place that a dead start left is taken, and given back at the end", (t) => {
  const file = join(makeDirectory(t), "start.pid");
  writeFileSync(file, "999999999\n");
  const taken = takePlace(file);
  assert.ok("place" in taken);
  assert.equal(readFileSync(file, "utf8"), `${process.pid}\n`);
  taken.place[Symbol.dispose]();
  assert.throws(() => statSync(file), { code: "ENOENT" });
});
