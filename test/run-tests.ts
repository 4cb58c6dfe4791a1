/**
 * Runs test files in stages with Node's own test runner, and tells of all of them as of one run: one report,
 * one summary at the end.
 */

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { run, type EventData } from "node:test";
import { spec } from "node:test/reporters";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { isTestFile, RunningTests, type TestEvent } from "./running-tests.ts";

export interface TestStage {
  /** Relative to the repository. They start in this order. */
  files: readonly string[];
  /** Number of files that run at a time, each in a process of its own. */
  atOnce: number;
}

type Summary = EventData.TestSummary;

/** A single test is given up after this; a file that hangs outside its tests has deadlines of its own. */
const timeoutMs = 600_000;
const longestShown = 15;
/**
 * `fileMs` is several times what the longest file takes on two processors, and `allMs` twice what all stages take
 * together, below the 90 minutes that continuous integration has. `afterLastTestMs` is how long a file's process may
 * live after its last test.
 */
const defaultDeadlines = { fileMs: 30 * 60_000, afterLastTestMs: 60_000, allMs: 75 * 60_000 };

/**
 * Runs the stages one after the other. Resolves with the exit code. `root` is the repository. After `allMs`,
 * and by a signal to this process, the files that run are named and ended and the others left out, and the
 * run has failed; a second signal ends this process at once.
 */
export async function runTests(
  root: string,
  stages: readonly TestStage[],
  deadlines: Partial<typeof defaultDeadlines> = {},
): Promise<number> {
  const { fileMs, afterLastTestMs, allMs } = { ...defaultDeadlines, ...deadlines };
  const fileDeadline = pathToFileURL(join(import.meta.dirname, "file-deadline.ts"));
  const execArgv = [
    `--test-timeout=${timeoutMs}`,
    `--import=${fileDeadline.href}?ms=${fileMs}&afterMs=${afterLastTestMs}`,
  ];
  using interruption = onInterruption();
  const signal = AbortSignal.any([interruption.signal, deadlineOf(allMs)]);
  const running = new RunningTests(root);
  let cutShort = "";
  signal.addEventListener("abort", () => {
    const { message } = signal.reason as Error;
    cutShort = `the run was ended: ${message}; these were running:\n${running.describe()}`;
  });
  const summaries: Summary[] = [];
  const files: FileTime[] = [];
  const stageTimes: string[] = [];
  const startedAtMs = performance.now();
  const filled = stages.filter(({ files }) => files.length > 0);
  async function* events(): AsyncGenerator<TestEvent> {
    for (const { files: stageFiles, atOnce } of filled) {
      if (signal.aborted) break;
      const stageStartedMs = performance.now();
      const options = { cwd: root, files: stageFiles, concurrency: atOnce, timeout: timeoutMs };
      for await (const event of run({ ...options, execArgv, signal }) as AsyncIterable<TestEvent>) {
        running.take(event);
        if (event.type === "test:complete") files.push(...timeOf(event.data as EventData.TestComplete));
        if (isSummaryOfAll(event)) summaries.push(event.data as Summary);
        else if (!isCountOfAll(event)) yield event;
      }
      const processes = `${stageFiles.length} processes, ${atOnce} at a time`;
      stageTimes.push(`${processes}: ${seconds(performance.now() - stageStartedMs)}`);
    }
    yield diagnostic([...stageTimes, ...byFolder(files), ...longestOf(files)].join("\n"), "info");
    if (cutShort !== "") yield diagnostic(cutShort, "error");
    yield* summaryOf(summaries, performance.now() - startedAtMs);
  }
  await pipeline(Readable.from(events()), new spec(), process.stdout, { end: false });
  return summaries.length === filled.length && summaries.every(({ success }) => success) ? 0 : 1;
}

/** Aborts after `ms`, with a reason that says so. */
function deadlineOf(ms: number): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(new Error(`it took longer than ${ms / 60_000} min`)), ms).unref();
  return controller.signal;
}

function diagnostic(message: string, level: "info" | "error"): TestEvent {
  return { type: "test:diagnostic", data: { nesting: 0, message, level } };
}

/** How long a test file took; with its process where it has one of its own. */
interface FileTime {
  /** Relative to the repository. */
  name: string;
  ms: number;
}

/** Returns the time of a test file that is complete. A group's time is the sum of its files', and left out. */
function timeOf({ name, details }: EventData.TestComplete): FileTime[] {
  return isTestFile(name) && !name.startsWith("test/groups/") ? [{ name, ms: details.duration_ms }] : [];
}

/** Files run beside each other, so the sums are more than the run takes. */
function byFolder(files: readonly FileTime[]): string[] {
  const sums = new Map<string, number>();
  for (const { name, ms } of files) {
    const folder = name
      .split("/")
      .slice(0, name.startsWith("test/real/") ? 3 : 2)
      .join("/");
    sums.set(folder, (sums.get(folder) ?? 0) + ms);
  }
  const folders = [...sums].sort(([, one], [, other]) => other - one);
  return ["sums by folder:", ...folders.map(([folder, ms]) => `  ${seconds(ms)} ${folder}`)];
}

/** Returns the files that took longest, so that a slow one is seen before it is too slow. */
function longestOf(files: readonly FileTime[]): string[] {
  const longest = files.toSorted((one, other) => other.ms - one.ms).slice(0, longestShown);
  return [
    `files that took longest, of ${files.length}:`,
    ...longest.map(({ name, ms }) => `  ${seconds(ms)} ${name}`),
  ];
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

/** Aborted by the first signal that would end this process. */
function onInterruption(): Disposable & { signal: AbortSignal } {
  const names = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  const controller = new AbortController();
  const stop = (name: NodeJS.Signals) => {
    controller.abort(new Error(`stopped by ${name}`));
    for (const each of names) process.off(each, stop);
  };
  for (const each of names) process.on(each, stop);
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      for (const each of names) process.off(each, stop);
    },
  };
}

/** True for the summary of a whole stage; that of a file names the file. */
function isSummaryOfAll({ type, data }: TestEvent): boolean {
  return type === "test:summary" && (data as Summary).file === undefined;
}

/** True for the counts that the runner prints at its end. */
function isCountOfAll({ type, data }: TestEvent): boolean {
  if (type !== "test:diagnostic") return false;
  const { file, message } = data as EventData.TestDiagnostic;
  return (
    file === undefined && /^(tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+$/.test(message)
  );
}

/** Yields the events with which the runner itself ends a run. */
function* summaryOf(summaries: readonly Summary[], durationMs: number): Generator<TestEvent> {
  const names = ["tests", "suites", "passed", "failed", "cancelled", "skipped", "todo", "topLevel"];
  const ofAll = (name: string) =>
    summaries.reduce((total, summary) => total + ((summary.counts as Record<string, number>)[name] ?? 0), 0);
  const counts = Object.fromEntries(names.map((name) => [name, ofAll(name)]));
  const { tests, suites, passed, failed, cancelled, skipped, todo } = counts;
  const lines = {
    tests,
    suites,
    pass: passed,
    fail: failed,
    cancelled,
    skipped,
    todo,
    duration_ms: durationMs,
  };
  for (const [name, value] of Object.entries(lines)) {
    yield { type: "test:diagnostic", data: { nesting: 0, message: `${name} ${value}`, level: "info" } };
  }
  yield {
    type: "test:summary",
    data: { success: summaries.every(({ success }) => success), counts, duration_ms: durationMs },
  };
}
