/**
 * Tests what a project might change of the host: through /proc and /sys, devices, nspawn's own socket, its
 * log, and what outlives its run.
 */

import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { defaultLogLimits } from "../../../agent/src/logs/writer/log-files.ts";
import { ContainerHost, until } from "../support/host/container-host.ts";
import { outcomes, perlInside, perlOnHost } from "./attack.ts";

let host: ContainerHost;
before(async () => {
  host = await ContainerHost.create();
});
after(() => host[Symbol.asyncDispose]());

/** Files opened for writing and closed again. */
const doorsOfTheKernel = [
  "/proc/sys/kernel/core_pattern",
  "/proc/sys/kernel/modprobe",
  "/proc/sys/kernel/hostname",
  "/proc/sys/kernel/pid_max",
  "/proc/sys/kernel/random/write_wakeup_threshold",
  "/proc/sys/vm/drop_caches",
  "/proc/sys/vm/overcommit_memory",
  "/proc/sys/vm/panic_on_oom",
  "/proc/sys/fs/binfmt_misc/register",
  "/proc/sys/fs/file-max",
  "/proc/sys/net/ipv4/ip_forward",
  "/proc/sys/net/ipv4/ip_unprivileged_port_start",
  "/proc/sys/user/max_user_namespaces",
  "/proc/sysrq-trigger",
  "/proc/irq/default_smp_affinity",
  "/proc/mtrr",
  "/proc/kpageflags",
  "/sys/kernel/uevent_helper",
  "/sys/kernel/mm/transparent_hugepage/enabled",
  "/sys/kernel/mm/ksm/run",
  "/sys/power/state",
  "/sys/devices/system/cpu/cpu1/online",
  "/sys/class/net/lo/uevent",
  "/sys/fs/cgroup/memory/release_agent",
  "/sys/fs/cgroup/cgroup.subtree_control.d",
];
/** Files opened for reading that show the memory or the log of the machine. */
const windowsOfTheKernel = [
  "/proc/kcore",
  "/proc/kmsg",
  "/dev/kmsg",
  "/dev/mem",
  "/proc/kpagecount",
  "/proc/slabinfo",
  "/proc/timer_list",
  "/sys/kernel/debug/sched/debug",
];

const openThem = `use Fcntl; for (@ARGV) { my ($how, $path) = split /:/; $! = 0;
  my $opened = sysopen(my $file, $path, ($how eq 'w' ? O_WRONLY : O_RDONLY) | O_NONBLOCK);
  my $text = ''; $opened = sysread($file, $text, 64) if $opened && $how eq 'r';
  print "$path ", $opened ? 'open' : $! + 0, "\\n"; }`;

test("no door of the kernel opens, and no window shows more than the container", async (t) => {
  const args = [
    ...doorsOfTheKernel.map((path) => `w:${path}`),
    ...windowsOfTheKernel.map((path) => `r:${path}`),
  ];
  const outside = outcomes(perlOnHost(openThem, args));
  const inside = outcomes((await perlInside(host, openThem, { args })).stdout);
  const shown = [...outside].filter(([, outcome]) => outcome === "open").map(([path]) => path);
  t.diagnostic(`open to the host's root: ${shown.length} of ${args.length}`);
  assert.ok(shown.length > 12, JSON.stringify([...outside]));
  assert.deepEqual(
    [...inside].filter(([, outcome]) => outcome === "open"),
    [],
  );
});

test("devices of the host are neither there nor can they be made, and a network device cannot be taken", async () => {
  const exit = await host.run(
    "find /dev -type b | wc -l; find /dev -type c | sort | tr '\\n' ' '; echo; for m in 660:b:254:0 666:c:1:1 666:c:10:200; do mknod -m ${m%%:*} /tmp/node $(echo ${m#*:} | tr : ' ') 2>/dev/null && echo made; done; true",
  );
  assert.equal(exit.stdout[0], "0");
  const devices = (exit.stdout[1] ?? "").trim().split(" ");
  assert.deepEqual(
    devices.filter(
      (path) =>
        !/^\/dev\/(null|zero|full|random|urandom|tty|ptmx|pts\/ptmx|pts\/\d+|net\/tun|console)$/.test(path),
    ),
    [],
  );
  assert.equal(exit.stdout.length, 2);
  const takeTun = `use Fcntl; sysopen(my $tun, '/dev/net/tun', O_RDWR) or do { print "tun ", $! + 0, "\\n"; exit }; my $request = pack('a16 s x14', 'tijolo-tun', 1); $! = 0; print "tun ", ioctl($tun, 0x400454ca, $request) ? 'made' : $! + 0, "\\n";`;
  assert.deepEqual(perlOnHost(takeTun), ["tun made"]);
  assert.match((await perlInside(host, takeTun)).stdout[0] ?? "", /^tun (1|2|13)$/);
});

