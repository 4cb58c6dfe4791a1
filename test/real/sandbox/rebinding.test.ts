/**
 * Tests names of the outside that lead inside (DNS rebinding). Whoever owns a name decides which addresses it
 * has, so every answer reaches the project that asked. The firewall refuses, by the address.
 */

import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, connect, type Server } from "node:net";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { exec } from "../../../agent/src/host/exec.ts";
import { createNetwork, type Network, type ProjectNetwork } from "../../../agent/src/network/network.ts";
import { until } from "../../support/until.ts";
import { ContainerHost } from "../support/host/container-host.ts";
import { OutsideMachine } from "../support/network/outside-machine.ts";
import { removeDead } from "../support/host/remove-dead.ts";
import { perlInside } from "./attack.ts";

const upstreamModule = new URL("../../../agent/src/network/resolver/test-upstream.ts", import.meta.url).href;
/** Text that every machine of the test serves, where it must be reached or not. */
const greeting = "inside";
/** A private network beyond the machine, which the machine itself can reach. */
const privateAddress = "10.254.77.9";

/**
 * Prints `name address result` for each address that a name has; the result is what was read there, or the
 * error.
 */
const visitNames = `use Socket qw(:all); use Errno; my $port = shift;
  sub visit { my ($found) = @_; socket(my $socket, $found->{family}, SOCK_STREAM, 0) or return "$!";
    local $SIG{ALRM} = sub { die "timeout\\n" };
    my $read = eval { alarm 10; my $got; my $text = connect($socket, $found->{addr}) && sysread($socket, $got, 64) ? $got : "$!"; alarm 0; $text };
    return $read // "timeout"; }
  $| = 1;
  for my $name (@ARGV) {
    my ($error, @found) = getaddrinfo($name, $port, { socktype => SOCK_STREAM });
    print "$name - $error\\n" unless @found;
    for (@found) { my ($wrong, $address) = getnameinfo($_->{addr}, NI_NUMERICHOST | NI_NUMERICSERV);
      print "$name $address ", visit($_), "\\n" } }
  print "end\\n"`;

/** Asks for one record of any type and prints the answer in hexadecimal. */
const askRaw = `use Socket; my ($name, $type) = @ARGV; socket(my $s, AF_INET, SOCK_DGRAM, 0);
  send($s, pack("n6", 7, 0x100, 1, 0, 0, 0) . join("", map { pack("C/a", $_) } split /\\./, $name) . pack("Cnn", 0, $type, 1), 0, sockaddr_in(53, inet_aton("169.254.1.1")));
  alarm 10; recv($s, my $answer, 4096, 0); print unpack("H*", $answer), "\\n"`;

