/**
 * Two projects of one account talk by `internalHost` through a whole cluster; another account's neither finds
 * nor reaches them.
 */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { TestAccount } from "../../support/cluster/operator.ts";
import { until } from "../../support/until.ts";
import { DeployedProject, nodeProgram } from "../support/projects/deployed-project.ts";
import { RealCluster } from "../support/cluster/real-cluster.ts";

let cluster: RealCluster;
let [mine, foreign]: TestAccount[] = [];
before(async () => {
  cluster = await RealCluster.create();
  [mine, foreign] = [await cluster.createAccount(), await cluster.createAccount()];
});
after(() => cluster[Symbol.asyncDispose]());

/** Greets with its name on a port below 1024, and keeps the connection open. */
const database =
  nodeProgram(`require("net").createServer((socket) => { socket.on("error", () => {}); socket.write("hello\\n");
  setInterval(() => socket.write("still\\n"), 200); }).listen(443, () => console.log("listens"));`);

/**
 * Prints what each attempt to reach the host ends with, when that changes; and every tick of a connection
 * that lasts.
 */
const callerOf = (host: string) =>
  nodeProgram(`const { connect } = require("net"); let last = ""; let ticks = 0; let lasting = null;
  const say = (text) => { if (text !== last) console.log(last = text); };
  const attempt = () => { const socket = connect(443, "${host}"); socket.setTimeout(5000, () => socket.destroy(new Error("timeout")));
    socket.on("error", (error) => say("ended with " + (error.code ?? error.message)));
    socket.once("data", (text) => { say("reached: " + String(text).split("\\n")[0]);
      if (lasting === null) { lasting = socket; socket.setTimeout(0); socket.on("data", () => { if (++ticks % 10 === 0) console.log("ticks " + ticks); });
        socket.on("close", () => { console.log("connection lost"); }); } else socket.destroy(); }); };
  attempt(); setInterval(attempt, 300);`);

test("a project reaches another of its account by internalHost, only while that runs, also while the agent is killed and replaced", async () => {
  assert.ok(mine !== undefined && foreign !== undefined);
  const server = await DeployedProject.create(mine.client, database);
  const { internalHost } = await server.get();
  assert.match(internalHost, /^svc-[0-9a-z]{8}$/);
  const stranger = await DeployedProject.create(foreign.client, callerOf(internalHost));
  const caller = await DeployedProject.create(mine.client, callerOf(internalHost));
  await server.prints("listens");
  await caller.prints("reached: hello");
  await stranger.prints("ended with ENOTFOUND");

  const ticksBefore = await ticksOf(caller);
  await cluster.central.kill();
  await cluster.host.agent.kill();
  await cluster.host.agent.launch();
  await cluster.startCentral();
  await cluster.host.agent.serves();
  await cluster.untilConnected();
  await caller.prints(`ticks ${ticksBefore + 20}`);
  const during = await caller.output();
  assert.ok(!during.includes("connection lost"), "the connection has gone on");
  assert.deepEqual(
    during.filter((line) => line.startsWith("ended")).filter((line) => !/ENOTFOUND|ECONNREFUSED/.test(line)),
    [],
  );

  await mine.client.stopProject({ id: server.id });
  await server.is("stopped");
  await printsAgain(caller, "ended with ENOTFOUND");
  await mine.client.startProject({ id: server.id });
  await server.is("running");
  await printsAgain(caller, "reached: hello");
  assert.ok(!(await stranger.output()).some((line) => line.startsWith("reached")));
});

async function ticksOf(project: DeployedProject): Promise<number> {
  await project.prints("ticks");
  return Number((await project.output()).findLast((line) => line.startsWith("ticks"))?.split(" ")[1]);
}

/** Resolves once the last of its attempts ends so. */
async function printsAgain(project: DeployedProject, text: string): Promise<void> {
  const lastAttempt = async () =>
    (await project.output()).findLast((line) => line.startsWith("ended") || line.startsWith("reached"));
  await until(async () => (await lastAttempt()) === text, { timeoutMs: 60_000, everyMs: 100 });
}
