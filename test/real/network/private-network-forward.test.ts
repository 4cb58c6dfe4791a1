/**
 * Projects get out of a machine on which other software drops what is forwarded, as Docker does. The machine
 * is a network namespace with its own rules, so that nothing is changed on the real one.
 */

import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { exec } from "../../../agent/src/host/exec.ts";
import { until } from "../../support/until.ts";

const instanceName = `test-forward-${process.pid}`;
const [machine, outside] = [`tijolo-test-fw-${process.pid}.m`, `tijolo-test-fw-${process.pid}.o`];
const comment = `comment "tijolo_test_forward_${process.pid}"`;

function connectScript(patienceMs: number): string {
  return `const s = require("net").connect(80, "203.0.113.2"); s.setTimeout(${patienceMs}, () => { console.log("timeout"); s.destroy(); });
    s.on("error", (e) => console.log(e.code)); s.on("data", (d) => { console.log(String(d)); s.destroy(); });`;
}

describe("a machine whose forwarding policy is drop", { timeout: 300_000 }, () => {
  let directory: string;
  let server: ChildProcess;
  const agents = new Set<ChildProcess>();

  const inMachine = (argv: readonly string[], input = "") =>
    exec(["ip", "netns", "exec", machine, ...argv], { input, timeoutMs: 60_000 });
  const nft = (text: string) => inMachine(["nft", "--file", "-"], text);
  const rulesOf = async (chain: string) =>
    (await inMachine(["nft", "list", "chain", ...chain.split(" ")])).stdout;

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), "tijolo-forward-"));
    for (const name of [machine, outside]) await exec(["ip", "netns", "add", name]);
    const commands = [
      `link add wan netns ${machine} type veth peer name wan netns ${outside}`,
      ...[machine, outside].flatMap((name, index) => [
        `-n ${name} link set lo up`,
        `-n ${name} address add 203.0.113.${index + 1}/24 dev wan`,
        `-n ${name} link set wan up`,
      ]),
    ];
    for (const command of commands) await exec(["ip", ...command.split(" ")]);
    const serve = `require("net").createServer((s) => s.end("outside")).listen(80, () => console.log("ready"))`;
    server = spawn("ip", ["netns", "exec", outside, process.execPath, "-e", serve], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(server.stdout ?? server, "data");
  });
  after(async () => {
    for (const child of [server, ...agents]) child.kill("SIGKILL");
    for (const name of [machine, outside]) await exec(["ip", "netns", "delete", name]);
    await rm(directory, { recursive: true, force: true });
  });

  /** Opens an agent's network in that machine, driven line by line. */
  async function openAgent() {
    const source = new URL("../../../agent/src/network/network.ts", import.meta.url).href;
    const execSource = new URL("../../../agent/src/host/exec.ts", import.meta.url).href;
    const script = `const { createNetwork } = await import(${JSON.stringify(source)});
      const logs = []; const log = (fields, text) => logs.push({ ...fields, text });
      const network = await createNetwork({ instanceName: "${instanceName}", cidr: "10.231.30.0/24", poolSize: 0,
        stateDirectory: ${JSON.stringify(join(directory, "state"))}, logger: { info: log, warn: log } });
      const say = (value) => console.log(JSON.stringify(value ?? null));
      const { namespacePath } = await network.claim("one", { accountId: "A" });
      const { exec } = await import(${JSON.stringify(execSource)});
      const connect = async (script) => (await exec(["nsenter", "--net=" + namespacePath, process.execPath, "-e", script])).stdout.trim();
      say("ready");
      for await (const line of (await import("node:readline")).createInterface({ input: process.stdin })) {
        if (line === "connect") say(await connect(${JSON.stringify(connectScript(20_000))}));
        if (line === "connect in vain") say(await connect(${JSON.stringify(connectScript(2_000))}));
        if (line === "reconcile") say(await network.reconcile(["one"]));
        if (line === "logs") say(logs);
        if (line === "destroy") { say(await network.destroy()); process.exit(); }
      }`;
    const child = spawn(
      "ip",
      ["netns", "exec", machine, process.execPath, "--input-type=module", "-e", script],
      {
        stdio: ["pipe", "pipe", "inherit"],
      },
    );
    const answer = async () =>
      JSON.parse(String((await once(child.stdout, "data", { signal: AbortSignal.timeout(60_000) }))[0]));
    agents.add(child);
    child.once("close", () => agents.delete(child));
    await answer();
    return {
      async does(line: "connect" | "connect in vain" | "reconcile" | "logs" | "destroy") {
        const answered = answer();
        child.stdin.write(`${line}\n`);
        return answered;
      },
    };
  }

  test("projects are let through iptables' chain, through Docker's while there is one, and nothing of it stays", async () => {
    const agent = await openAgent();
    assert.equal(await agent.does("connect"), "outside");
    await nft(
      `table ip filter { chain FORWARD { type filter hook forward priority filter; policy drop; }; }\n`,
    );
    assert.equal(await agent.does("connect in vain"), "timeout", "the chain does drop");
    await agent.does("reconcile");
    assert.equal(await agent.does("connect"), "outside");
    await agent.does("reconcile");
    assert.equal(
      (await rulesOf("ip filter FORWARD")).split(comment).length - 1,
      2,
      "once for each direction",
    );

    await nft(`add chain ip filter DOCKER-USER\ninsert rule ip filter FORWARD jump DOCKER-USER\n`);
    await agent.does("reconcile");
    assert.equal((await rulesOf("ip filter DOCKER-USER")).split(comment).length - 1, 2);
    assert.ok(!(await rulesOf("ip filter FORWARD")).includes(comment));
    assert.equal(await agent.does("connect"), "outside");

    await nft(`flush chain ip filter DOCKER-USER\n`);
    assert.equal(await agent.does("connect in vain"), "timeout");
    await agent.does("reconcile");
    assert.equal(await agent.does("connect"), "outside", "what another program flushed is mended");

    await agent.does("destroy");
    for (const chain of ["FORWARD", "DOCKER-USER"])
      assert.ok(!(await rulesOf(`ip filter ${chain}`)).includes("tijolo"), chain);
    await nft(`delete table ip filter\n`);
  });

  test("our rules go when the policy becomes accept again; another's own table is told of, with what to do", async () => {
    const agent = await openAgent();
    await nft(
      `table ip filter { chain FORWARD { type filter hook forward priority filter; policy drop; }; }\n`,
    );
    await agent.does("reconcile");
    await nft(
      `table ip filter { chain FORWARD { type filter hook forward priority filter; policy accept; }; }\n`,
    );
    await agent.does("reconcile");
    assert.ok(!(await rulesOf("ip filter FORWARD")).includes(comment));

    await nft(
      `table inet mine { chain forward { type filter hook forward priority filter; policy drop; }; }\n`,
    );
    await agent.does("reconcile");
    assert.equal(await agent.does("connect in vain"), "timeout");
    assert.ok(!(await rulesOf("inet mine forward")).includes("iifname"), "others' own chains are left alone");
    const told = (await agent.does("logs")).filter(
      ({ chain }: { chain?: string }) => chain === "inet mine forward",
    );
    assert.equal(told.length, 1);
    for (const command of told[0].fix) await inMachine(command.replaceAll('"', "").split(" "));
    await until(async () => (await agent.does("connect")) === "outside", { timeoutMs: 60_000 });
    await agent.does("destroy");
    await nft(`delete table inet mine\ndelete table ip filter\n`);
  });

  test("iptables of before nftables is told of, with what to do", async (context) => {
    if (!existsSync("/usr/sbin/iptables-legacy")) return context.skip("this machine has no iptables-legacy");
    const agent = await openAgent();
    await inMachine(["iptables-legacy", "-P", "FORWARD", "DROP"]);
    assert.equal(await agent.does("connect in vain"), "timeout");
    await agent.does("reconcile");
    const told = (await agent.does("logs")).filter(
      ({ chain }: { chain?: string }) => chain === "iptables-legacy FORWARD",
    );
    assert.equal(told.length, 1);
    for (const command of told[0].fix) await inMachine(command.split(" "));
    assert.equal(await agent.does("connect"), "outside");
    await agent.does("destroy");
    await inMachine(["iptables-legacy", "-F", "FORWARD"]);
    await inMachine(["iptables-legacy", "-P", "FORWARD", "ACCEPT"]);
  });
});
