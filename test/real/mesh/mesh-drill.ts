/**
 * Runs a cluster whose hosts are machines with networks of their own: projects of one account talk over UDP,
 * from behind NAT, and where UDP is dropped. `mesh.test.ts` runs it in namespaces of its own; each line that it
 * prints is something that held.
 */

import assert from "node:assert/strict";
import { once } from "node:events";
import { Agent, request, type IncomingMessage } from "node:http";
import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { inspect } from "node:util";
import { meshHostAddress } from "@tijolo/protocol";
import { exec } from "../../../agent/src/host/exec.ts";
import { until } from "../../support/until.ts";
import { RealCluster } from "../support/cluster/real-cluster.ts";
import type { RealHost } from "../support/cluster/real-host.ts";
import { DeployedProject, nodeProgram, type Upload } from "../support/projects/deployed-project.ts";
import { staticSite } from "../support/uploads/site-sources.ts";
import { changeKeys } from "./change-keys.ts";
import { deployOn as deployOnHost, startGatewayOn } from "./far-sites.ts";
import { Machines, publicAddress, type Machine } from "./machines.ts";

/** Greets, ticks for as long as somebody listens, and sends megabytes to who asks for them. */
const server = nodeProgram(`require("net").createServer((socket) => { socket.on("error", () => {});
  socket.write("hello\\n"); const ticking = setInterval(() => socket.write("tick\\n"), 200);
  socket.on("close", () => clearInterval(ticking));
  socket.once("data", () => { clearInterval(ticking); socket.end(Buffer.alloc(8_000_000, "x")); });
  }).listen(443, () => console.log("listens"));`);

/**
 * Prints what each attempt to reach a host ends with, when that changes, and each tenth tick of a connection
 * with the longest time between two.
 */
const callerOf = (hosts: readonly string[]) =>
  nodeProgram(`const { connect } = require("net");
  for (const host of ${JSON.stringify(hosts)}) { let last = ""; let lasting = null; let ticks = 0; let quietMs = 0; let tickAt = 0;
    const say = (text) => { if (text !== last) console.log(host + " " + (last = text)); };
    const attempt = () => { const socket = connect(443, host); let isOver = false;
      socket.setTimeout(8000, () => socket.destroy(new Error("timeout")));
      socket.on("error", (error) => say("ended with " + (error.code ?? error.message)));
      socket.once("data", () => { say("reached");
        if (lasting !== null) return socket.destroy();
        lasting = socket; socket.setTimeout(0);
        tickAt = Date.now();
        socket.on("data", () => { quietMs = Math.max(quietMs, Date.now() - tickAt); tickAt = Date.now();
          if (++ticks % 10 === 0) { console.log(host + " ticks " + ticks + " quiet " + quietMs); quietMs = 0; } });
        socket.on("close", () => { lasting = null; console.log(host + " connection lost"); }); }); };
    attempt(); setInterval(attempt, 500); }`);

/** Prints how long a host took to send 8 MB, once that host has heard of it. */
const loaderOf = (host: string) =>
  nodeProgram(`setInterval(() => {}, 1000); setTimeout(() => { const start = Date.now(); let bytes = 0;
  const socket = require("net").connect(443, "${host}", () => socket.write("all"));
  socket.on("data", (data) => (bytes += data.length)); socket.on("error", (error) => console.log(error.message));
  socket.on("close", () => console.log("loaded " + bytes + " in " + (Date.now() - start))); }, 3000);`);

const [, , directory = ""] = process.argv;
const say = (text: string) => console.log(text);

// An error of the disposal would hide the one before it.
process.on("uncaughtException", (error) => {
  for (let each: unknown = error; each !== undefined; each = (each as Partial<SuppressedError>).suppressed)
    console.error(inspect((each as Partial<SuppressedError>).error ?? each, { depth: 6 }));
  process.exit(1);
});

using machines = await Machines.create(directory);
const [first, home, muted] = [
  await machines.add("first", "public"),
  await machines.add("home", "home"),
  await machines.add("muted", "muted"),
];
await using cluster = await RealCluster.create({
  address: publicAddress,
  machines: [first.within, home.within, muted.within],
});
const owner = await cluster.createAccount();
const stranger = await cluster.createAccount();

const deployOn = (host: RealHost, upload: Upload) => deployOnHost(cluster, owner, { host, upload });

async function remove({ id }: DeployedProject): Promise<void> {
  await cluster.operator.client().deleteProject({ id });
}