test("a set-uid program gains nothing", async () => {
  // An upload carries no such bit; the image's own programs do.
  const exit = await host.run(
    "ls -l /usr/bin/su | cut -c1-10; cp /usr/bin/id /app/id; chmod 6755 /app/id; ls -l /app/id | cut -c1-10; /app/id -u; grep NoNewPrivs /proc/self/status; su -c id nobody < /dev/null > /dev/null 2>&1 && echo became; true",
  );
  assert.deepEqual(exit.stdout, ["-rwsr-xr-x", "-rwsr-sr-x", "0", "NoNewPrivs:\t1"]);
});

test("the socket that nspawn listens on takes no orders", async () => {
  const program = `use Socket; socket(my $s, AF_UNIX, SOCK_DGRAM, 0); my $sent = 0; my $missing = 0;
    for my $order ('READY=1', 'STOPPING=1', 'RELOADING=1', "MAINPID=1", "X_NSPAWN_LEADER_PID=1", "ERRNO=1", "EXIT_STATUS=0", "NOTIFYACCESS=all", "FDSTORE=1\\nFDNAME=x", "BARRIER=1", "x" x 60000, "\\0" x 1000, '') {
      for (1 .. 200) {
        for my $try (1 .. 500) {
          if (send($s, $order, MSG_DONTWAIT, pack_sockaddr_un('/run/host/notify'))) { $sent++; last }
          if ($!{ENOENT} || $!{ECONNREFUSED}) { $missing++; last }
          last if $! != 11; # the queue is full: nspawn gets its turn to read
          select undef, undef, undef, 0.002;
        }
      }
    }
    $| = 1; print $missing ? "missing\\n" : $sent > 100 ? "sent\\n" : "not sent: $!\\n"; exit 7;`;
  const exit = await perlInside(
    host,
    program.replaceAll("$!{ENOENT} || $!{ECONNREFUSED}", "$! == 2 || $! == 111"),
  );
  assert.deepEqual(
    [exit.stdout[0] === "sent" || exit.stdout[0] === "missing", exit.code, exit.cause],
    [true, 7, "exited"],
    exit.stdout[0],
  );
});

test("the files that carry a project's log cannot be replaced, cut or removed", async () => {
  const attempts = `for my $name (qw(stdout stderr code go)) {
      my $fifo = "/run/tijolo/run/$name";
      print "$name ", join(' ', map { $_ ? 'done' : $! + 0 } unlink($fifo), rename($fifo, "/run/tijolo/run/other"), rename("/tmp/mine", $fifo), symlink("/etc/passwd", "/run/tijolo/run/new"), chmod(0666, $fifo), link($fifo, "/tmp/link")), "\\n";
    }`;
  // The same in a directory of one's own.
  const own = (
    await perlInside(
      host,
      `mkdir '/tmp/d'; mkdir '/tmp/d/run'; for my $name (qw(stdout stderr code go)) { open(my $f, '>', "/tmp/d/run/$name") } open(my $f, '>', '/tmp/mine'); ${attempts.replaceAll("/run/tijolo/run", "/tmp/d/run")}`,
    )
  ).stdout;
  assert.ok(
    own.every((line) => line.includes("done")),
    own.join("\n"),
  );
  const exit = await perlInside(host, `open(my $f, '>', '/tmp/mine'); close $f; ${attempts}`);
  assert.equal(exit.stdout.length, 4);
  for (const line of exit.stdout) assert.doesNotMatch(line, /done/, line);
  assert.deepEqual((await host.run("echo still here")).stdout, ["still here"]);
});

