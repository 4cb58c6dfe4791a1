/**
 * Tests what visitors of a site meet whose next run starts beside the one before (`deploy: overlap`), on real
 * containers behind a real HAProxy: they do not even wait.
 */

import assert from "node:assert/strict";
import { once } from "node:events";
import { after, before, test } from "node:test";
import { WebSocket } from "ws";
import type { TestAccount } from "../../support/cluster/operator.ts";
import { TestGateway } from "../../support/cluster/test-gateway.ts";
import { until } from "../../support/until.ts";
import { RealCluster } from "../support/cluster/real-cluster.ts";
import { DeployedProject, nodeProgram, type Upload } from "../support/projects/deployed-project.ts";
import { SteadyLoad, tellLoad } from "../support/projects/steady-load.ts";
import { socket, visit } from "../support/projects/visit.ts";

/** Time that a program of these tests takes to listen: visits that waited for it would wait as long. */
const slowMs = 6_000;

let cluster: RealCluster;
let gateway: TestGateway;
let account: TestAccount;
before(async () => {
  cluster = await RealCluster.create();
  gateway = await TestGateway.start(cluster);
  account = await cluster.createAccount();
});
after(async () => {
  await gateway[Symbol.asyncDispose]();
  await cluster[Symbol.asyncDispose]();
});

/**
 * A site that answers its version and what it has written; at `/slow` it answers after 8 s, and a WebSocket
 * hears the version again and again.
 */
function site(subdomain: string, version: number, listenAfterMs = 0): Upload {
  const source = `
    const { existsSync, writeFileSync } = require("node:fs");
    const hadFile = existsSync("mine");
    writeFileSync("mine", "");
    const server = require("node:http").createServer((request, answer) => {
      if (request.url === "/file") return answer.end(String(hadFile));
      if (request.url !== "/slow") return answer.end("version ${version}");
      console.log("slow ${version}");
      answer.write("version ");
      setTimeout(() => answer.end("${version}"), 8_000);
    });
    server.on("upgrade", ({ headers }, socket) => {
      const key = headers["sec-websocket-key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
      const accept = require("node:crypto").createHash("sha1").update(key).digest("base64");
      socket.write("HTTP/1.1 101 Switching Protocols\\r\\nConnection: Upgrade\\r\\nUpgrade: websocket\\r\\n");
      socket.write("Sec-WebSocket-Accept: " + accept + "\\r\\n\\r\\n");
      const telling = setInterval(() => socket.write("\\x81\\x09version ${version}", "latin1"), 50);
      socket.on("error", () => {}).on("end", () => socket.destroy()).on("close", () => clearInterval(telling));
      socket.resume();
    });
    setTimeout(() => server.listen(process.env.PORT), ${listenAfterMs});`;
  return nodeProgram(source, { type: "site", subdomain });
}

async function overlapping(subdomain: string, drainSeconds = 30): Promise<DeployedProject> {
  const project = await DeployedProject.create(account.client, site(subdomain, 1));
  await project.is("running");
  await reads(subdomain, "version 1");
  await account.client.setSiteSettings({ id: project.id, body: { deploy: "overlap", drainSeconds } });
  return project;
}

const reads = (subdomain: string, text: string) =>
  until(async () => (await visit(gateway.httpPort, subdomain)).text === text, {
    timeoutMs: 60_000,
    everyMs: 100,
  });
const load = (subdomain: string, perSecond = 30) =>
  new SteadyLoad(gateway.httpPort, subdomain, { perSecond });

/** Resolves once the project has so many runs. */
const hasRuns = ({ id }: DeployedProject, count: number) =>
  until(() => cluster.host.runNames(id).filter((name) => name.startsWith("run-")).length === count, {
    timeoutMs: 60_000,
    everyMs: 5,
  });

test("three deploys and a restart of a site that is slow to listen: no visit fails, and none waits for it", async (t) => {
  const project = await overlapping("loja");
  await using visitors = load("loja");
  for (const version of [2, 3, 4]) {
    await project.upload(site("loja", version, slowMs));
    await until(() => visitors.hasRead(`version ${version}`), { timeoutMs: 90_000, everyMs: 20 });
    await hasRuns(project, 1);
  }
  await account.client.restartProject({ id: project.id });
  await hasRuns(project, 2);
  await hasRuns(project, 1);
  const report = await visitors.end();
  tellLoad(t, report);
  assert.deepEqual([...report.failures], []);
  assert.ok(report.longestMs < slowMs, "the run before answered meanwhile");
  assert.equal(
    (await visit(gateway.httpPort, "loja", "/file")).text,
    "false",
    "what a run writes goes with it",
  );
});

test("of a version that does not come up no visitor sees anything, and a response under way ends whole", async (t) => {
  const project = await overlapping("firme");
  await using visitors = load("firme");
  const broken = nodeProgram("setTimeout(() => process.exit(3), 200);", { type: "site", subdomain: "firme" });
  await project.upload(broken);
  await project.when(({ error }) => error?.code === "start_failed");
  await hasRuns(project, 1);
  const slow = visit(gateway.httpPort, "firme", "/slow");
  await project.prints("slow 1");
  await project.upload(site("firme", 3));
  await until(() => visitors.hasRead("version 3"), { timeoutMs: 60_000, everyMs: 20 });
  assert.equal((await slow).text, "version 1");
  const report = await visitors.end();
  tellLoad(t, report);
  assert.deepEqual([[...report.failures], [...report.texts].sort()], [[], ["version 1", "version 3"]]);
});

test("a WebSocket goes on beside the next run, until its visitor leaves or a third run comes", async () => {
  const project = await overlapping("conversa", 300);
  const first = await socket(gateway.httpPort, "conversa", "/");
  await project.upload(site("conversa", 2));
  await reads("conversa", "version 2");
  for (let message = 0; message < 10; message++)
    assert.equal(String(await once(first, "message").then(([data]) => data)), "version 1");
  first.terminate();
  await hasRuns(project, 1);

  const second = await socket(gateway.httpPort, "conversa", "/");
  await project.upload(site("conversa", 3));
  await reads("conversa", "version 3");
  assert.equal(second.readyState, WebSocket.OPEN);
  await project.upload(site("conversa", 4));
  await Promise.all([once(second, "close"), reads("conversa", "version 4")]);
  await hasRuns(project, 1);
});

test("an agent that is killed while two runs are there: no visit fails, and the new version takes over", async (t) => {
  const project = await overlapping("morta");
  await using visitors = load("morta");
  await project.upload(site("morta", 2, slowMs));
  await hasRuns(project, 2);
  await cluster.host.agent.kill();
  await cluster.host.agent.start();
  await until(() => visitors.hasRead("version 2"), { timeoutMs: 60_000, everyMs: 20 });
  await hasRuns(project, 1);
  const report = await visitors.end();
  tellLoad(t, report);
  assert.deepEqual([...report.failures], []);
  await project.is("running");
});
