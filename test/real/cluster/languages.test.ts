/** Tests real projects of each language: uploaded, installed, run, visited, restarted, stopped, deleted. */

import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { findTraces } from "../../support/machine/machine-traces.ts";
import type { TestAccount } from "../../support/cluster/operator.ts";
import { until } from "../../support/until.ts";
import { DeployedProject, type Upload } from "../support/projects/deployed-project.ts";
import { RealCluster } from "../support/cluster/real-cluster.ts";
import {
  discordBot,
  expressSite,
  fastifySite,
  pythonBot,
  staticSite,
} from "../support/uploads/site-sources.ts";
import { exchange, socket, visit } from "../support/projects/visit.ts";

let cluster: RealCluster;
let account: TestAccount;
const projects: DeployedProject[] = [];
let express: DeployedProject;
let fastify: DeployedProject;
let discord: DeployedProject;
let python: DeployedProject;
let pages: DeployedProject;

async function deploy(upload: Upload): Promise<DeployedProject> {
  const project = await DeployedProject.create(account.client, upload);
  projects.push(project);
  return project;
}

before(async () => {
  cluster = await RealCluster.create();
  account = await cluster.createAccount();
  express = await deploy(await expressSite("express-site"));
  fastify = await deploy(fastifySite("fastify-site"));
  discord = await deploy(discordBot());
  python = await deploy(await pythonBot());
  pages = await deploy(staticSite("pages"));
});
after(() => cluster[Symbol.asyncDispose]());

const get = (subdomain: string, path?: string) => visit(cluster.gatewayPort, subdomain, path);

test("a static site answers from its folder, and only from there", async () => {
  const { url, command, root, version } = await pages.is("running");
  assert.deepEqual(
    [url, command, root, version],
    [`http://pages.localhost:${cluster.gatewayPort}/`, "", "public", ""],
  );
  assert.deepEqual(await get("pages"), { status: 200, text: "<h1>static page</h1>" });
  assert.equal((await get("pages", "/about.html")).text, "about");
  for (const path of ["/secret.txt", "/../secret.txt", "/%2e%2e/secret.txt"]) {
    const answer = await get("pages", path);
    assert.ok(answer.status >= 400 && !answer.text.includes("not served"), `${path}: ${answer.status}`);
  }
});

test("an express site with a lock file is installed by npm ci and answers", async () => {
  await express.is("running", 240_000);
  const install = await express.lines({ section: "install" });
  assert.ok(
    install.some(({ text }) => text.startsWith("$ npm ci")),
    JSON.stringify(install),
  );
  assert.ok(install.some(({ text }) => /added \d+ packages/.test(text)));
  await express.prints("site up");
  assert.match((await get("express-site")).text, /^express 5\.\S+ on v24\./);
  assert.deepEqual(JSON.parse((await get("express-site", "/where")).text), {
    host: `express-site.localhost:${cluster.gatewayPort}`,
    port: "3000",
  });
});

test("a site's request and answer stream both ways at once", async () => {
  const { sent, answer } = await exchange(cluster.gatewayPort, "express-site", "/echo");
  const chunks = answer.iterator() as AsyncIterator<Buffer>;
  const next = async () => String((await chunks.next()).value);
  assert.equal(await next(), "ready\n");
  for (const word of ["one", "two"]) {
    sent.write(word);
    assert.equal(await next(), word.toUpperCase());
  }
  sent.end();
  assert.equal(await next(), "end\n");
});

test("a site speaks WebSocket", async () => {
  const opened = await socket(cluster.gatewayPort, "express-site", "/socket");
  for (const word of ["a", "b"]) {
    opened.send(word);
    const [data] = await once(opened, "message");
    assert.equal(String(data), `heard ${word}`);
  }
  opened.close();
  await once(opened, "close");
});

test("a fastify site without a lock file is installed by npm install, on Node 22", async () => {
  await fastify.is("running", 240_000);
  const install = await fastify.lines({ section: "install" });
  assert.ok(install.some(({ text }) => text.startsWith("$ npm install")));
  await fastify.prints("site up");
  const answer = JSON.parse((await get("fastify-site")).text);
  assert.match(answer.fastify, /^5\./);
  assert.match(answer.node, /^v22\./);
});

