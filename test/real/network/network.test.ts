/**
 * Projects reach their own account and the outside, and nothing else; all of it in the kernel of this
 * machine.
 */

import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { until } from "../../support/until.ts";
import { exec } from "../../../agent/src/host/exec.ts";
import { findHostNpmRegistry } from "../../../agent/src/images/npm-package.ts";
import { instanceNames } from "../../../agent/src/network/instance-names.ts";
import { deleteNamespaces, makeNamespaces, namespacePath } from "../../../agent/src/network/namespace.ts";
import { createNetwork, type Network, type ProjectNetwork } from "../../../agent/src/network/network.ts";
import { removeDead } from "../support/host/remove-dead.ts";

const silent = { info() {}, warn() {} };
const instanceName = `test-network-${process.pid}`;
const neighbourName = `test-neighbour-${process.pid}`;
const names = instanceNames(instanceName);

describe("the network of projects", { timeout: 600_000 }, () => {
  let directory: string;
  let network: Network;
  let children: ChildProcess[] = [];

  const open = (name = instanceName, cidr = "10.231.16.0/24") =>
    createNetwork({ instanceName: name, cidr, stateDirectory: join(directory, name), logger: silent });

  before(async () => {
    await removeDead();
    directory = await mkdtemp(join(tmpdir(), "tijolo-network-"));
  });
  after(() => rm(directory, { recursive: true, force: true }));
  beforeEach(async () => {
    network = await open();
  });
  afterEach(async () => {
    for (const child of children) child.kill("SIGKILL");
    children = [];
    await network.destroy();
    assert.deepEqual(await leftOf(instanceName), []);
  });

  /** Serves "hello" on a port inside. */
  async function listen(project: ProjectNetwork, port = 80): Promise<void> {
    const script = `require("net").createServer((s) => s.end("hello")).listen(${port}, () => console.log("listening"))`;
    const child = spawn("nsenter", [`--net=${project.namespacePath}`, process.execPath, "-e", script], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    children.push(child);
    await new Promise((resolve) => child.stdout?.once("data", resolve));
  }

  test("projects of one account connect on any port, also below 1024", async () => {
    const [one, two] = await Promise.all([
      network.claim("one", { accountId: "A" }),
      network.claim("two", { accountId: "A" }),
    ]);
    await listen(one);
    assert.equal(await connect(two, one.address, 80), "hello");
    assert.equal(await connectFromHost(one.address, 80), "hello");
  });

  test("a project of another account is refused at once, until it belongs to the account", async () => {
    const [one, two] = await Promise.all([
      network.claim("one", { accountId: "A" }),
      network.claim("two", { accountId: "B" }),
    ]);
    await listen(one);
    assert.equal(await connectFromHost(one.address, 80), "hello");
    assert.equal(await connect(two, one.address, 80), "ECONNREFUSED");
    assert.deepEqual(await network.claim("two", { accountId: "A" }), two);
    assert.equal(await connect(two, one.address, 80), "hello");
    await network.claim("two", { accountId: "B" });
    assert.equal(await connect(two, one.address, 80), "ECONNREFUSED");
  });

  test("a run that leaves keeps its network beside the next one's, also for the next agent, until it is freed or taken back", async () => {
    const two = await network.claim("two", { accountId: "A" });
    const before = await network.claim("one", { accountId: "A" });
    await listen(before);
    await network.setAside("one");
    await network.setAside("one");
    const next = await network.claim("one", { accountId: "A" });
    assert.notEqual(next.address, before.address);
    await listen(next);
    await network.close();
    network = await open();
    assert.deepEqual([network.find("one"), network.findLeaving("one")], [next, before]);
    await network.reconcile(["one", "two"]);
    for (const { address } of [before, next]) assert.equal(await connect(two, address, 80), "hello");
    assert.equal(await connect(next, before.address, 80), "hello", "they are of one account");
    const counted = async () => (await network.usage()).get("one")?.receivedBytes ?? 0;
    const bytes = await counted();
    assert.ok(bytes > 0);

    await network.releaseLeaving("one");
    assert.equal(network.findLeaving("one"), undefined);
    assert.equal(await connect(two, next.address, 80), "hello");
    assert.ok((await counted()) >= bytes, "what the earlier one carried is counted on");

    await network.setAside("one");
    const failed = await network.claim("one", { accountId: "A" });
    await network.takeBack("one");
    await network.takeBack("one");
    assert.deepEqual([network.find("one"), network.findLeaving("one")], [next, undefined]);
    assert.equal(await connect(two, next.address, 80), "hello");
    assert.notEqual(await connect(two, failed.address, 80), "hello");
    // Without a next one it stays the project's own.
    await network.setAside("one");
    await network.releaseLeaving("one");
    assert.deepEqual(network.find("one"), next);
    await network.setAside("one");
    await network.release("one");
    assert.deepEqual([network.find("one"), network.findLeaving("one")], [undefined, undefined]);
  });

  test("the host's own ports are refused on every address of the host", async () => {
    const project = await network.claim("one", { accountId: "A" });
    const server = createServer((socket) => socket.end("host")).listen(0, "0.0.0.0");
    await new Promise((resolve) => server.once("listening", resolve));
    const address = server.address();
    assert.ok(address !== null && typeof address === "object");
    try {
      for (const target of new Set(["169.254.1.1", ...hostAddresses()])) {
        assert.equal(await connectFromHost(target, address.port), "host", `the port is open on ${target}`);
        assert.equal(await connect(project, target, address.port), "ECONNREFUSED", target);
      }
    } finally {
      server.close();
    }
  });

  test("the server of static sites is reached by this machine alone, and reaches nothing", async () => {
    const project = await network.claim("one", { accountId: "A" });
    await listen(project, 8080);
    const { statics } = network;
    await makeNamespaces([statics]);
    const server: ProjectNetwork = { ...project, ...statics, namespacePath: namespacePath(statics.name) };
    try {
      await listen(server);
      assert.equal(await connectFromHost(statics.address, 80), "hello");
      assert.equal(await connect(project, statics.address, 80), "ECONNREFUSED");
      await network.reconcile(["one"]);
      assert.equal(await connectFromHost(statics.address, 80), "hello", "it is no stray");
      const host = createServer((socket) => socket.end("host")).listen(0, "0.0.0.0");
      await new Promise((resolve) => host.once("listening", resolve));
      const address = host.address();
      assert.ok(address !== null && typeof address === "object");
      for (const [target, port] of [
        [project.address, 8080],
        ["169.254.1.1", address.port],
        ["169.254.1.1", 53],
        ["1.1.1.1", 443],
      ] as const)
        assert.equal(await connect(server, target, port), "ECONNREFUSED", `${target}:${port}`);
      host.close();
    } finally {
      for (const child of children) child.kill("SIGKILL");
      await deleteNamespaces([statics]);
    }
  });

  test("the metadata address, private networks and port 25 are refused at once", async () => {
    const project = await network.claim("one", { accountId: "A" });
    const targets = [
      ["169.254.169.254", 80],
      ["10.1.2.3", 443],
      ["172.20.0.1", 22],
      ["192.168.1.1", 80],
      ["100.100.100.200", 80],
      ["1.1.1.1", 25],
    ] as const;
    for (const [address, port] of targets)
      assert.equal(await connect(project, address, port), "ECONNREFUSED", address);
  });

  test("the npm registry's name resolves inside and answers through NAT", async () => {
    const project = await network.claim("one", { accountId: "A" });
    const registry = new URL(await findHostNpmRegistry());
    const servers = [...project.resolvConf.matchAll(/^nameserver (\S+)$/gm)].map((match) => match[1]);
    assert.ok(servers.length > 0);
    const script = `const dns = require("dns"); dns.setServers(${JSON.stringify(servers)});
      dns.resolve4(${JSON.stringify(registry.hostname)}, (error, [address] = []) => {
        if (error) return console.log(error.code);
        require("net").connect(${registry.port || (registry.protocol === "https:" ? 443 : 80)}, address, () => { console.log("connected"); process.exit(); })
          .on("error", (e) => console.log(e.code));
      });`;
    assert.equal(await runInside(project, script), "connected");
    const traffic = (await network.usage()).get("one");
    assert.ok(
      traffic !== undefined && traffic.receivedBytes > 100 && traffic.sentBytes > 100,
      JSON.stringify(traffic),
    );
  });

  test("a packet with another source address is dropped and counted", async () => {
    const [one, two] = await Promise.all([
      network.claim("one", { accountId: "A" }),
      network.claim("two", { accountId: "A" }),
    ]);
    const spoof = `const s = require("dgram").createSocket("udp4"); s.bind(0, "10.231.16.200", () => s.send("x", 9, "${two.address}", () => s.close()));`;
    await exec(["ip", "-netns", nameOf(one), "address", "add", "10.231.16.200/32", "dev", "eth0"]);
    assert.equal(await spoofedPackets(), 0);
    await runInside(one, spoof);
    await until(async () => (await spoofedPackets()) === 1);
  });

  test("IPv6 does not exist inside", async () => {
    const project = await network.claim("one", { accountId: "A" });
    const { stdout } = await exec(["ip", "-netns", nameOf(project), "-6", "address"]);
    assert.equal(stdout, "");
  });

  test("two agents on one machine have tables of their own, and their projects do not reach each other", async () => {
    const neighbour = await open(neighbourName, "10.231.17.0/24");
    try {
      const [one, other] = await Promise.all([
        network.claim("one", { accountId: "A" }),
        neighbour.claim("one", { accountId: "A" }),
      ]);
      await listen(other);
      assert.equal(await connectFromHost(other.address, 80), "hello");
      assert.equal(await connect(one, other.address, 80), "ECONNREFUSED");
      await network.destroy();
      assert.equal(await connectFromHost(other.address, 80), "hello");
    } finally {
      await neighbour.destroy();
    }
    assert.deepEqual(await leftOf(neighbourName), []);
  });

  test("an agent that is given the subnet of another is refused with a reason", async () => {
    await network.claim("one", { accountId: "A" });
    await assert.rejects(open(neighbourName), /10\.231\.16\.0\/24 is in use on this machine/);
    assert.deepEqual(await leftOf(neighbourName), []);
  });

  test("a new agent takes over the claims of one that was killed: same address, same connections, traffic goes on", async () => {
    const [one, two] = await Promise.all([
      network.claim("one", { accountId: "A" }),
      network.claim("two", { accountId: "A" }),
    ]);
    await listen(one);
    assert.equal(await connect(two, one.address, 80), "hello");
    const trafficBefore = (await network.usage()).get("one")?.receivedBytes ?? 0;
    await network.fillPool(); // its pool is left behind

    const successor = await open();
    assert.deepEqual(successor.find("one"), one);
    assert.deepEqual(await successor.claim("one", { accountId: "A" }), one);
    assert.equal(await connect(two, one.address, 80), "hello");
    assert.ok(((await successor.usage()).get("one")?.receivedBytes ?? 0) > trafficBefore);
    assert.ok(trafficBefore > 0);
    await successor.fillPool();
    assert.equal((await namespacesOf(instanceName)).length, 2 + 4 + 1);
    await successor.close();
    assert.equal((await namespacesOf(instanceName)).length, 2 + 1);
  });

  test("a namespace that is gone is made again with its address, and its traffic is not forgotten", async () => {
    const first = await network.claim("one", { accountId: "A" });
    await listen(first);
    await connectFromHost(first.address, 80);
    const sentBefore = (await network.usage()).get("one")?.sentBytes ?? 0;
    assert.ok(sentBefore > 0);
    await network.close();
    for (const child of children) child.kill("SIGKILL");
    await exec(["ip", "netns", "delete", nameOf(first)]);

    network = await open();
    const second = await network.claim("one", { accountId: "A" });
    assert.equal(second.address, first.address);
    assert.notEqual(second.namespacePath, first.namespacePath);
    await listen(second);
    assert.equal(await connectFromHost(second.address, 80), "hello");
    assert.ok(((await network.usage()).get("one")?.sentBytes ?? 0) > sentBefore);
  });

  test("reconciling frees what nobody owns and mends flushed rules", async () => {
    const [one, two] = await Promise.all([
      network.claim("one", { accountId: "A" }),
      network.claim("two", { accountId: "B" }),
    ]);
    await network.claim("three", { accountId: "C" });
    await listen(one);
    await exec(["nft", "delete", "table", "inet", names.table]);
    await network.reconcile(["one", "two"]);
    assert.equal(network.find("three"), undefined);
    assert.equal(await connect(two, one.address, 80), "ECONNREFUSED");
    await exec(["nft", "delete", "table", "inet", names.table]);
    const four = await network.claim("four", { accountId: "A" });
    assert.equal(await connect(four, one.address, 80), "hello");
    assert.equal(await connect(four, two.address, 80), "ECONNREFUSED");
  });

  test("whatever an agent was doing when it was killed, the next one frees it", async () => {
    await network.close();
    const source = new URL("../../../agent/src/network/network.ts", import.meta.url).href;
    const script = `const { createNetwork } = await import(${JSON.stringify(source)});
      const network = await createNetwork({ instanceName: "${instanceName}", cidr: "10.231.16.0/24",
        stateDirectory: ${JSON.stringify(join(directory, instanceName))}, logger: { info() {}, warn() {} } });
      for (let round = 0; ; round++) {
        const ids = [0, 1, 2, 3, 4, 5].map((index) => "round-" + round + "-" + index);
        await Promise.all(ids.map((id) => network.claim(id, { accountId: id })));
        console.log("claimed");
        await Promise.all(ids.map((id) => network.release(id)));
      }`;
    for (const delayMs of [0, 20, 40, 60, 80]) {
      const agent = spawn(process.execPath, ["--input-type=module", "-e", script], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      await new Promise((resolve) => agent.stdout.once("data", resolve));
      await delay(delayMs); // another moment of the work each time
      agent.kill("SIGKILL");
      await new Promise((resolve) => agent.once("exit", resolve));
    }
    assert.ok((await namespacesOf(instanceName)).length > 0);
    network = await open();
    await network.fillPool();
    await until(async () => {
      await network.reconcile([]);
      return (await namespacesOf(instanceName)).length === 4 + 1;
    });
    assert.deepEqual([...(await network.usage()).keys()], []);
    assert.equal((await leftOf(instanceName)).length, 2 * (4 + 1) + 1);
  });

  test("claims come from the pool in milliseconds", async (context) => {
    await network.fillPool();
    const fromPool = await timesOf(4, (index) => network.claim(`pooled-${index}`, { accountId: "A" }));
    const made = await timesOf(4, (index) => network.claim(`made-${index}`, { accountId: "A" }));
    const again = await timesOf(4, (index) => network.claim(`pooled-${index}`, { accountId: "A" }));
    const released = await timesOf(4, (index) => network.release(`pooled-${index}`));
    context.diagnostic(
      `claim from the pool ${fromPool}; made for the claim ${made}; claimed again ${again}; release ${released} (ms)`,
    );
    const burstStartedAtMs = performance.now();
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        network.claim(`burst-${index}`, { accountId: `${index % 3}` }),
      ),
    );
    context.diagnostic(`20 claims at once: ${(performance.now() - burstStartedAtMs).toFixed(0)} ms`);
    const addresses = Array.from({ length: 20 }, (_, index) => network.find(`burst-${index}`)?.address);
    assert.equal(new Set(addresses).size, 20);
  });
});

