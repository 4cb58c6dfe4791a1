/**
 * Projects of an account find and reach each other by name, and nobody else does; all of it in the kernel of
 * this machine.
 */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { openCgroups } from "../../../agent/src/host/cgroups/cgroup-detect.ts";
import { exec } from "../../../agent/src/host/exec.ts";
import { serviceGroup } from "../../../agent/src/host/cgroups/service-group.ts";
import { findHostNpmRegistry } from "../../../agent/src/images/npm-package.ts";
import {
  createNetwork,
  type Network,
  type NetworkOptions,
  type ProjectNetwork,
} from "../../../agent/src/network/network.ts";
import { shareLimits } from "../../../agent/src/network/resolver/fair-share.ts";
import { resolverId } from "../../../agent/src/network/resolver/resolver-id.ts";
import { startTicksOf } from "../../../agent/src/network/resolver/process-record.ts";
import { until } from "../../support/until.ts";
import { isSystemd, unitName } from "../support/host/container-host.ts";
import { InNetwork } from "../support/network/in-network.ts";
import {
  bothFamiliesAtOnce,
  byTcp,
  connectTo,
  echoOn,
  floodOf,
  sendTo,
  talkAndLookUp,
} from "../support/network/network-scripts.ts";
import { removeDead } from "../support/host/remove-dead.ts";

const silent = { info() {}, warn() {} };
const instanceName = `test-names-${process.pid}`;
const [caller, callee, stranger] = ["01CALLERxxaaaaaaaa", "01CALLEExxbbbbbbbb", "01STRANGERcccccccc"];
const calleeHost = "svc-bbbbbbbb";