test("a log line forges no other: control characters, terminal orders, bytes that are no text, and a line without end", async () => {
  const projectId = "prj_log";
  const program = `$| = 1; print "first\\n"; print "forged\\r2020-01-01T00:00:00.000Z fake\\n"; print "\\e]0;title\\a\\e[2J\\e[1;1H\\n"; print "\\xff\\xfe\\0\\xc3\\n"; print "x" x 65536 for 1 .. 320; print "\\nlast\\n";`;
  await perlInside(host, program, { projectId });
  const directory = join(host.dataDirectory, "logs", projectId, "app", "stdout");
  const texts = await Promise.all(
    (await readdir(directory))
      .filter((name) => name.endsWith(".log"))
      .map((name) => readFile(join(directory, name), "latin1")),
  );
  const lines = texts.join("").split("\n").slice(0, -1);
  assert.equal(lines.length, 6);
  for (const line of lines) assert.match(line, /^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z /);
  assert.ok(lines[1]?.includes("forged\r2020-01-01"), "kept as it was written");
  assert.match(lines[4] ?? "", /x\.\.\. \[\d+ bytes cut\]$/);
  assert.ok((lines[4] ?? "").length < defaultLogLimits.lineBytes + 100);
  assert.match(lines[5] ?? "", / last$/);
});

test("a crash leaves no image of its memory", async () => {
  const crash =
    "ulimit -c; (ulimit -c unlimited) 2>/dev/null || echo bounded; perl -e 'kill SEGV => $$'; ls /app; true";
  const exit = await host.run(crash, { projectId: "prj_crash" });
  assert.deepEqual(exit.stdout, ["0", "bounded"]);
});

const ignore = `$SIG{$_} = 'IGNORE' for qw(TERM HUP INT QUIT);`;
const wait = "sleep 1 while 1";
const [ptrace, setsid] = process.arch === "x64" ? [101, 112] : [117, 157];

/** Enough for one that forks: the memory of its processes that have ended is freed later. */
const limits = { memoryMb: 1024, cpuPercent: null, cpuWeight: 100, pids: 64 };

/** Each prints `armed` once it has done what it says. */
const survivors: Record<string, string> = {
  "forks twice into sessions of their own": `if (fork == 0) { syscall(${setsid}); if (fork == 0) { ${ignore} print "armed\\n" if getppid != $parent; ${wait} } exit } ${wait}`,
  "ignores every signal that can be ignored": `$SIG{$_} = 'IGNORE' for qw(HUP INT QUIT ILL TRAP ABRT BUS FPE USR1 SEGV USR2 PIPE ALRM TERM TSTP TTIN TTOU); kill TERM => $$; print "armed\\n"; ${wait}`,
  "stops itself": `my $child = fork; if ($child == 0) { kill STOP => $$; ${wait} } my $state = ''; until ($state =~ /\\) T/) { open(my $f, '<', "/proc/$child/stat"); $state = <$f> } print "armed\\n"; kill STOP => $$; ${wait}`,
  "moves into control groups of its own": `for my $name (qw(a a/b)) { mkdir "/sys/fs/cgroup/$name" } if (fork == 0) { ${ignore} open(my $f, '>', "/sys/fs/cgroup/a/b/cgroup.procs"); syswrite($f, $$); open(my $own, '<', '/proc/self/cgroup'); print "armed\\n" if grep { m{/a/b$} } <$own>; ${wait} } ${wait}`,
  "freezes a group of its own": `mkdir '/sys/fs/cgroup/cold'; if (fork == 0) { open(my $f, '>', '/sys/fs/cgroup/cold/cgroup.procs'); syswrite($f, $$); close $f; ${wait} }
    until (-s '/sys/fs/cgroup/cold/cgroup.procs' || do { open(my $f, '<', '/sys/fs/cgroup/cold/cgroup.procs'); <$f> }) { select undef, undef, undef, 0.01 }
    open(my $f, '>', '/sys/fs/cgroup/cold/cgroup.freeze'); syswrite($f, '1'); close $f;
    until (do { open(my $e, '<', '/sys/fs/cgroup/cold/cgroup.events'); grep { /frozen 1/ } <$e> }) { select undef, undef, undef, 0.01 } print "armed\\n"; ${wait}`,
  "traces another and holds it": `my $child = fork; if ($child == 0) { ${wait} } print "armed\\n" if syscall(${ptrace}, 0x4206, $child, 0, 0) == 0 && syscall(${ptrace}, 0x4207, $child, 0, 0) == 0; ${wait}`,
  "forks as fast as it can": `${ignore} $SIG{CHLD} = 'IGNORE'; my $forks = 0; while (1) { my $child = fork; if (defined $child && $child == 0) { for (1 .. 9) { my $next = fork; exit if $next } exit } print "armed\\n" if ++$forks == 50; }`,
  "leaves zombies up to its limit": `${ignore} my $isTold; while (1) { my $child = fork; exit 0 if defined $child && $child == 0; if (!defined $child) { print "armed\\n" unless $isTold++; sleep 1 } }`,
  "hangs in full pipes": `pipe(my $in, my $out); for (1 .. 5) { if (fork == 0) { ${ignore} syswrite($out, 'x' x 65536) while 1 } } do { vec(my $wanted = '', fileno $out, 1) = 1; select undef, my $ready = $wanted, undef, 0.05 or print("armed\\n"), sleep } while 1`,
};