test("a bot finds its library and logs", async () => {
  await discord.is("running", 240_000);
  assert.match(await discord.prints("bot ready"), /discord\.js 14\.\S+ function/);
  await discord.prints("beat");
});

test("a Python bot has its requirements in an environment of its own", async () => {
  await python.is("running", 240_000);
  assert.match(await python.prints("laid"), /^laid 7 3\.13\.\d+ \/app\/\.venv$/);
});

test("running projects tell what they use", async () => {
  const { usage } = await express.when(
    ({ usage: seen }) => seen !== null && seen.memoryMb > 10 && seen.networkOutBps >= 0,
    {
      timeoutMs: 20_000,
    },
  );
  assert.ok(usage !== null && usage.memoryMb < 512, JSON.stringify(usage));
});

test("a site that crashes answers a page, comes back by itself and answers again", async () => {
  assert.equal((await get("express-site", "/exit")).text, "bye");
  await express.when(({ consecutiveCrashes, lastExit }) => consecutiveCrashes === 1 && lastExit?.code === 9);
  await until(async () => (await get("express-site")).status === 200, { timeoutMs: 15_000, everyMs: 100 });
});

test("new code takes the place of the old, and the project comes back up with it", async () => {
  const { startedAt } = await pages.get();
  const processes = cluster.host.pidsOf(discord.id);
  await discord.upload({
    files: { "bot's new.js": `console.log("second version"); setInterval(() => {}, 1000);` },
    config: { language: "node", version: "24", entry: "bot's new.js" },
  });
  await discord.prints("second version");
  assert.equal((await discord.is("running")).command, `node 'bot'\\''s new.js'`);
  assert.ok(!cluster.host.pidsOf(discord.id).some((pid) => processes.includes(pid)));
  await pages.upload({
    files: { "public/index.html": "new page" },
    config: { language: "static", root: "public", subdomain: "pages" },
  });
  await until(async () => (await get("pages")).text === "new page", { everyMs: 50 });
  assert.notEqual((await pages.is("running")).startedAt, startedAt);
});

test("each is restarted with new processes, and stopped without any", async () => {
  const processed = projects.filter((project) => project !== pages);
  const before = new Map(processed.map(({ id }) => [id, cluster.host.pidsOf(id)]));
  await Promise.all(projects.map(({ id }) => account.client.restartProject({ id })));
  for (const project of projects) await project.is("running");
  for (const { id } of processed) {
    const now = cluster.host.pidsOf(id);
    assert.ok(now.length > 0 && !now.some((pid) => before.get(id)?.includes(pid)));
  }
  await until(async () => (await get("express-site")).status === 200, { timeoutMs: 15_000, everyMs: 100 });

  await Promise.all(projects.map(({ id }) => account.client.stopProject({ id })));
  for (const project of projects) await project.is("stopped");
  assert.deepEqual(cluster.host.pids(), []);
  const { status, text } = await get("express-site");
  assert.ok(status >= 400 && text.includes("<html"), `${status}`);
  assert.ok((await discord.output()).includes("second version"), "the log is readable while stopped");
});

test("a deleted project leaves nothing on its host", async () => {
  const operator = cluster.operator.client();
  const interfaces = () => findTraces([cluster.host.name]).filter(({ kind }) => kind === "interface").length;
  const withProjects = interfaces();
  await Promise.all(projects.map(({ id }) => operator.deleteProject({ id })));
  const leftOf = (directory: string) =>
    readdirSync(join(cluster.host.dataDirectory, directory)).filter((name) =>
      projects.some(({ id }) => id === name),
    );
  await until(() => ["projects", "runs", "logs"].every((directory) => leftOf(directory).length === 0), {
    timeoutMs: 20_000,
    everyMs: 50,
  });
  await until(() => interfaces() <= withProjects - 4, { everyMs: 50 });
  const groups = findTraces([cluster.host.name])
    .filter(({ kind }) => kind === "cgroup")
    .map(({ what }) => what);
  assert.ok(
    groups.length > 0 && groups.every((group) => projects.every(({ id }) => !existsSync(join(group, id)))),
  );
  assert.equal((await get("express-site")).status, 404);
  await assert.rejects(express.get(), { code: "not_found" });
});