const [onFirst, atHome, atMuted] = cluster.hosts;
assert.ok(onFirst !== undefined && atHome !== undefined && atMuted !== undefined);
const servers = [await deployOn(atHome, server), await deployOn(atMuted, server)];
const names = await Promise.all(servers.map(async (project) => (await project.get()).internalHost));
const [homeName = "", mutedName = ""] = names;
for (const project of servers) await project.prints("listens");
say("a project runs at home, and one where UDP is dropped");

const caller = await deployOn(onFirst, callerOf(names));
const foreign = await DeployedProject.create(stranger.client, callerOf(names));
await caller.prints(`${homeName} reached`);
say("a project on a public host reaches one behind NAT by its internalHost");
const beforeCarrier = performance.now();
await caller.prints(`${mutedName} reached`);
say(
  `and one whose UDP is dropped, over central (${((performance.now() - beforeCarrier) / 1_000).toFixed(0)} s later)`,
);
assert.match(await cluster.central.log(), /carrier/);
for (const name of names) await foreign.prints(`${name} ended with ENOTFOUND`);
say("another account finds neither");

const back = await deployOn(atMuted, callerOf([homeName]));
await back.prints(`${homeName} reached`);
say("two hosts behind NAT reach each other");

for (const [name, way] of [
  [homeName, "UDP"],
  [mutedName, "central"],
] as const) {
  const loader = await deployOn(onFirst, loaderOf(name));
  await loader.prints("loaded 8");
  const line = (await loader.output()).find((text) => text.startsWith("loaded")) ?? "";
  const [, bytes, milliseconds] = /^loaded (\d+) in (\d+)$/.exec(line) ?? [];
  assert.ok(Number(bytes) >= 8_000_000, line);
  say(`8 MB over ${way}: ${(Number(bytes) / Number(milliseconds) / 1_000).toFixed(1)} MB/s`);
  await remove(loader);
}

await changeKeys({
  cluster,
  ticksOf: async (name) => (await caller.output()).filter((line) => line.startsWith(`${name} ticks`)),
  isLost: async (name) => (await caller.output()).includes(`${name} connection lost`),
  first: onFirst,
  home: { host: atHome, name: homeName },
  muted: { host: atMuted, name: mutedName },
  say,
});

// A gateway on the first machine, and sites at home: visits pass neither central nor the host's agent.
await using gateway = await startGatewayOn(first, cluster, directory);
const site = await deployOn(atHome, {
  ...nodeProgram(
    `require("http").createServer((request, response) => response.end("from " + request.socket.remoteAddress))
    .listen(process.env.PORT, "0.0.0.0", () => console.log("listens"));`,
    { type: "site", subdomain: "loja", memoryMb: 512 },
  ),
});
await site.prints("listens");
const files = await deployOn(atHome, staticSite("vitrine"));
const [shop = "", window = ""] = (await Promise.all([site.get(), files.get()])).map(
  ({ subdomain }) => `${subdomain}.localhost`,
);
/** One connection, as new ones are limited per second and address. */
const browser = new Agent({ keepAlive: true, maxSockets: 1 });
const visit = async (name = shop): Promise<string> => {
  const visiting = request({ host: first.address, headers: { host: name }, agent: browser });
  visiting.setTimeout(20_000, () => visiting.destroy(new Error("no answer")));
  visiting.end();
  try {
    const [response] = (await once(visiting, "response")) as [IncomingMessage];
    return await text(response);
  } catch (error) {
    return String(error);
  }
};
await until(async () => (await visit()).startsWith("from "), { timeoutMs: 30_000, everyMs: 200 });
const isFar = async () =>
  (await gateway.wayTo(shop)) === "far-zip" && (await gateway.wayTo(window)) === "static-zip";
await until(isFar, { timeoutMs: 60_000, everyMs: 100 });
const page = await visit(window);
assert.match(page, /static page/);
await cluster.central.kill();
await atHome.agent.kill();
await until(async () => (await visit()) === "from 169.254.1.1", { timeoutMs: 30_000, everyMs: 200 });
const failed: string[] = [];
const since = performance.now();
for (let count = 0; count < 100; count++) {
  const answer = await visit();
  if (answer !== "from 169.254.1.1") failed.push(answer);
  const file = await visit(window);
  if (file !== page) failed.push(file);
}
assert.deepEqual(failed, []);
say(
  `visitors reach a site and files on another host while central and its agent are dead: 200 visits, none failed, ${((performance.now() - since) / 200).toFixed(0)} ms each`,
);
await atHome.agent.launch();
await cluster.startCentral();
await atHome.agent.serves();
await cluster.untilConnected();