/** Resolves once the program has printed it again, after `count` times. */
const sawArmed = (section: "app" | "install", count: number) =>
  until(async () => (await armedLines(section)) > count);

async function armedLines(section: "app" | "install"): Promise<number> {
  return (await host.log("prj_test", section)).stdout.filter((line) => line === "armed").length;
}

for (const [name, program] of Object.entries(survivors)) {
  const text = `$| = 1; my $parent = $$; ${program}`;

  test(`a program that ${name} does not survive a stop`, async () => {
    await host.writeCode("survivor.pl", text);
    const earlier = await armedLines("app");
    const instance = await host.start("exec perl survivor.pl", { limits });
    try {
      await sawArmed("app", earlier);
      assert.ok((await host.pids()).length >= 3);
    } finally {
      await host.runtime.stop("prj_test", { graceMs: 300 });
    }
    assert.deepEqual(await host.pids(), []);
    assert.equal((await host.exitOf(instance)).cause, "exited");
    await host.runtime.forget(instance);
  });

  test(`an install step that ${name} does not outlive its end`, async () => {
    await host.writeCode("survivor.pl", text);
    const earlier = await armedLines("install");
    const abort = new AbortController();
    const installing = host.runtime.install(
      await host.installRequest("exec perl survivor.pl", { limits }),
      abort.signal,
    );
    const isOver = assert.rejects(installing, /it is over/);
    await sawArmed("install", earlier).finally(() => abort.abort(new Error("it is over")));
    await isOver;
    assert.deepEqual(await host.pids(), []);
  });
}

test("an environment and a command line as large as they can be harm nobody", async () => {
  const program = `my %largest = (many => [('x') x 100_000], long => ['x' x 131_071], beyond => ['x' x 131_073], heap => [('x' x 100_000) x 40]);
    for my $name (sort keys %largest) { $! = 0; my $status = system('/bin/true', @{$largest{$name}}); print "$name ", $status == -1 ? $! + 0 : $status, "\\n" }`;
  const exit = await perlInside(host, program);
  assert.deepEqual(exit.stdout, ["beyond 7", "heap 7", "long 0", "many 0"]);
  const environment = Object.fromEntries(
    Array.from({ length: 500 }, (_, index) => [`VARIABLE_${index}`, "x".repeat(100)]),
  );
  const started = await host.run("env | grep -c ^VARIABLE_", {
    environment: { ...environment, PATH: "/usr/bin:/bin" },
  });
  assert.deepEqual(started.stdout, ["500"]);
});

test("shared memory, messages and semaphores of a project are in none of the kernel's lists of the host", async () => {
  // The host's are one list for all tests.
  const key = 0x7100_0000 + process.pid;
  const make = `shmget(${key}, 4096, 01600) // die "shmget $!"; msgget(${key}, 01600) // die "msgget $!"; semget(${key}, 1, 01600) // die "semget $!";`;
  const look = `for my $list (qw(shm msg sem)) { open(my $in, '<', "/proc/sysvipc/$list") or die $!; print "$list\\n" if grep { /^ *${key} / } <$in> }`;
  const exit = await perlInside(host, `${make} ${look}`);
  assert.deepEqual(exit.stdout, ["shm", "msg", "sem"], exit.stderr.join("\n"));
  assert.deepEqual(perlOnHost(look), []);
});
