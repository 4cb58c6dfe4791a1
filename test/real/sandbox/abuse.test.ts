/**
 * One project takes all it can get, in its run and in its install: it meets its own limit, and neighbours and
 * agent go on answering.
 */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, test, type TestContext } from "node:test";
import { raiseSharedBudgets } from "../../../agent/src/host/checks/kernel-settings.ts";
import type { Instance } from "../../../agent/src/runtime/runtime.ts";
import { ContainerHost, until } from "../support/host/container-host.ts";

/** Bounds on a machine with other work to do; what was measured is printed beside them. */
const boundMs = { neighbour: 5_000, agent: 5_000 };
const abuseMs = 2_000;
/** Milliseconds of silence after which what the neighbour waits for is noted. */
const silenceMs = 1_000;
/** Least samples of each abuse, so that a 99th percentile says something. */
const minSamples = 300;
const port = 8_080;
const keptPort = 8_081;

let host: ContainerHost;
let neighbour: Instance;
let visitor: Visitor;
before(async () => {
  await raiseSharedBudgets();
  host = await ContainerHost.create();
  await host.writeCode("serve.pl", serve, "prj_neighbour");
  neighbour = await host.start("exec perl serve.pl", { projectId: "prj_neighbour" });
  await until(async () => (await host.log("prj_neighbour")).stdout.includes("up"));
  visitor = new Visitor(host.networkNamespace);
  await until(() => visitor.visits.length > 20 && visitor.times.length > minSamples);
});
after(async () => {
  visitor.end();
  await host.runtime.stop("prj_neighbour", { graceMs: 100 });
  await host.runtime.forget(neighbour);
  await host[Symbol.asyncDispose]();
});

/**
 * A site that makes a file, a watch, a terminal and a process for each answer: what the abuse of one may deny
 * to others. On a second port it reads a file for whatever comes by a connection that is kept, and gives it
 * back.
 */
const serve = `use Socket; $| = 1; sub on { socket(my $server, AF_INET, SOCK_STREAM, 0); setsockopt($server, SOL_SOCKET, SO_REUSEADDR, 1);
    bind($server, pack_sockaddr_in($_[0], INADDR_ANY)) or die "bind: $!"; listen($server, 64); $server }
  my ($server, $kept) = (on(${port}), on(${keptPort})); print "up\\n";
  if (fork == 0) { while (accept(my $client, $kept)) { while (sysread($client, my $some, 4096)) {
    open(my $file, '<', 'serve.pl') or die "no file $!"; read($file, my $text, 512); close $file; syswrite($client, $some); } } exit }
  while (accept(my $client, $server)) {
    sysread($client, my $request, 4096);
    my $watch = syscall(${process.arch === "x64" ? "294" : "26"}, 0); my $watched = $watch >= 0 ? 'watch' : "no watch $!"; open(my $closing, '<&=', $watch) if $watch >= 0;
    my $terminal = open(my $pty, '+<', '/dev/ptmx') ? 'terminal' : "no terminal $!";
    my $text = \`echo process\`; open(my $file, '>', '/tmp/file') or $text = "no file $!"; print $file 'x' or $text = "no file $!"; close $file; chomp $text;
    syswrite($client, "HTTP/1.1 200 OK\\r\\nconnection: close\\r\\n\\r\\n$watched $terminal $text"); close $client;
  }`;

/**
 * Asks the neighbour from the host, as its gateway does: again and again by new connections, and every 5 ms
 * by one that is kept, whether or not the answers before have come. A time counts from when its question was
 * due.
 */
class Visitor {
  /** Times of each answer by the connection that is kept. */
  readonly times: number[] = [];
  /** Times of each answer by a connection of its own. */
  readonly visits: number[] = [];
  readonly wrong: string[] = [];
  /** Time of the last answer by the kept connection, on the clock of `performance.now()`. */
  heardAtMs = 0;
  /** Time of the last answer by a connection of its own, on the same clock. */
  visitedAtMs = 0;
  readonly #child;

