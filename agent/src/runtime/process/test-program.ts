/**
 * Installs and runs for a test one project in the data directory that the argument names, as the user who
 * started it, and prints how it ended.
 */

import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { LocalPorts } from "./local-ports.ts";
import { ProcessRuntime } from "./process-runtime.ts";

const [dataDirectory = ""] = process.argv.slice(2);
const silent = { info: () => {}, warn: () => {}, error: () => {} };
const common = {
  projectId: "prj_a",
  versionNumber: 1,
  language: "node" as const,
  imageLayers: [],
  networkNamespace: "",
  resolvConf: "",
  bindReadOnly: [],
  uidBase: 0,
  hostname: "svc-a",
  environment: {},
  logDirectory: join(dataDirectory, "logs"),
  limits: { memoryMb: 100, cpuPercent: null, cpuWeight: 100, pids: 10 },
};
const code = join(dataDirectory, "code");
const resultDirectory = join(dataDirectory, "result");
await mkdir(code);
const runtime = await ProcessRuntime.create({
  dataDirectory,
  bootId: "boot",
  hostPath: process.env["PATH"] ?? "",
  ports: await LocalPorts.open(join(dataDirectory, "ports.json")),
  say: async () => {},
  logger: silent,
  clock: { now: () => new Date() },
});
const ended = new Promise<number | undefined>((resolve) => runtime.onExit(({ exit }) => resolve(exit?.code)));
const below = [{ directory: code, uidBase: 0 }];
await runtime.install(
  { ...common, appLayers: below, command: "id -u > user", resultDirectory, timeoutMs: 30_000 },
  new AbortController().signal,
);
const appLayers = [{ directory: resultDirectory, uidBase: 0 }, ...below];
await runtime.start({ ...common, appLayers, runNumber: 1, command: "cat user; exit 7" });
// The runtime itself keeps no program up.
const deadline = setTimeout(() => process.exit(1), 50_000);
const exitCode = await ended;
clearTimeout(deadline);
const log = await readFile(join(dataDirectory, "logs", "stdout", "1-.log"), "utf8");
const lines = log.split("\n").flatMap((line) => (line === "" ? [] : [line.slice(line.indexOf(" ") + 1)]));
await runtime.remove("prj_a");
await runtime.close();
process.stdout.write(JSON.stringify({ code: exitCode, lines }));