const ticksOf = async (name: string) =>
  (await caller.output()).filter((line) => line.startsWith(`${name} ticks`)).length;
const ticksBefore = await ticksOf(homeName);
await cluster.central.kill();
await onFirst.agent.kill();
await onFirst.agent.launch();
await cluster.startCentral();
await onFirst.agent.serves();
await cluster.untilConnected();
await until(async () => (await ticksOf(homeName)) > ticksBefore + 1, { timeoutMs: 60_000, everyMs: 200 });
assert.ok(
  !(await caller.output()).includes(`${homeName} connection lost`),
  "the connection over UDP has gone on",
);
say("a connection outlives central and the agent that are killed");
await until(async () => lastOf(await caller.output(), mutedName) === "reached", {
  timeoutMs: 90_000,
  everyMs: 200,
});

await owner.client.stopProject({ id: servers[0]?.id ?? "" });
await until(async () => lastOf(await caller.output(), homeName) === "ended with ENOTFOUND", {
  timeoutMs: 60_000,
  everyMs: 200,
});
await owner.client.startProject({ id: servers[0]?.id ?? "" });
await until(async () => lastOf(await caller.output(), homeName) === "reached", {
  timeoutMs: 60_000,
  everyMs: 200,
});
say("a name goes with its project, and comes back with it");

// What a captured host may do: it sends from its own addresses, and reaches only what its accounts may.
const target = await addressOf(onFirst, foreignOn(onFirst));
if (target !== undefined) {
  assert.ok(!(await connects(home, target, 443)), "a captured host reaches a project of another account");
  say("a captured host reaches no project of an account that it does not have");
}
const statics = await addressOfStatics(atHome);
assert.ok(await connects(first, statics, 80), "the machine of the gateway reaches it");
assert.ok(
  !(await connects(muted, statics, 80)),
  "a host without a gateway reaches the server of static sites",
);
say("only the gateway's machine reaches the server of static sites of another host");

await gateway.program.stop();
await cluster.operator.client().revokeHost({ host: await hostIdOf(atHome) });
const revokedAt = performance.now();
await until(async () => lastOf(await caller.output(), homeName) !== "reached", {
  timeoutMs: 30_000,
  everyMs: 50,
});
say(`a revoked host is cut off after ${((performance.now() - revokedAt) / 1_000).toFixed(1)} s`);

function lastOf(output: readonly string[], name: string): string | undefined {
  return output
    .findLast((line) => line.startsWith(`${name} ended`) || line.startsWith(`${name} reached`))
    ?.slice(name.length + 1);
}

/** Id of a project of the stranger that runs on the host. */
function foreignOn(host: RealHost): string | undefined {
  return host.pidsOf(foreign.id).length > 0 ? foreign.id : undefined;
}

async function addressOf(host: RealHost, projectId: string | undefined): Promise<string | undefined> {
  if (projectId === undefined) return undefined;
  const file = `${host.dataDirectory}/network/${projectId}.json`;
  const { stdout } = await exec(["cat", file]);
  return (JSON.parse(stdout) as { namespace: { address: string } }).namespace.address;
}

/** Address of the host's server of static sites: the last but one of its range. */
async function addressOfStatics({ dataDirectory }: RealHost): Promise<string> {
  const { range } = JSON.parse(await readFile(`${dataDirectory}/mesh.json`, "utf8")) as { range: string };
  return meshHostAddress(range).replace(/255$/, "254");
}

/** True when a program of that machine itself can connect there. */
async function connects({ within }: Machine, address: string, port: number): Promise<boolean> {
  const program =
    "exit(IO::Socket::INET->new(PeerAddr => $ARGV[0], PeerPort => $ARGV[1], Timeout => 3) ? 0 : 1)";
  const perl = ["timeout", "5", "perl", "-MIO::Socket::INET", "-e", program, address, String(port)];
  return (await exec([...within, ...perl], { okCodes: [0, 1, 124] })).code === 0;
}

async function hostIdOf(host: RealHost): Promise<string> {
  const found = (await cluster.operator.hosts()).find(({ name }) => name === host.name);
  assert.ok(found !== undefined);
  return found.id;
}