  constructor(namespace: string) {
    const script = `const http = require("node:http"); const say = (what) => console.log(JSON.stringify(what));
      const visit = () => { const from = performance.now(); const told = (text) => { say({ visitMs: performance.now() - from, text }); setTimeout(visit, 20); };
        http.get({ host: "127.0.0.1", port: ${port}, agent: false, timeout: 30000 }, (answer) => { let text = ""; answer.on("data", (some) => (text += some)); answer.on("end", () => told(text)); })
          .on("timeout", function () { this.destroy(new Error("timeout")); }).on("error", (error) => told(error.message)); }; visit();
      const due = []; let next = performance.now();
      const kept = require("node:net").connect({ host: "127.0.0.1", port: ${keptPort}, noDelay: true }, () => { next = performance.now(); setInterval(ask, 5); });
      const ask = () => { for (; next <= performance.now(); next += 5) { due.push(next); kept.write("?"); } };
      kept.on("data", (some) => { const now = performance.now(); for (const at of due.splice(0, some.length)) say({ keptMs: now - at }); });
      kept.on("error", (error) => say({ lost: error.message })).on("close", () => say({ lost: "closed" }));`;
    this.#child = spawn("nsenter", [`--net=/run/netns/${namespace}`, process.execPath, "-e", script], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    createInterface({ input: this.#child.stdout }).on("line", (line) =>
      this.#heard(JSON.parse(line) as Heard),
    );
  }

  #heard({ keptMs, visitMs, text, lost }: Heard): void {
    if (keptMs !== undefined) {
      this.times.push(keptMs);
      this.heardAtMs = performance.now();
    }
    if (visitMs !== undefined) {
      this.visits.push(visitMs);
      this.visitedAtMs = performance.now();
    }
    if (text !== undefined && text !== "watch terminal process") this.wrong.push(text);
    if (lost !== undefined) this.wrong.push(lost);
  }

  end(): void {
    this.#child.kill("SIGKILL");
  }
}

interface Heard {
  keptMs?: number;
  visitMs?: number;
  text?: string;
  /** Reason why the connection that was to be kept is not there. */
  lost?: string;
}

interface Abuse {
  /** Perl; prints `held …` once it has met its limit, and goes on with its abuse. */
  program: string;
  /** Message of the limit that it must have met. */
  limit: RegExp;
  /** Cause of an end of its own. */
  endsBy?: "memory";
  /** True when it may meet its memory limit besides, and is ended by that. */
  mayRunOutOfMemory?: boolean;
}

const inotify = process.arch === "x64" ? 294 : 26;
const [mqOpen, sigqueue, sigprocmask] = process.arch === "x64" ? [240, 129, 14] : [180, 138, 135];

