/**
 * Tests what a project might read of others: every place where a secret lies on this host is searched, from
 * inside.
 */

import assert from "node:assert/strict";
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Instance } from "../../../agent/src/runtime/runtime.ts";
import { ContainerHost, until } from "../support/host/container-host.ts";
import { outcomes, perlInside, perlOnHost } from "./attack.ts";

/** Secret that is found nowhere else, and in no command line or program text that an attacker is given. */
const secret = `secret-of-${process.pid}-${Math.random().toString(36).slice(2)}`;
const halves = `'${secret.slice(0, 9)}' . '${secret.slice(9)}'`;

let host: ContainerHost;
let centralDirectory: string;
let victim: Instance;
const servers: Server[] = [];
let holder: ChildProcess;
before(async () => {
  host = await ContainerHost.create();
  centralDirectory = await mkdtemp(join(tmpdir(), "tijolo-central-"));
  await writeFile(join(centralDirectory, "master-keys"), secret);
  // What the agent keeps in its data directory, with the rights that it keeps them with.
  await writeFile(join(host.dataDirectory, "runs", "identity.pem"), secret, { mode: 0o600 });
  await writeFile(join(host.dataDirectory, "runs", "ledger.sqlite"), secret);
  holder = spawn("sleep", ["600"], { env: { ...process.env, HOST_SECRET: secret }, stdio: "ignore" });
  await host.writeCode("code.txt", secret, "prj_victim");
  victim = await host.start(
    `for d in /app /tmp /dev/shm /run /home/project; do echo "$SECRET" > $d/mine; done; echo "$SECRET"; exec perl -e '$kept = $ENV{SECRET}; sleep 600'`,
    {
      projectId: "prj_victim",
      environment: { PATH: "/usr/bin:/bin", SECRET: secret },
      uidBase: 2_100_000_000 - (2_100_000_000 % 65_536),
    },
  );
  await until(async () => (await host.log("prj_victim")).stdout.includes(secret));
});
after(async () => {
  holder.kill("SIGKILL");
  for (const server of servers) server.close();
  await host.runtime.stop("prj_victim", { graceMs: 100 });
  await host.runtime.forget(victim);
  for (const name of ["identity.pem", "ledger.sqlite"]) await rm(join(host.dataDirectory, "runs", name));
  await rm(centralDirectory, { recursive: true, force: true });
  await host[Symbol.asyncDispose]();
});

/** Prints each file below its arguments, and each of /proc's of every process, that holds the secret. */
const search = `my $secret = ${halves}; my $looked = 0;
  sub look { my ($file) = @_; open(my $in, '<', $file) or return; $looked++; read($in, my $text, 4 << 20); print "$file found\\n" if index($text, $secret) >= 0 }
  my @waiting = @ARGV;
  while (defined(my $path = shift @waiting)) {
    next if -l $path || $path =~ m{^/+(proc|sys|dev/(?!shm)|run/tijolo/run)};
    if (-d _) { opendir(my $names, $path) or next; push @waiting, map { $path eq '/' ? "/$_" : "$path/$_" } grep { !/^\\.\\.?$/ } readdir $names }
    elsif (-f _ && -s _ < 1 << 20) { look($path) }
  }
  for my $process (glob '/proc/[0-9]*') { look("$process/$_") for qw(environ cmdline root/app/mine root/tmp/mine cwd/mine) }
  print "looked ", $looked > 20 ? 'enough' : $looked, "\\n";`;

test("a search through all files and processes finds the secrets on the host, and inside only the project's own", async () => {
  const outside = outcomes(perlOnHost(search, [host.dataDirectory, centralDirectory]));
  for (const path of [
    join(centralDirectory, "master-keys"),
    join(host.dataDirectory, "runs/identity.pem"),
    join(host.dataDirectory, "runs/ledger.sqlite"),
    join(host.dataDirectory, "projects/prj_victim/versions/1/code/code.txt"),
    join(host.dataDirectory, "projects/prj_victim/disk/app/mine"),
    join(host.dataDirectory, "projects/prj_victim/disk/home/mine"),
    `/proc/${holder.pid}/environ`,
  ]) {
    assert.equal(outside.get(path), "found", `${path} is not where it is looked for`);
  }
  assert.ok(
    [...outside.keys()].some((path) => path.endsWith("/root/app/mine")),
    "nor in the victim's own root",
  );

  // The search itself works inside, too: it finds what the attacker put there.
  await host.writeCode("decoy.txt", secret);
  const exit = await perlInside(host, search, {
    args: ["/"],
    limits: { memoryMb: 256, cpuPercent: null, cpuWeight: 100, pids: 64 },
  });
  assert.deepEqual(exit.stdout, ["/app/decoy.txt found", "looked enough"], exit.stderr.join("\n"));
});

test("paths of the host that are known by heart lead nowhere, however they are walked", async () => {
  const target = join(centralDirectory, "master-keys");
  const program = `my ($target) = @ARGV; my $found = 0;
    for my $root ('', '/proc/1/root', '/proc/self/root', '/proc/self/cwd/../../../../..', '/proc/1/cwd/../../..', '/run/host/incoming/../../../..', '/run/host/inaccessible/../../..', '/sys/fs/cgroup/../../..', map { "/proc/self/fd/$_/../../../../.." } 0 .. 9) {
      $found++ if open(my $file, '<', "$root$target");
    }
    my $hop = "/tmp/hop-$$"; symlink "../../../../../../../../../..$target", $hop; $found++ if open(my $file, '<', $hop); unlink $hop;
    my ($inside) = (stat '/')[1]; $found++ if grep { my ($other) = (stat $_)[1]; defined $other && $other != $inside } qw(/proc/1/root /proc/self/root /..);
    print "found $found\\n";`;
  const outside = outcomes(perlOnHost(program, [target]));
  assert.ok(
    Number(outside.get("found")) > 3,
    `the attack itself does not work: ${JSON.stringify([...outside])}`,
  );
  assert.deepEqual((await perlInside(host, program, { args: [target] })).stdout, ["found 0"]);
});

