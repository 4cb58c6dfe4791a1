/**
 * Kernel interfaces that no project may use: every one is called, on the host and inside, with arguments that
 * do no harm.
 */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { refusedCalls } from "../../../agent/src/host/sandbox/seccomp.ts";
import { ContainerHost } from "../support/host/container-host.ts";
import { errors, outcomes, perlInside, perlOnHost } from "./attack.ts";

const { arch } = process;
if (arch !== "x64" && arch !== "arm64") throw new Error(`no call numbers for ${arch}`);
const refused = refusedCalls(arch);

let host: ContainerHost;
before(async () => {
  host = await ContainerHost.create();
});
after(() => host[Symbol.asyncDispose]());

/** -1 is no address, no descriptor, no process, no known flag: nothing is done where a call is allowed. */
const callThemAll = `$| = 1;
  for (@ARGV) {
    my ($name, $number) = split /:/;
    $! = 0;
    my $result = syscall($number + 0, (-1) x 6);
    print "$name ", $result == -1 ? $! + 0 : 'done', "\\n";
  }`;

test("every refused call reaches the kernel on the host and is refused inside", async (t) => {
  const args = [...refused].map(([name, { number }]) => `${name}:${number}`);
  const outside = outcomes(perlOnHost(callThemAll, args));
  const exit = await perlInside(host, callThemAll, { args });
  const inside = outcomes(exit.stdout);
  let shown = 0;
  for (const [name, { errno }] of refused) {
    assert.equal(inside.get(name), String(errno), name);
    if (outside.get(name) !== String(errno)) shown++;
  }
  t.diagnostic(`${refused.size} calls, of which ${shown} end differently for the host's root`);
  // A machine under lockdown refuses some to its root, too; and clone3 with a bad address is no measure of
  // anything.
  assert.ok(
    shown >= refused.size - 8,
    `only ${shown} of ${refused.size} are seen to work: ${JSON.stringify([...outside])}`,
  );
});

const sockets = { socket: arch === "x64" ? 41 : 198, socketpair: arch === "x64" ? 53 : 199 };
/** \`family type protocol\` lines of all that could be made. */
const makeSockets = `for (@ARGV) {
    my ($name, $family, $type, $protocol) = split /:/;
    $! = 0;
    my $result = syscall(${sockets.socket}, $family + 0, $type + 0, $protocol + 0);
    print "$name ", $result == -1 ? $! + 0 : 'made', "\\n";
  }`;

test("only sockets of ordinary programs can be made: none that loads a module, filters packets, or speaks to the machine below", async () => {
  const ordinary = ["tcp:2:1:0", "udp:2:2:17", "tcp6:10:1:6", "unix:1:1:0", "addresses:16:3:0"];
  const seldom = [
    "packet:17:3:0",
    "netfilter:16:3:12",
    "generic-netlink:16:3:16",
    "uevents:16:3:15",
    "audit:16:3:9",
    "vsock:40:1:0",
    "alg:38:5:0",
    "key:15:3:2",
    "tipc:30:1:0",
    "can:29:3:1",
    "bluetooth:31:3:0",
    "xdp:44:3:0",
    "rds:21:5:0",
    "sctp:2:1:132",
    "dccp:2:6:33",
    "l2tp:2:2:115",
    "udplite:10:2:136",
  ];
  const outside = outcomes(perlOnHost(makeSockets, [...ordinary, ...seldom]));
  const inside = outcomes((await perlInside(host, makeSockets, { args: [...ordinary, ...seldom] })).stdout);
  assert.deepEqual(
    [outside.get("packet"), outside.get("netfilter")],
    ["made", "made"],
    "the attack itself does not work",
  );
  for (const name of ordinary.map((each) => each.split(":")[0] ?? "")) {
    if (outside.get(name) === "made") assert.equal(inside.get(name), "made", name);
  }
  for (const each of seldom) {
    const [name = "", family = ""] = each.split(":");
    const isOrdinaryFamily = ["2", "10", "16"].includes(family);
    assert.equal(inside.get(name), isOrdinaryFamily ? "93" : String(errors.EAFNOSUPPORT), name);
  }
});

test("a program without executable memory cannot ask for it with a personality", async () => {
  const personality = arch === "x64" ? 135 : 92;
  const program = `for my $wanted (0x0400000, 0x0040000, 0xffffffff) {
    $! = 0; my $result = syscall(${personality}, $wanted); printf "%x %s\\n", $wanted, $result == -1 ? $! + 0 : 'done'; }`;
  assert.deepEqual(perlOnHost(program), ["400000 done", "40000 done", "ffffffff done"]);
  assert.deepEqual((await perlInside(host, program)).stdout, ["400000 1", "40000 1", "ffffffff done"]);
});

test(
  "calls by the numbers of another machine end the program",
  { skip: arch !== "x64" && "x86-64 only" },
  async (t) => {
    // int $0x80 with getpid's old number, in a page of its own: mov $20,%eax; int $0x80; ret
    const program = `my $code = "\\xb8\\x14\\x00\\x00\\x00\\xcd\\x80\\xc3";
    my $page = syscall(9, 0, 4096, 7, 0x22, -1, 0);
    die "mmap: $!" if $page == -1;
    open(my $memory, '+<', '/proc/self/mem') or die "mem: $!"; binmode $memory; sysseek($memory, $page, 0); syswrite($memory, $code);
    require DynaLoader; my $call = DynaLoader::dl_install_xsub('main::old_call', $page); $| = 1; print "calling\\n"; old_call(); print "came back\\n"; kill 'KILL', $$;`;
    const exit = await perlInside(host, program);
    assert.equal(exit.stdout[0], "calling", exit.stderr.join("\n"));
    assert.ok(!exit.stdout.includes("came back"));
    assert.equal(exit.code, 128 + 31, "SIGSYS");
    t.diagnostic(`exit ${exit.code}`);
  },
);