const abuses: Record<string, Abuse> = {
  "a fork bomb": {
    limit: /Resource temporarily unavailable/,
    // The kernel takes a process's memory before it refuses the process, counts it to the project, and gives
    // it back only later: when it is behind with that, a bomb meets its memory limit as well.
    mayRunOutOfMemory: true,
    program: `my $isTold; while (1) { my $child = fork; if (!defined $child) { print "held $!\\n" unless $isTold++; select undef, undef, undef, 0.001 } }`,
  },
  "a memory hog": {
    limit: /at its end/,
    program: `my @kept; print "held at its end\\n"; push @kept, 'x' x (4 << 20) while 1`,
    endsBy: "memory",
  },
  "a hog of memory that many processes share": {
    limit: /at its end/,
    program: `my $name = '/dev/shm/hog'; open(my $f, '>', $name); print "held at its end\\n"; for (1 .. 4) { last if fork == 0 } while (1) { print $f 'x' x (1 << 20) or select undef, undef, undef, 0.01 }`,
    endsBy: "memory",
  },
  "a hog of all processors": {
    limit: /16 busy/,
    program: `for (1 .. 16) { if (fork == 0) { 1 while 1 } } my $from = (times)[0]; print "held with 16 busy processes\\n"; 1 while 1`,
  },
  "a filler of /tmp": {
    limit: /No space left on device at 6\d{7}$/,
    program: `open(my $f, '>', '/tmp/large'); my $bytes = 0; $bytes += $_ while $_ = syswrite($f, 'x' x (1 << 16)); print "held $! at $bytes\\n"; while (1) { seek $f, 0, 0; syswrite($f, 'x' x (1 << 16)) for 1 .. 900 }`,
  },
  "a filler of inodes": {
    limit: /No space left on device at 65\d{3}$/,
    program: `my $made = 0; while (open(my $f, '>', "/tmp/$made")) { $made++ } print "held $! at $made\\n"; while (1) { unlink "/tmp/$_" and open(my $f, '>', "/tmp/$_") for 1 .. 1000 }`,
  },
  "a writer who flushes all the time": {
    limit: /pace/,
    program: `my $n = 0; while (1) { open(my $f, '>', 'flushed'); syswrite($f, 'x' x (4 << 20)); $f->sync if $f->can('sync'); syscall(${process.arch === "x64" ? 74 : 82}, fileno $f); print "held by the disk's pace\\n" if ++$n == 3 }`,
  },
  "a log flood": {
    limit: /pipe/,
    // Said again and again: a log keeps only its newest lines.
    program: `my $lines = "held by its pipe\\n" . ('flood ' . 'x' x 100 . "\\n") x 500; print $lines while 1`,
  },
  "a line without end": {
    limit: /pipe/,
    program: `print "held by its pipe\\n"; my $text = 'x' x 65536; print $text while 1`,
  },
  "a flood of connections": {
    limit: /Too many open files|nobody who listens/,
    program: `use Socket; my @kept; my $failed = 0; while (1) { my $s; if (!socket($s, AF_INET, SOCK_STREAM | 2048, 0)) { print "held $!\\n" unless $failed++; splice @kept, 0, 1000; next } connect($s, pack_sockaddr_in(9, INADDR_LOOPBACK)); push @kept, $s; print "held by nobody who listens\\n" if @kept == 500; }`,
  },
  "a flood of packets": {
    limit: /processor time/,
    program: `use Socket; for (1 .. 3) { last if fork == 0 } socket(my $s, AF_INET, SOCK_DGRAM, 0); my $n = 0; while (1) { send($s, 'x' x 1400, 0, pack_sockaddr_in(1 + int rand 65000, INADDR_LOOPBACK)); print "held by its processor time\\n" if ++$n == 5000 }`,
  },
  "a hog of descriptors": {
    limit: /Too many open files at \d{4}/,
    program: `my @kept; while (pipe(my $in, my $out)) { push @kept, $in, $out } print "held $! at ", scalar @kept, "\\n"; sleep 1 while 1`,
  },
  "a hog of watches": {
    limit: /Too many open files at 12\d$/,
    program: `my $n = 0; $n++ while syscall(${inotify}, 0) >= 0; print "held $! at $n\\n"; sleep 1 while 1`,
  },
  "a hog of terminals": {
    limit: /^at 256$/,
    program: `my @kept; while (open(my $pty, '+<', '/dev/ptmx')) { push @kept, $pty; last if @kept == 4096 } print "held at ", scalar @kept, "\\n"; sleep 1 while 1`,
  },
  "a hog of signals and message queues": {
    limit: /^at 102\d signals, \d queues/,
    program: `my $all = "\\xff" x 8; syscall(${sigprocmask}, 0, $all, 0, 8); my $info = pack('l4 x112', 40, 0, -1, 0); my $n = 0; $n++ while $n < 200_000 && syscall(${sigqueue}, $$ + 0, 40, $info) == 0; my $m = 0; while (1) { my $name = "q$m\\0"; last if syscall(${mqOpen}, $name, 66, 0600, 0) < 0; $m++ } print "held at $n signals, $m queues\\n"; sleep 1 while 1`,
  },
  "children that nobody collects": {
    limit: /Resource temporarily unavailable at \d\d$/,
    program: `my $n = 0; while (1) { my $child = fork; exit 0 if defined $child && $child == 0; if (!defined $child) { print "held $! at $n\\n" if $n; $n = 0; sleep 1 } else { $n++ } }`,
  },
};

const limits = { memoryMb: 128, cpuPercent: 100, cpuWeight: 100, pids: 64 };

for (const [index, [name, { program, limit, endsBy, mayRunOutOfMemory = false }]] of Object.entries(
  abuses,
).entries()) {
  // A project of its own for each, so that its log is.
  const projectId = `prj_abuse_${index}`;
  const installLog = `prj_installed_${index}`;

  test(`${name}, as a run`, async (t) => {
    await host.writeCode("abuse.pl", `$| = 1; ${program}`, projectId);
    const instance = await host.start("exec perl abuse.pl", { projectId, limits });
    try {
      await whileAbused(t, { projectId, section: "app", limit });
      if (endsBy !== undefined)
        await until(async () => ((await host.runtime.usage()).get(projectId)?.oomKills ?? 1) > 0);
    } finally {
      await host.runtime.stop(projectId, { graceMs: 100 });
    }
    const exit = await host.exitOf(instance);
    const isExpected =
      exit.isOutOfMemory === (endsBy === "memory") || (exit.isOutOfMemory && mayRunOutOfMemory);
    assert.ok(isExpected, JSON.stringify(exit));
    await host.runtime.remove(projectId);
  });

  test(`${name}, as an install step`, async (t) => {
    await host.writeCode("abuse.pl", `$| = 1; ${program}`);
    const abort = new AbortController();
    const logDirectory = join(host.dataDirectory, "logs", installLog, "install");
    const request = await host.installRequest("exec perl abuse.pl", { limits, logDirectory });
    const installing = host.runtime.install(request, abort.signal);
    let outcome = "";
    const isOver = installing.then(
      (installed) => (outcome = JSON.stringify(installed)),
      () => (outcome = "aborted"),
    );
    try {
      await whileAbused(t, { projectId: installLog, section: "install", limit });
      if (endsBy !== undefined) await until(() => outcome !== "");
    } finally {
      abort.abort(new Error("enough"));
      await isOver;
    }
    const isOutOfMemory = endsBy === "memory" || (mayRunOutOfMemory && outcome !== "aborted");
    assert.match(outcome, isOutOfMemory ? /install_out_of_memory/ : /aborted/);
    await host.runtime.remove("prj_test");
  });
}