test("sockets of the host's programs are out of reach: by path, by abstract name, on the loopback address", async () => {
  const path = join(host.dataDirectory, "runs", "agent.socket");
  const name = `tijolo-${process.pid}`;
  servers.push(createServer((socket) => socket.destroy()).listen(path));
  servers.push(createServer((socket) => socket.destroy()).listen(0, "127.0.0.1"));
  await Promise.all(servers.map((server) => once(server, "listening")));
  const address = servers[1]?.address();
  assert.ok(address !== undefined && address !== null && typeof address === "object");
  const abstract = spawn(
    "perl",
    [
      "-e",
      `use Socket; socket(my $s, AF_UNIX, SOCK_STREAM, 0); bind($s, pack_sockaddr_un("\\0${name}")) or die $!; listen($s, 9); $| = 1; print "listening\\n"; sleep 60`,
    ],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  await once(abstract.stdout, "data");
  const program = `use Socket; my ($path, $name, $port) = @ARGV;
    sub try { my ($what, $family, $address) = @_; socket(my $s, $family, SOCK_STREAM, 0) or die $!; $! = 0; print "$what ", connect($s, $address) ? 'connected' : $! + 0, "\\n" }
    try('path', AF_UNIX, pack_sockaddr_un($path)); try('abstract', AF_UNIX, pack_sockaddr_un("\\0$name")); try('loopback', AF_INET, pack_sockaddr_in($port, inet_aton('127.0.0.1')));`;
  const args = [path, name, String(address.port)];
  try {
    assert.deepEqual(perlOnHost(program, args), [
      "path connected",
      "abstract connected",
      "loopback connected",
    ]);
    assert.deepEqual((await perlInside(host, program, { args })).stdout, [
      "path 2",
      "abstract 111",
      "loopback 111",
    ]);
  } finally {
    abstract.kill("SIGKILL");
    servers[0]?.close();
    await rm(path, { force: true });
  }
});

test("keys, messages and shared memory of the host and of other projects are not seen", async () => {
  // The host's are one list for all tests.
  const [memoryKey, queueKey] = [0x7000_0000 + 2 * process.pid, 0x7000_0001 + 2 * process.pid];
  // The kernel's own call takes the name of a POSIX queue without its slash.
  const posixQueue = `my $name = "tijolo-${process.pid}\\0";`;
  const [mqOpen, mqUnlink] = process.arch === "x64" ? [240, 241] : [180, 181];
  const made = `${posixQueue} syscall(${mqOpen}, $name, 0102, 0666, 0) >= 0 or die "mq_open $!"; my $size = 4096; my $id = shmget(${memoryKey}, $size, 01666) // die "shmget $!"; my $queue = msgget(${queueKey}, 01666) // die "msgget $!";
    my $text = ${halves}; shmwrite($id, $text, 0, length $text) or die "shmwrite $!"; msgsnd($queue, pack('l! a*', 1, $text), 0) or die "msgsnd $!";`;
  const look = `my $id = shmget(${memoryKey}, 0, 0); my $queue = msgget(${queueKey}, 0); my $text = '';
    print "shm ", defined $id && shmread($id, $text, 0, 40) && index($text, ${halves}) == 0 ? 'read' : 'nothing', "\\n";
    print "queue ", defined $queue && msgrcv($queue, $text, 100, 0, 04000) ? 'read' : 'nothing', "\\n";
    ${posixQueue} print "posix queue ", syscall(${mqOpen}, $name, 0, 0, 0) >= 0 ? 'read' : 'nothing', "\\n";
    open(my $keys, '<', '/proc/keys'); print "keys ", scalar(grep { /tijolo-test-key/ } <$keys>) ? 'read' : 'nothing', "\\n";`;
  execFileSync("perl", ["-e", made]);
  try {
    const key = process.arch === "x64" ? 248 : 217;
    // In the user's keyring (-4), where everyone of the same user may see it.
    const withKey = `my ($type, $name, $text) = ("user\\0", "tijolo-test-key\\0", 'x'); my $key = syscall(${key}, $type, $name, $text, 1, -4); die "add_key $!" if $key < 0; ${look}`;
    assert.deepEqual(perlOnHost(withKey), ["shm read", "queue read", "posix queue read", "keys read"]);
    execFileSync("perl", [
      "-e",
      made
        .replace(`shmget(${memoryKey}, $size, 01666)`, `shmget(${memoryKey}, 0, 0)`)
        .replace("01666)", "0)"),
    ]);
    assert.deepEqual((await perlInside(host, look)).stdout, [
      "shm nothing",
      "queue nothing",
      "posix queue nothing",
      "keys nothing",
    ]);
    assert.deepEqual(
      (await perlInside(host, `${made} print "made\\n"`)).stdout,
      ["made"],
      "a project may use its own",
    );
    assert.deepEqual(
      (await perlInside(host, look)).stdout,
      ["shm nothing", "queue nothing", "posix queue nothing", "keys nothing"],
      "and they end with its run",
    );
  } finally {
    execFileSync("ipcrm", ["-M", String(memoryKey), "-Q", String(queueKey)]);
    execFileSync("perl", ["-e", `${posixQueue} syscall(${mqUnlink}, $name)`]);
  }
});
