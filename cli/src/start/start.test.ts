import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { until } from "../../../test/support/until.ts";
import type { LogRecord } from "./log-tail.ts";
import { takePlace } from "./running-start.ts";
import { Service, ServiceError, type ReturnPauses } from "./service.ts";
import { parseStartConfig } from "./start-config.ts";

const serves =
  'console.log(JSON.stringify({ level: 30, pid: process.pid, msg: "program serves" })); setInterval(() => {}, 1000);';

function makeDirectory(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), "tijolo-start-"));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** Makes a service that runs `program`, killed at the end of the test. */
function makeService(t: TestContext, program: string, returnPauses?: ReturnPauses) {
  const directory = makeDirectory(t);
  const entry = join(directory, "program.mjs");
  writeFileSync(entry, program);
  const records: LogRecord[] = [];
  const ends: [string, number | null][] = [];
  const environment: Record<string, string> = {
    PATH: process.env["PATH"] ?? "",
    COUNT_FILE: join(directory, "count"),
  };
  const service = new Service({
    name: "program",
    entry,
    nodeFlags: [],
    environment,
    logFile: join(directory, "program.log"),
    onRecord: (record) => records.push(record),
    onEnd: (how, returnsInMs) => ends.push([how, returnsInMs]),
    ...(returnPauses && { returnPauses }),
  });
  t.after(() => {
    service.kill();
    service[Symbol.dispose]();
  });
  return { service, records, ends, environment };
}

/** `count` is which run of the program this is, from 1 on. */
const countsRuns = `
  import { appendFileSync, readFileSync } from "node:fs";
  appendFileSync(process.env.COUNT_FILE, "x");
  const count = readFileSync(process.env.COUNT_FILE).length;
`;
const say = (message: string) => `console.log(JSON.stringify({ level: 30, msg: "${message}" }));`;
const quickPauses: ReturnPauses = { firstMs: 10, longestMs: 40, steadyMs: 3_600_000 };

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
  assert.equal(
    parseStartConfig({ XDG_DATA_HOME: "/data", TIJOLO_RUNTIME: "process" }).dataDirectory,
    "/data/tijolo",
  );
  assert.equal(
    parseStartConfig({ TIJOLO_DATA_DIRECTORY: "/here", TIJOLO_RUNTIME: "process" }).dataDirectory,
    "/here",
  );
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
  assert.deepEqual(ends, [["code 1", null]]);
});

test("a service that dies after it served is started again", async (t) => {
  const { service, records, ends } = makeService(t, serves);
  service.start();
  const { fields } = await service.waitForRecord(isServing, 10_000);
  const pid = Number(fields["pid"]);
  process.kill(pid, "SIGKILL");
  await until(() => records.filter(isServing).length === 2);
  assert.deepEqual(ends, [["SIGKILL", 1_000]]);
  assert.notEqual(records.findLast(isServing)?.fields["pid"], pid);
});

test("a service that keeps ending is started again for ever, after pauses that grow to a bound", async (t) => {
  const { service, ends } = makeService(t, `${say("program serves")} process.exitCode = 7;`, quickPauses);
  service.start();
  await until(() => ends.length >= 9);
  assert.deepEqual(
    ends.slice(0, 9),
    [10, 20, 40, 40, 40, 40, 40, 40, 40].map((pauseMs) => ["code 7", pauseMs]),
  );
});

test("the pauses are short again once a run was long enough", async (t) => {
  const servesSometimes = `${countsRuns} if (count === 1 || count === 4) ${say("program serves")}`;
  const { service, ends } = makeService(t, servesSometimes, { ...quickPauses, steadyMs: 0 });
  service.start();
  await until(() => ends.length >= 5);
  assert.deepEqual(
    ends.slice(0, 5).map(([, pauseMs]) => pauseMs),
    [10, 20, 40, 10, 20],
  );
});

test("a return that the system refuses is tried again", async (t) => {
  const { service, records, ends, environment } = makeService(t, `${countsRuns} ${serves}`, quickPauses);
  service.start();
  const { fields } = await service.waitForRecord(isServing, 10_000);
  environment["TOO_BIG"] = "x".repeat(8 * 1024 * 1024);
  process.kill(Number(fields["pid"]), "SIGKILL");
  await until(() => ends.length >= 3);
  assert.deepEqual(
    ends.slice(0, 3).map(([how]) => how),
    ["SIGKILL", "spawn E2BIG", "spawn E2BIG"],
  );
  delete environment["TOO_BIG"];
  await until(() => records.filter(isServing).length === 2);
});

test("a service that ended and will return is waited for", async (t) => {
  const { service, ends } = makeService(
    t,
    `${countsRuns} ${say("program serves")} if (count === 2) ${say("connected")} setTimeout(() => {}, count === 2 ? 60_000 : 0);`,
    { ...quickPauses, firstMs: 300 },
  );
  service.start();
  await until(() => ends.length === 1);
  await service.waitForRecord(({ message }) => message === "connected", 10_000);
});

test("a stop while a service pauses is its end", async (t) => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
  const { service, ends, environment } = makeService(t, `${countsRuns} ${say("program serves")}`, {
    ...quickPauses,
    firstMs: 60_000,
  });
  service.start();
  const timersBefore = timers();
  await until(() => ends.length === 1);
  const waiting = assert.rejects(
    service.waitForRecord(() => false, 60_000),
    ServiceError,
  );
  assert.equal(await service.stop(5_000), "was not running");
  await waiting;
  assert.ok(timers() <= timersBefore, "no timer keeps npm start");
  assert.ok(existsSync(environment["COUNT_FILE"] ?? ""));
});

test("of several starts at once one has the place, the others hear its pid, and it is given back at the end", async (t) => {
  const directory = join(makeDirectory(t), "data");
  const results = await Promise.all([1, 2, 3].map(() => takePlace(directory)));
  const places = results.flatMap((taken) => ("place" in taken ? [taken.place] : []));
  const pids = results.flatMap((taken) => ("pid" in taken ? [taken.pid] : []));
  assert.deepEqual([places.length, pids], [1, [process.pid, process.pid]]);
  await places[0]?.[Symbol.asyncDispose]();
  assert.equal(existsSync(join(directory, "start.pid")), false);
  const again = await takePlace(directory);
  assert.ok("place" in again);
  await again.place[Symbol.asyncDispose]();
});

test("a place that a dead start left is taken, whatever has its pid by now", async (t) => {
  const directory = makeDirectory(t);
  const file = join(directory, "start.pid");
  writeFileSync(file, "1\n");
  const taken = await takePlace(directory);
  assert.ok("place" in taken);
  assert.equal(readFileSync(file, "utf8"), `${process.pid}\n`);
  await taken.place[Symbol.asyncDispose]();
});
