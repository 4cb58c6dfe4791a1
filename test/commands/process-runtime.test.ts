/**
 * Tests the `process` runtime in a whole cluster: real programs without containers, beside a central on the
 * same machine.
 */

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { get } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import { Agent, parseConfig, SimulatedMachine } from "@tijolo/agent";
import type { Client } from "@tijolo/protocol";
import { loggedLines } from "../support/logged-lines.ts";
import { projectWhen, TestCluster } from "../support/cluster/test-cluster.ts";
import { until } from "../support/until.ts";
import { zipOf } from "../support/archives/zip-of.ts";

const clock = { now: () => Date.now() };
const random = (bytes: number) => randomBytes(bytes);

const site = `
  const { createServer } = require("node:http");
  const { appendFileSync, readFileSync } = require("node:fs");
  appendFileSync("starts.txt", "x");
  createServer((request, response) => {
    response.setHeader("x-visitor", request.headers["x-forwarded-for"] + " " + request.headers["x-forwarded-proto"]);
    response.end(process.pid + " " + readFileSync("starts.txt"));
  }).listen(process.env.PORT, process.env.HOST);
`;

async function uploadSite(client: Client, subdomain: string): Promise<string> {
  const svcJson = JSON.stringify({
    name: subdomain,
    type: "site",
    language: "node",
    entry: "server.js",
    port: 8080,
    subdomain,
  });
  const file = new File([await zipOf({ "svc.json": svcJson, "server.js": site })], "site.zip");
  const { project } = await client.createProject({ fields: { start: "true" }, file });
  return project.id;
}

/**
 * Returns status, body and the visitor that the site was told of, by way of the gateway, to which a proxy for
 * TLS passes it on.
 */
function visit(
  cluster: TestCluster,
  subdomain: string,
): Promise<[number | undefined, string, visitor?: unknown]> {
  const headers = {
    host: `${subdomain}.localhost`,
    "x-forwarded-for": "203.0.113.7",
    "x-forwarded-proto": "https",
  };
  return new Promise((resolve, reject) => {
    get(cluster.central.pagesUrl, { headers, agent: false }, (response) => {
      let body = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (body += chunk));
      response.once("end", () => resolve([response.statusCode, body, response.headers["x-visitor"]]));
    }).once("error", reject);
  });
}

test("sites run as processes, each on a port of its own, over a restart of the agent; and everybody is warned", async () => {
  await using cluster = await TestCluster.create({
    hosts: 0,
    centralSettings: { TIJOLO_TRUSTED_PROXIES: "127.0.0.1" },
  });
  const tokenFile = join(cluster.directory, "token");
  await cluster.writeJoinToken(tokenFile);
  const settings = {
    TIJOLO_CENTRAL_URL: cluster.centralUrl,
    TIJOLO_JOIN_TOKEN_FILE: tokenFile,
    TIJOLO_DATA_DIRECTORY: join(cluster.directory, "host"),
    TIJOLO_HOST_NAME: "laptop",
  };
  const { lines, logger } = loggedLines("warn");
  const open = () =>
    Agent.create(parseConfig({ ...settings, TIJOLO_RUNTIME: "process" }), { clock, random, logger });
  const { client } = await cluster.createAccount();
  const running = new Set<string>();
  let agent = await open();
  try {
    assert.match(lines.join(""), /NO ISOLATION/);
    await until(async () => (await cluster.connectedHosts()) === 1);
    const [host] = await cluster.operator.hosts();
    assert.match(host?.resources?.operatingSystem ?? "", /^NO ISOLATION \(process runtime\), /);

    for (const name of ["one", "two"]) running.add(await uploadSite(client, name));
    for (const id of running) await projectWhen(client, id, ({ status }) => status === "running");
    const answers = await Promise.all(
      ["one", "two"].map((name) =>
        until(async () => ((await visit(cluster, name))[0] === 200 ? visit(cluster, name) : undefined)),
      ),
    );
    const [one, two] = answers.map(([, body]) => body);
    assert.match(`${one} ${two}`, /^\d+ x \d+ x$/);
    assert.notEqual(one, two);
    assert.equal(answers[0]?.[2], "203.0.113.7 https");
    const [first = ""] = running;
    const log = await readFile(
      join(cluster.directory, "host", "logs", first, "install", "system", "1-.log"),
      "utf8",
    );
    assert.match(log, /sem isolamento e sem limites/);

    await agent[Symbol.asyncDispose]();
    agent = await open();
    await until(async () => (await cluster.connectedHosts()) === 1);
    assert.equal(
      await until(async () =>
        (await visit(cluster, "one"))[0] === 200 ? (await visit(cluster, "one"))[1] : undefined,
      ),
      one,
    );

    await client.restartProject({ id: first });
    const restarted = await until(async () => {
      const [status, body] = await visit(cluster, "one");
      return status === 200 && body !== one ? body : undefined;
    });
    assert.match(restarted, /^\d+ xx$/, "what the project wrote is still there");
  } finally {
    // Nothing else ends them.
    for (const id of running) await client.stopProject({ id });
    for (const id of running) await projectWhen(client, id, ({ status }) => status === "stopped");
    await agent[Symbol.asyncDispose]();
  }

  const simulated = new SimulatedMachine();
  await assert.rejects(
    Agent.create(parseConfig(settings), { clock, random, logger, simulated }),
    /joined its cluster with the process runtime/,
  );
  await assert.rejects(
    Agent.create(parseConfig(settings), { clock, random, logger }),
    /Start it with TIJOLO_RUNTIME=process/,
  );
});
