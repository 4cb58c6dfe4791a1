/** Opens for tests a data directory with a process runtime on it, as one agent after the other opens it. */

import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import type { OwnerMessage } from "@tijolo/protocol";
import type { InstallRequest, Instance, StartRequest } from "../runtime.ts";
import { LocalPorts } from "./local-ports.ts";
import { ProcessRuntime } from "./process-runtime.ts";
import { ownerText } from "../../../../test/support/projects/owner-text.ts";

const clock = { now: () => new Date() };
const silent = { info: () => {}, warn: () => {}, error: () => {} };

export interface TestHost {
  dataDirectory: string;
  /** Directory where the project writes. */
  app: string;
  ended: Instance[];
  /** Lines that the runtime wrote to the project's owner. */
  said: string[];
  open(options?: { bootId?: string; hostPath?: string }): Promise<ProcessRuntime>;
  request(runNumber: number, command: string, changes?: Partial<StartRequest>): StartRequest;
  installRequest(command: string, changes?: Partial<InstallRequest>): InstallRequest;
  /** Returns the texts of a stream's lines. */
  lines(stream: "stdout" | "stderr"): Promise<string[]>;
}

export const projectId = "prj_a";

/** Makes a test host; every project is removed at the end of the test. */
export async function testHost(t: TestContext): Promise<TestHost> {
  const dataDirectory = await mkdtemp(join(tmpdir(), "tijolo-process-"));
  const ended: Instance[] = [];
  const said: string[] = [];
  const opened: ProcessRuntime[] = [];
  await mkdir(join(dataDirectory, "code"));
  const open: TestHost["open"] = async ({ bootId = "boot", hostPath = process.env["PATH"] ?? "" } = {}) => {
    const ports = await LocalPorts.open(join(dataDirectory, "ports.json"));
    const say = async (_projectId: string, _section: string, message: OwnerMessage) =>
      void said.push(ownerText(message));
    const runtime = await ProcessRuntime.create({
      dataDirectory,
      bootId,
      hostPath,
      ports,
      say,
      logger: silent,
      clock,
    });
    runtime.onExit((instance) => ended.push(instance));
    opened.push(runtime);
    return runtime;
  };
  t.after(async () => {
    for (const runtime of opened) await runtime.close();
    const last = await open();
    await last.remove(projectId);
    await last.close();
    await rm(dataDirectory, { recursive: true, force: true });
  });
  const request: TestHost["request"] = (runNumber, command, changes = {}) => ({
    ...requestOn(dataDirectory, runNumber, command),
    ...changes,
  });
  return {
    dataDirectory,
    app: join(dataDirectory, "projects", projectId, "disk", "app"),
    ended,
    said,
    open,
    request,
    installRequest: (command, changes = {}) => ({
      ...request(0, command),
      resultDirectory: join(dataDirectory, "projects", projectId, "versions", "1", "dependencies"),
      timeoutMs: 30_000,
      ...changes,
    }),
    lines: (stream) => readLines(join(logDirectoryOn(dataDirectory), stream)),
  };
}

function logDirectoryOn(dataDirectory: string): string {
  return join(dataDirectory, "logs", projectId, "app");
}

/** Returns the request of a run whose code lies in `code` of the data directory. */
function requestOn(dataDirectory: string, runNumber: number, command: string): StartRequest {
  return {
    projectId,
    versionNumber: 1,
    runNumber,
    language: "node",
    imageLayers: [],
    appLayers: [{ directory: join(dataDirectory, "code"), uidBase: 0 }],
    networkNamespace: "",
    resolvConf: "",
    bindReadOnly: [],
    uidBase: 0,
    hostname: "svc-a",
    environment: { HOME: "/home/project", PATH: "/app/node_modules/.bin:/usr/bin" },
    command,
    logDirectory: logDirectoryOn(dataDirectory),
    limits: { memoryMb: 100, cpuPercent: null, cpuWeight: 100, pids: 10 },
  };
}

/** Returns the texts of a stream's lines, without their times. */
async function readLines(directory: string): Promise<string[]> {
  const names = (await readdir(directory).catch(() => [])).filter((name) => name.endsWith(".log"));
  const texts = await Promise.all(names.map((name) => readFile(join(directory, name), "utf8")));
  return texts
    .join("")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.replace(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z /, ""));
}

export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (!(await condition())) {
    assert.ok(Date.now() < deadline, "not in time");
    await delay(20);
  }
}