describe("the private network of one host", { timeout: 300_000 }, () => {
  let directory: string;
  let inside: InNetwork;
  let network: Network;

  const open = (name = instanceName, cidr = "10.231.20.0/24", more: Partial<NetworkOptions> = {}) =>
    createNetwork({
      instanceName: name,
      cidr,
      stateDirectory: join(directory, name),
      logger: silent,
      poolSize: 0,
      ...more,
    });
  const claim = (projectId: string, accountId: string, on = network) => on.claim(projectId, { accountId });
  const lookup = (from: ProjectNetwork, name = calleeHost) =>
    inside.node(
      from,
      `require("dns").lookup("${name}", (error, address) => console.log(error ? error.code : address))`,
    );
  const isFound = async (from: ProjectNetwork, name = calleeHost) => /^\d/.test(await lookup(from, name));

  before(async () => {
    await removeDead();
    directory = await mkdtemp(join(tmpdir(), "tijolo-names-"));
    inside = new InNetwork(directory);
  });
  after(() => rm(directory, { recursive: true, force: true }));
  beforeEach(async () => {
    network = await open();
  });
  afterEach(async () => {
    const pid = network.resolverPid;
    await inside.close();
    await network.destroy();
    if (pid !== undefined) assert.equal(startTicksOf(pid), undefined, "the resolver is left over");
  });

  test("a running project is reached by name on any port, over TCP and UDP, also below 1024", async () => {
    const [one, two] = await Promise.all([claim(caller, "A"), claim(callee, "A")]);
    network.setRunning(callee, true);
    await inside.serve(two, echoOn([22, 80, 5432, 65_535]));
    for (const port of [22, 80, 5432, 65_535]) {
      assert.equal(await inside.node(one, connectTo(calleeHost, port)), "tcp", `TCP ${port}`);
      assert.equal(await inside.node(one, sendTo(calleeHost, port)), "udp", `UDP ${port}`);
    }
    assert.equal(
      await inside.node(two, connectTo(calleeHost, 80)),
      "tcp",
      "a project reaches itself by its own name",
    );
  });

  test("another account's project finds no such name, and cannot reach the address that it guessed", async () => {
    const [one, two, other] = await Promise.all([
      claim(caller, "A"),
      claim(callee, "A"),
      claim(stranger, "B"),
    ]);
    network.setRunning(callee, true);
    network.setRunning(stranger, true);
    await inside.serve(two, echoOn([80]));
    assert.equal(await lookup(one), two.address);
    assert.equal(await lookup(other), "ENOTFOUND");
    assert.equal(await lookup(one, "svc-cccccccc"), "ENOTFOUND");
    assert.equal(await lookup(other, "svc-cccccccc"), other.address);
    assert.equal(await inside.node(other, connectTo(two.address, 80)), "ECONNREFUSED");
    assert.equal(await inside.node(other, sendTo(two.address, 80, 2_000)), "timeout");
  });

  test("a stopped project has no name; once it runs again it is found at once, by whoever just asked in vain", async () => {
    const [one, two] = await Promise.all([claim(caller, "A"), claim(callee, "A")]);
    const watcher = await inside.serve(
      one,
      `const { lookup } = require("dns"); console.log("ready"); process.stdin.on("data", () =>
        lookup("${calleeHost}", (error, address) => console.log(error ? error.code : address)));`,
    );
    const ask = async () => {
      watcher.stdin.write("?");
      return String((await once(watcher.stdout, "data"))[0]).trim();
    };
    assert.equal(await ask(), "ENOTFOUND", "it has not run yet");
    for (let round = 0; round < 3; round++) {
      network.setRunning(callee, true);
      await until(async () => (await ask()) === two.address);
      network.setRunning(callee, false);
      await until(async () => (await ask()) === "ENOTFOUND");
    }
    await network.release(callee);
    assert.equal(await ask(), "ENOTFOUND");
  });

  test("getent, Python, a resolver that asks for both families at once, and one that speaks TCP all find it", async () => {
    const [one, two] = await Promise.all([claim(caller, "A"), claim(callee, "A")]);
    network.setRunning(callee, true);
    await until(() => isFound(one));
    assert.match(
      (await inside.run(one, ["getent", "hosts", calleeHost])).stdout,
      new RegExp(`^${two.address}\\s`),
    );
    assert.match(
      (await inside.run(one, ["getent", "ahosts", `${calleeHost}.`])).stdout,
      new RegExp(`^${two.address}\\s`),
    );
    assert.equal((await inside.run(one, ["getent", "hosts", "svc-00000000"])).code, 2);
    const python = `import socket; print(socket.getaddrinfo("${calleeHost.toUpperCase()}", 80, type=socket.SOCK_STREAM)[0][4][0])`;
    assert.equal((await inside.run(one, ["/usr/bin/env", "python3", "-c", python])).stdout, two.address);
    assert.equal(await inside.node(one, bothFamiliesAtOnce(calleeHost)), "A 0 1 AAAA 0 0");
    assert.equal(
      await inside.node(
        one,
        `require("dns").resolve4("${calleeHost}", { ttl: true }, (e, [a] = []) => console.log(e?.code ?? a.address + " " + (a.ttl <= 5)))`,
      ),
      `${two.address} true`,
    );
    assert.equal(await inside.node(one, byTcp(calleeHost)), "A 0 1");
  });

  test("names of the outside resolve, over UDP and TCP; that a name does not exist is told", async (context) => {
    const one = await claim(caller, "A");
    const { hostname } = new URL(await findHostNpmRegistry());
    assert.ok(await isFound(one, hostname));
    assert.match(await inside.node(one, byTcp(hostname)), /^A 0 [1-9]/);
    const times = await inside.node(
      one,
      `const { resolve4 } = require("dns/promises"); (async () => { const times = [];
        for (let i = 0; i < 20; i++) { const t = performance.now(); await resolve4("${hostname}"); times.push(performance.now() - t); }
        console.log(times.sort((a, b) => a - b)[10].toFixed(2)); })()`,
    );
    const direct = { ...one, resolvConf: await readFile("/etc/resolv.conf", "utf8") };
    context.diagnostic(
      `an outside name through the resolver: ${times} ms in the middle; first of a new program ${await timeOf(() => lookup(one, hostname))} ms, directly ${await timeOf(() => lookup(direct, hostname))} ms`,
    );
  });

  test("an agent that is killed takes no name and no connection with it, and the next one goes on with both", async (context) => {
    await network.close();
    const agent = await startAgent(directory, [caller, callee]);
    network = await open();
    const [one, two] = [network.find(caller), network.find(callee)];
    assert.ok(one !== undefined && two !== undefined);
    const pid = network.resolverPid;
    await network.close();

    await inside.serve(two, echoOn([80]));
    const talk = await inside.serve(one, talkAndLookUp(calleeHost, 80));
    agent.kill("SIGKILL");
    await once(agent, "exit");
    assert.equal(await lookup(one), two.address, "no agent is there");

    network = await open();
    assert.equal(network.resolverPid, pid, "the resolver is the same one");
    assert.equal(await lookup(one), two.address, "nobody has told the new agent what runs");
    network.setRunning(callee, false);
    await until(async () => !(await isFound(one)));
    network.setRunning(callee, true);
    await until(() => isFound(one));
    talk.stdin.write("end");
    const [text] = await once(talk.stdout, "data");
    const { echoes, misses } = JSON.parse(String(text));
    assert.ok(echoes > 0, "one connection carried all of it");
    context.diagnostic(
      `${echoes} lookups and echoes over one connection while the agent was killed and replaced: ${JSON.stringify(misses)} failed`,
    );
    assert.deepEqual(
      Object.keys(misses).filter((code) => code !== "ENOTFOUND"),
      [],
      "ENOTFOUND only while it was said to be stopped",
    );
  });

  test("a resolver of another revision is replaced, and one that was killed is started again; nobody is refused meanwhile", async (context) => {
    const [one, two] = await Promise.all([claim(caller, "A"), claim(callee, "A")]);
    network.setRunning(callee, true);
    await until(() => isFound(one));
    await inside.serve(two, echoOn([80]));
    const first = network.resolverPid;
    await network.close();
    const record = join(directory, instanceName, "resolver", "process.json");
    await writeFile(
      record,
      JSON.stringify({ ...JSON.parse(await readFile(record, "utf8")), revision: "an earlier one" }),
    );

    const talk = await inside.serve(one, talkAndLookUp(calleeHost, 80));
    network = await open();
    const second = network.resolverPid;
    assert.ok(second !== undefined && second !== first);
    assert.equal(first === undefined ? undefined : startTicksOf(first), undefined);
    talk.stdin.write("end");
    const { echoes, misses, slowestMs } = JSON.parse(String((await once(talk.stdout, "data"))[0]));
    context.diagnostic(`replaced under ${echoes} lookups: slowest ${slowestMs} ms`);
    assert.deepEqual(misses, {});

    process.kill(second, "SIGKILL");
    const killedAtMs = performance.now();
    await until(() => network.resolverPid !== undefined && network.resolverPid !== second, {
      timeoutMs: 30_000,
    });
    context.diagnostic(`killed: another one serves after ${(performance.now() - killedAtMs).toFixed(0)} ms`);
    assert.equal(await lookup(one), two.address);
  });

  test("the resolver has no rights on the host and little memory, and listens nowhere that others reach", async (context) => {
    await claim(caller, "A");
    const pid = network.resolverPid;
    // At first its process is the launcher, and then one that opens the port, and drops the rights to do so.
    const status = await until(async () => {
      const text = await readFile(`/proc/${pid}/status`, "utf8");
      return !/^Uid:\t0\t/m.test(text) && text;
    });
    const valueOf = (key: string) => new RegExp(`^${key}:[\\t ]*(.*)$`, "m").exec(status)?.[1];
    for (const key of ["Uid", "Gid"]) assert.equal(valueOf(key), Array(4).fill(resolverId).join("\t"));
    assert.deepEqual(
      [valueOf("CapEff"), valueOf("CapPrm"), valueOf("NoNewPrivs"), valueOf("Groups")?.trim()],
      ["0".repeat(16), "0".repeat(16), "1", ""],
    );
    const smaps = await readFile(`/proc/${pid}/smaps_rollup`, "utf8");
    const kbOf = (key: string) => Number(new RegExp(`^${key}:\\s+(\\d+)`, "m").exec(smaps)?.[1]);
    context.diagnostic(
      `resolver: ${(kbOf("Rss") / 1024).toFixed(1)} MB resident, ${(kbOf("Pss") / 1024).toFixed(1)} MB proportional`,
    );
    const ownSockets = await readFile("/proc/self/net/udp", "utf8");
    const itsSockets = await readFile(`/proc/${pid}/net/udp`, "utf8");
    assert.match(itsSockets, /:0035 /);
    assert.notEqual(itsSockets, ownSockets, "it has a network of its own");
  });

  test("the resolver is in a group of its own, which a restart of the agent's does not reach, and the group goes with it", async (context) => {
    await claim(caller, "A");
    const pid = network.resolverPid;
    assert.ok(pid !== undefined);
    await network.close();
    const cgroups = await openCgroups(`tijolo-${instanceName}`);
    context.after(() =>
      isSystemd() ? exec(["systemctl", "stop", unitName(instanceName)]) : cgroups.remove(""),
    );
    const resolverGroup = serviceGroup(cgroups, "resolver");
    network = await open(instanceName, undefined, { resolverGroup });
    assert.equal(network.resolverPid, pid, "an earlier agent has started it, in its own group");
    assert.deepEqual(await cgroups.pids("resolver"), [pid]);
    const lines = (await readFile(`/proc/${pid}/cgroup`, "utf8")).trim().split("\n");
    for (const file of cgroups.joinFiles("resolver")) {
      const group = dirname(file);
      assert.ok(
        lines.some((line) => group.endsWith(line.slice(line.indexOf("/")))),
        `it is not in ${group}`,
      );
    }
    process.kill(pid, "SIGKILL");
    await until(async () => network.resolverPid !== undefined && network.resolverPid !== pid, {
      timeoutMs: 30_000,
    });
    await until(async () => String(await cgroups.pids("resolver")) === String(network.resolverPid), {
      timeoutMs: 30_000,
    });
    await network.release(caller);
    await network.close();
    assert.ok(!(await cgroups.children("")).includes("resolver"));
    network = await open();
  });

  test("one project's flood of lookups leaves another's in peace", async (context) => {
    const [one, two, other] = await Promise.all([
      claim(caller, "A"),
      claim(callee, "A"),
      claim(stranger, "B"),
    ]);
    network.setRunning(callee, true);
    network.setRunning(stranger, true);
    await until(() => isFound(one));
    const flood = await inside.serve(two, floodOf("svc-zzzzzzzz"));
    const replies: string[] = [];
    for (let round = 0; round < 10; round++)
      replies.push(await lookup(one), await lookup(other, "svc-cccccccc"));
    assert.deepEqual(new Set(replies), new Set([two.address, other.address]));
    flood.stdin.write("end");
    const [text] = await once(flood.stdout, "data");
    const { sent, answered, seconds } = JSON.parse(String(text));
    context.diagnostic(`flood: ${sent} sent in ${seconds} s, ${answered} answered`);
    const { burst, perSecond } = shareLimits;
    assert.ok(answered <= 1.1 * burst + 1.25 * perSecond * seconds, "it has had no more than its share");
    assert.ok(sent > 2 * answered, "the flood was one, and most of it was dropped");
  });

  test("random packets from a project neither end nor stall the resolver", async () => {
    const [one, two] = await Promise.all([claim(caller, "A"), claim(callee, "A")]);
    network.setRunning(callee, true);
    const pid = network.resolverPid;
    const noise = `const { randomBytes } = require("crypto"); const udp = require("dgram").createSocket("udp4"); let sent = 0;
      const next = () => { for (let i = 0; i < 50; i++) udp.send(randomBytes(1 + Math.floor(Math.random() * 1400)), 53, "169.254.1.1");
        (sent += 50) < 5000 ? setImmediate(next) : tcp(); };
      const tcp = () => { const s = require("net").connect(53, "169.254.1.1", () => s.write(randomBytes(60000))); s.on("error", () => {}); s.on("close", () => { console.log("done"); process.exit(); }); };
      next();`;
    assert.equal(await inside.node(two, noise), "done");
    await until(() => isFound(one));
    assert.equal(network.resolverPid, pid);
  });

  test("two agents on one machine each answer their own projects only", async () => {
    const neighbourName = `test-names2-${process.pid}`;
    const neighbour = await open(neighbourName, "10.231.21.0/24");
    try {
      const [one, two] = await Promise.all([claim(caller, "A"), claim(callee, "A")]);
      const [other, twin] = await Promise.all([claim(caller, "A", neighbour), claim(callee, "A", neighbour)]);
      network.setRunning(callee, true);
      await until(() => isFound(one));
      assert.equal(await lookup(other), "ENOTFOUND", "it does not run there");
      neighbour.setRunning(callee, true);
      await until(() => isFound(other));
      assert.deepEqual([await lookup(one), await lookup(other)], [two.address, twin.address]);
      assert.notEqual(two.address, twin.address);
    } finally {
      await neighbour.destroy();
    }
  });
});

async function timeOf(work: () => Promise<unknown>): Promise<string> {
  const startedAtMs = performance.now();
  await work();
  return (performance.now() - startedAtMs).toFixed(1);
}

/** A process that stands for an agent: has the projects claim and run, and waits to be killed. */
async function startAgent(directory: string, projectIds: readonly string[]) {
  const source = new URL("../../../agent/src/network/network.ts", import.meta.url).href;
  const script = `const { createNetwork } = await import(${JSON.stringify(source)});
    const network = await createNetwork({ instanceName: "${instanceName}", cidr: "10.231.20.0/24", poolSize: 0,
      stateDirectory: ${JSON.stringify(join(directory, instanceName))}, logger: { info() {}, warn() {} } });
    for (const id of ${JSON.stringify(projectIds)}) { await network.claim(id, { accountId: "A" }); network.setRunning(id, true); }
    await network.reconcile(${JSON.stringify(projectIds)});
    console.log("runs"); setInterval(() => {}, 1000);`;
  const agent = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(agent.stdout, "data");
  return agent;
}
