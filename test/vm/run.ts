/** `pnpm test:vm`: runs tests inside a booted Debian 13 with systemd as PID 1 and cgroup v2. */

import { mkdir, readFile, rename } from "node:fs/promises";
import { globSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { findQemu } from "./find-qemu.ts";
import { installHostPackages } from "./host-packages.ts";
import { getImage } from "./image.ts";
import { runInternet } from "./internet/run-internet.ts";
import { runMachine, type MachineResult } from "./machine.ts";
import { makeRunDirectories } from "./run-directories.ts";
import { makeWorkDisk } from "./work-disk.ts";

const usage = `Usage: pnpm test:vm [options] [pattern …]
       pnpm test:vm internet

Boots Debian 13 with systemd and cgroup v2 in QEMU and runs test files inside, as root.
"internet" boots three instead, and installs a cluster on them: central and a gateway by the release, two hosts by the line, one of them behind NAT without UDP.
A pattern is a part of a test file's path; without one, all of test/vm, and of test/real the runtime, disk-quota, kernel-files and host-view.

  --network              the machine reaches the outside (NAT); without it, it has no network
  --test-name <regexp>   only tests whose name matches
  --minutes <number>     deadline of the tests (default 45)
  --list                 print the test files and end
  --help                 print this

Examples:
  pnpm test:vm
  pnpm test:vm internet
  pnpm test:vm systemd-host
  pnpm test:vm --test-name 'out of memory' real/runtime
  pnpm test:vm real/cluster/exits
`;

/**
 * Tests of what systemd and cgroup v2 decide otherwise than the machine of `npm test`. Of the languages,
 * three images and the service's own server: one emulated processor is slow at the others.
 */
const defaultFiles = [
  "test/vm/*.test.ts",
  "test/real/runtime/*.test.ts",
  "test/real/disks/disk-quota.test.ts",
  "test/real/sandbox/kernel-files.test.ts",
  "test/real/cluster/host-view.test.ts",
];
const anyFile = ["{agent,central,cli,protocol}/src/**/*.test.ts", "test/**/*.test.ts"];
const bootTimeoutMs = 300_000;
const silenceMs = 30_000;

const repository = resolve(import.meta.dirname, "../..");
const cacheDirectory = join(repository, ".tools/vm");
const startedAt = performance.now();

const stop = new AbortController();
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.on(name, () => stop.abort(new Error(`stopped by ${name}`)));

try {
  process.exitCode = await main();
} catch (error) {
  say(`FAILED: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = stop.signal.aborted ? 130 : 1;
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      network: { type: "boolean", default: false },
      "test-name": { type: "string" },
      minutes: { type: "string", default: "45" },
      list: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    process.stdout.write(usage);
    return 0;
  }
  const runTimeoutMs = Number(values.minutes) * 60_000;
  if (!(runTimeoutMs > 0)) return refuse("--minutes takes a number above 0");
  if (positionals.length === 1 && positionals[0] === "internet" && !values.list) return await internet();
  const files = testFiles(positionals);
  if (files.length === 0) return refuse(`no test file matches ${positionals.join(" ")}`);
  if (values.list) {
    process.stdout.write(`${files.join("\n")}\n`);
    return 0;
  }
  const refusal = problemOfThisMachine();
  if (refusal !== null) return refuse(refusal);

  await installHostPackages(say);
  await mkdir(cacheDirectory, { recursive: true });
  const qemu = await findQemu(cacheDirectory, say);
  const image = await getImage(cacheDirectory, say, stop.signal);

  await using directories = await makeRunDirectories(cacheDirectory);
  say("copying the working tree, its dependencies and Node to a disk");
  const testArguments = ["--test-concurrency=1", "--test-reporter=spec"];
  if (values["test-name"] !== undefined) testArguments.push(`--test-name-pattern=${values["test-name"]}`);
  testArguments.push(...files);
  const hasNetwork = values.network;
  const workDisk = await makeWorkDisk({
    repository,
    testCache: join(cacheDirectory, "test-cache"),
    directory: directories.files,
    testArguments,
    hasImages: files.some((file) => file.includes("cluster") || file.includes("languages")),
    hasNetwork,
    signal: stop.signal,
  });

  say(`booting, then running ${files.join(" ")}`);
  const pulse = startPulse();
  const result = await runMachine({
    qemu,
    image,
    workDisk,
    directory: directories.files,
    socketDirectory: directories.sockets,
    hasNetwork,
    bootTimeoutMs,
    runTimeoutMs,
    onLine: (line) => pulse.line(line),
    signal: stop.signal,
  });
  pulse.stop();
  if (stop.signal.aborted) {
    say("stopped; the machine is gone");
    return 130;
  }
  return await conclude(result, directories.files, files.length);
}

function problemOfThisMachine(): string | null {
  if (process.getuid?.() !== 0) return "must be run as root (it makes a Debian root file system)";
  return process.arch === "x64" ? null : "needs an x86-64 machine";
}

async function internet(): Promise<number> {
  const refusal = problemOfThisMachine();
  if (refusal !== null) return refuse(refusal);
  await installHostPackages(say);
  await mkdir(cacheDirectory, { recursive: true });
  await using directories = await makeRunDirectories(cacheDirectory);
  const code = await runInternet({ cacheDirectory, directories, say, signal: stop.signal });
  if (stop.signal.aborted) {
    say("stopped; the machines are gone");
    return 130;
  }
  say(code === 0 ? "PASSED: internet" : `FAILED: the drill ended with code ${code}`);
  return code;
}

function testFiles(patterns: string[]): string[] {
  if (patterns.length === 0) return globSync(defaultFiles, { cwd: repository }).sort();
  const files = globSync(anyFile, { cwd: repository, exclude: (path) => path.includes("node_modules") });
  return files.filter((file) => patterns.some((pattern) => file.includes(pattern))).sort();
}

/** Prints the machine's lines, and a sign of life where it is silent for long. */
function startPulse(): { line: (text: string) => void; stop: () => void } {
  const timer = setInterval(() => say("still running"), silenceMs);
  return {
    line: (text) => {
      timer.refresh();
      process.stdout.write(`  ${text}\n`);
    },
    stop: () => clearInterval(timer),
  };
}

async function conclude(result: MachineResult, directory: string, fileCount: number): Promise<number> {
  const console = join(directory, "console.log");
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
  const times = `boot ${result.bootMs === null ? "not finished" : seconds(result.bootMs)}, machine ${seconds(result.totalMs)}`;
  if (result.code === 0) {
    say(`PASSED: ${fileCount} test file(s); ${times}`);
    return 0;
  }
  const kept = join(cacheDirectory, "console.log");
  const tail = (await readFile(console, "utf8").catch(() => "")).split("\n").slice(-20).join("\n");
  await rename(console, kept).catch(() => {});
  if (result.code === null) process.stdout.write(`${tail}\n`);
  say(
    `FAILED: ${result.reason ?? `node --test ended with code ${result.code}`}; ${times}; console and journal: ${kept}`,
  );
  return result.code ?? 1;
}

function refuse(reason: string): number {
  process.stderr.write(`test:vm: ${reason}\n`);
  return 2;
}

function say(line: string): void {
  process.stdout.write(`[${((performance.now() - startedAt) / 1000).toFixed(1).padStart(6)} s] ${line}\n`);
}