interface Abused {
  projectId: string;
  section: "app" | "install";
  limit: RegExp;
}

/** From the moment the abuse has met its limit, for as long as it is to be borne. */
async function whileAbused(t: TestContext, { projectId, section, limit }: Abused): Promise<void> {
  const line = await until(
    async () => (await host.log(projectId, section)).stdout.find((each) => each.startsWith("held ")),
    60_000,
  );
  const held = line.slice("held ".length);
  assert.match(held, limit);
  const [from, visitsFrom] = [visitor.times.length, visitor.visits.length];
  const agentTimes: number[] = [];
  const silences: string[] = [];
  const untilMs = performance.now() + abuseMs;
  const isEnough = () => visitor.times.length >= from + minSamples && visitor.visits.length >= visitsFrom + 3;
  while (performance.now() < untilMs || !isEnough()) {
    const atMs = performance.now();
    await Promise.all([host.runtime.usage(), host.runtime.instances(), host.log("prj_neighbour")]);
    agentTimes.push(performance.now() - atMs);
    const silentMs = performance.now() - Math.min(visitor.heardAtMs, visitor.visitedAtMs);
    if (silentMs > silenceMs * (silences.length + 1) && silences.length < 3)
      silences.push(`silent for ${silentMs.toFixed(0)} ms:\n${waitsOfNeighbour()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.ok(performance.now() < untilMs + 60_000, "the neighbour does not answer any more");
  }
  const [times, visits] = [visitor.times.slice(from), visitor.visits.slice(visitsFrom)];
  t.diagnostic(
    `${held}; neighbour: ${figures(times)}; with a connection and a process: ${figures(visits)}; agent: ${figures(agentTimes)}`,
  );
  assert.deepEqual(visitor.wrong.splice(0), [], "the neighbour lacks something");
  for (const slowestMs of [Math.max(...times), Math.max(...visits)])
    assert.ok(slowestMs < boundMs.neighbour, `neighbour ${slowestMs} ms\n${silences.join("\n")}`);
  assert.ok(Math.max(...agentTimes) < boundMs.agent, `agent ${Math.max(...agentTimes)} ms`);
}

/**
 * Returns what the neighbour's processes wait for: their state, what they have run and waited for a processor
 * (`schedstat`, in nanoseconds), where they are in the kernel, and how long the whole machine waits.
 */
function waitsOfNeighbour(): string {
  const processes = readdirSync("/proc").filter((pid) =>
    /^(perl\0serve\.pl|echo\0process)\0/.test(readOr(`/proc/${pid}/cmdline`)),
  );
  const waits = processes.map((pid) =>
    ["stat", "schedstat", "stack"].map((file) => readOr(`/proc/${pid}/${file}`)).join("; "),
  );
  const machine = ["cpu", "io", "memory"].map((name) => readOr(`/proc/pressure/${name}`).split("\n")[0]);
  const stolen = readOr("/proc/stat").split("\n")[0];
  return [...waits, ...runnable(), ...machine, stolen].join("\n");
}

function readOr(path: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch (error) {
    return String(error);
  }
}

/** Returns each process that runs or would run: its processor, priority, ticks of a hundredth so far, and group. */
function runnable(): string[] {
  return readdirSync("/proc").flatMap((pid) => {
    const stat = readOr(`/proc/${pid}/stat`);
    const name = stat.slice(0, stat.lastIndexOf(")") + 1);
    // Numbered from the state, which is the third field (proc_pid_stat(5)).
    const fields = stat.slice(name.length + 1).split(" ");
    if (!/^\d+$/.test(pid) || fields[0] !== "R") return [];
    const group = /[:,]cpu(?:,[^:]*)?:(.*)/.exec(readOr(`/proc/${pid}/cgroup`))?.[1];
    return `${name}: processor ${fields[36]}, priority ${fields[15]}, ticks ${fields[11]} + ${fields[12]}, ${group}`;
  });
}

function figures(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (fraction: number) =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] ?? Number.NaN).toFixed(0);
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms (${sorted.length})`;
}