describe("a name that leads inside", { timeout: 300_000 }, () => {
  let directory: string;
  let machine: OutsideMachine;
  let host: ContainerHost;
  let network: Network;
  let project: ProjectNetwork;
  let foreign: ProjectNetwork;
  let server: Server;
  let port: number;
  const children: ChildProcess[] = [];
  const targets = () => ({
    host: hostAddresses(),
    gateway: ["169.254.1.1"],
    loopback: ["127.0.0.1", "127.0.0.53", "0.0.0.0"],
    foreign: [foreign.address],
    metadata: ["169.254.169.254", "168.63.129.16", "100.100.100.200"],
    private: [privateAddress, "10.0.0.1", "172.16.0.1", "192.168.0.1", "198.18.0.1"],
    resolver: ["10.231.19.0"],
    multicast: ["224.0.0.1", "255.255.255.255"],
  });
  const targets6 = () => [
    "::1",
    "fd00::1",
    "fe80::1",
    "fd00:ec2::254",
    `::ffff:${hostAddresses()[0]}`,
    `::ffff:${foreign.address}`,
    `::ffff:${privateAddress}`,
    "::ffff:169.254.169.254",
    `64:ff9b::${privateAddress}`,
  ];
  const names4 = () => Object.keys(targets()).map((name) => `${name}.example`);

  before(async () => {
    await removeDead();
    directory = await mkdtemp(join(tmpdir(), "tijolo-rebinding-"));
    machine = await OutsideMachine.create();
    host = await ContainerHost.create();
    network = await createNetwork({
      instanceName: `test-rebinding-${process.pid}`,
      cidr: "10.231.19.0/24",
      stateDirectory: join(directory, "network"),
      resolvers: [machine.address],
      poolSize: 0,
      logger: { info() {}, warn() {} },
    });
    [project, foreign] = await Promise.all([
      network.claim("one", { accountId: "A" }),
      network.claim("two", { accountId: "B" }),
    ]);
    server = createServer((socket) => socket.on("error", () => {}).end(greeting)).listen(0, "0.0.0.0");
    await once(server, "listening");
    const address = server.address();
    assert.ok(address !== null && typeof address === "object");
    port = address.port;
    const serve = `require("net").createServer((s) => s.on("error", () => {}).end("${greeting}")).listen(${port})`;
    children.push(
      spawn("nsenter", [`--net=${foreign.namespacePath}`, process.execPath, "-e", serve], {
        stdio: "inherit",
      }),
    );
    machine.start([process.execPath, "-e", serve]);
    machine.start(["ip", "address", "add", `${privateAddress}/32`, "dev", "lo"]);
    await exec(["ip", "route", "add", `${privateAddress}/32`, "via", machine.address]);
    const records = JSON.stringify(recordsOf(targets(), targets6(), machine.address));
    // A buffer's JSON is an object with its type and its bytes.
    const names = `const records = JSON.parse(process.argv[1], (key, value) => (value?.type === "Buffer" ? Buffer.from(value.data) : value));
      const { FakeUpstream } = await import("${upstreamModule}");
      await FakeUpstream.open({ address: "${machine.address}", port: 53, records });`;
    machine.start([process.execPath, "--input-type=module", "-e", names, records]);
  });
  after(async () => {
    for (const child of children) child.kill("SIGKILL");
    await exec(["ip", "route", "delete", `${privateAddress}/32`]).catch(() => {});
    server.close();
    await network.destroy();
    await host[Symbol.asyncDispose]();
    await machine[Symbol.asyncDispose]();
    await rm(directory, { recursive: true, force: true });
  });

  const inside = (program: string, ...args: string[]) =>
    perlInside(host, program, {
      args,
      networkNamespace: project.namespacePath,
      resolvConf: project.resolvConf,
    });

  test("resolves, over A, AAAA and CNAME, and no connection to what it names is let through", async (t) => {
    // Without the firewall between them, each machine that listens is reached.
    for (const address of [
      ...hostAddresses(),
      "127.0.0.1",
      "169.254.1.1",
      foreign.address,
      privateAddress,
      machine.address,
    ]) {
      await until(async () => (await readFrom(address, port)) === greeting);
    }
    const names = ["outside.example", ...names4(), ...names4().map((name) => `chain-${name}`), "six.example"];
    const { stdout, stderr } = await inside(visitNames, String(port), ...names);
    assert.equal(stdout.at(-1), "end", stderr.join("\n"));
    const visits = stdout.slice(0, -1).map((line) => {
      const [name = "", address = "", ...result] = line.split(" ");
      return { name, address, result: result.join(" ") };
    });
    for (const { name, address, result } of visits) t.diagnostic(`${name} ${address}: ${result}`);
    assert.equal(
      visits.find(({ name }) => name === "outside.example")?.result,
      greeting,
      "names and connections work",
    );
    for (const [name, addresses] of Object.entries(targets())) {
      for (const form of [`${name}.example`, `chain-${name}.example`]) {
        const found = visits.filter((visit) => visit.name === form);
        assert.deepEqual(found.map(({ address }) => address).sort(), [...addresses].sort(), form);
      }
    }
    assert.deepEqual(
      visits.filter(({ name, result }) => name !== "outside.example" && result === greeting),
      [],
    );
    // Refused at once, or no way there: nothing is left to time out.
    assert.deepEqual(
      visits.filter(({ result }) => result === "timeout" || result === ""),
      [],
    );
  });

  test("hands a program the addresses that stand in HTTPS records, and they are refused in the same way", async () => {
    const { stdout } = await inside(askRaw, "host.example", "65");
    const hint = Buffer.from(hostAddresses()[0]?.split(".").map(Number) ?? []).toString("hex");
    assert.ok(stdout[0]?.includes(hint), stdout.join());
  });

  test("an answer cannot give another account's project a name", async () => {
    const { stdout } = await inside(visitNames, String(port), "alias.example", "svc-cccccccc");
    assert.match(stdout.find((line) => line.startsWith("svc-cccccccc")) ?? "", / - /);
    assert.ok(!stdout.some((line) => line.endsWith(greeting)), stdout.join("\n"));
  });
});

/** Returns records by name and type, as `FakeUpstream` takes them. */
function recordsOf(
  targets: Record<string, string[]>,
  targets6: readonly string[],
  outside: string,
): Record<string, unknown[]> {
  const records: Record<string, unknown[]> = {
    "outside.example A": [{ type: "A", name: "outside.example", ttl: 0, data: outside }],
    "six.example AAAA": targets6.map((data) => ({ type: "AAAA", name: "six.example", ttl: 0, data })),
    "alias.example A": [{ type: "CNAME", name: "alias.example", ttl: 0, data: "svc-cccccccc" }],
  };
  for (const [label, addresses] of Object.entries(targets)) {
    const name = `${label}.example`;
    const addressesOf = (owner: string) =>
      addresses.map((data) => ({ type: "A", name: owner, ttl: 0, data }));
    records[`${name} A`] = addressesOf(name);
    const steps = [`chain-${name}`, `a.${name}`, `b.${name}`, `c.${name}`];
    const chain = steps.slice(1).map((data, index) => ({ type: "CNAME", name: steps[index], ttl: 0, data }));
    records[`chain-${name} A`] = [...chain, ...addressesOf(`c.${name}`)];
  }
  // SvcPriority 1, the name itself, key 4 (ipv4hint) with one address (RFC 9460).
  const hint = Buffer.from([0, 1, 0, 0, 4, 0, 4, ...(targets["host"]?.[0]?.split(".").map(Number) ?? [])]);
  records["host.example UNKNOWN_65"] = [{ type: "UNKNOWN_65", name: "host.example", ttl: 0, data: hint }];
  return records;
}

function hostAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flat()
    .flatMap((each) => (each?.family === "IPv4" && !each.internal ? [each.address] : []))
    .slice(0, 3);
}

/** Returns what this machine reads there, or the error. */
function readFrom(address: string, port: number): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, address);
    socket.setTimeout(5_000, () => socket.destroy(new Error("timeout")));
    socket.once("data", (data) => {
      resolve(String(data));
      socket.destroy();
    });
    socket.once("error", (error) => resolve(error.message));
    socket.once("close", () => resolve(""));
  });
}