async function timesOf(count: number, work: (index: number) => Promise<unknown>): Promise<string> {
  const times: number[] = [];
  for (let index = 0; index < count; index++) {
    const startedAtMs = performance.now();
    await work(index);
    times.push(performance.now() - startedAtMs);
  }
  return times.map((time) => time.toFixed(1)).join(" ");
}

/** Returns the result of a connection from inside: the text that it got, an error's code, or "timeout". */
function connect(project: ProjectNetwork, address: string, port: number): Promise<string> {
  return runInside(project, connectScript(address, port));
}

async function connectFromHost(address: string, port: number): Promise<string> {
  return (await exec([process.execPath, "-e", connectScript(address, port)])).stdout.trim();
}

function connectScript(address: string, port: number): string {
  return `const s = require("net").connect(${port}, "${address}"); s.setTimeout(20000, () => { console.log("timeout"); s.destroy(); });
    s.on("error", (e) => console.log(e.code)); s.on("data", (d) => { console.log(String(d)); s.destroy(); });`;
}

async function runInside(project: ProjectNetwork, script: string): Promise<string> {
  return (
    await exec(["nsenter", `--net=${project.namespacePath}`, process.execPath, "-e", script])
  ).stdout.trim();
}

function nameOf(project: ProjectNetwork): string {
  return project.namespacePath.replace("/run/netns/", "");
}

function hostAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flat()
    .flatMap((address) => (address?.family === "IPv4" && !address.internal ? [address.address] : []));
}

async function spoofedPackets(): Promise<number> {
  const { stdout } = await exec(["nft", "list", "counter", "inet", names.table, "spoofed"]);
  return Number(/packets (\d+)/.exec(stdout)?.[1]);
}

async function namespacesOf(name: string): Promise<string[]> {
  return (await readdir("/run/netns")).filter((entry) =>
    entry.startsWith(instanceNames(name).namespacePrefix),
  );
}

/**
 * Returns every trace of an instance in the kernel: interfaces, namespaces (the resolver's is one of both),
 * and the table.
 */
async function leftOf(name: string): Promise<string[]> {
  const { table, interfacePrefix } = instanceNames(name);
  const interfaces = (await readdir("/sys/class/net")).filter((entry) => entry.startsWith(interfacePrefix));
  const tables = (await exec(["nft", "list", "tables"])).stdout
    .split("\n")
    .filter((line) => line === `table inet ${table}`);
  return [...interfaces, ...(await namespacesOf(name)), ...tables];
}
