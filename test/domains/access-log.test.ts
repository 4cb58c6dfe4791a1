/** Tests the log of a site's visits end to end: written where it is asked for, read as every log, bounded, gone. */

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { readMachineName } from "@tijolo/protocol/kit";
import type { Client, LogLine } from "@tijolo/protocol";
import { CommandLine } from "../support/commands/command-line.ts";
import { DomainWorld } from "../support/domains/domain-world.ts";
import { haproxyOf } from "../support/machine/haproxy.ts";
import { TestGateway } from "../support/cluster/test-gateway.ts";
import { until } from "../support/until.ts";

let world: DomainWorld;
before(async () => {
  world = await DomainWorld.create();
});
after(() => world[Symbol.asyncDispose]());

const access = { section: "access", lines: 1_000 } as const;

async function visitedSite() {
  const site = await world.site();
  const { subdomain } = (await site.client.getProject({ id: site.id })).project;
  return { ...site, host: `${subdomain}.localhost` };
}

async function linesOf(client: Client, id: string): Promise<LogLine[]> {
  return (await client.streamLogs.page({ id, query: access })).lines;
}

test("off writes nothing; short and full write a line a visit, which only section=access shows", async () => {
  const { id, client, host } = await visitedSite();
  await world.visit(host, "/before");
  await client.setSiteSettings({ id, body: { accessLog: "short" } });
  await until(() => world.cluster.central.app.siteRoutes.accessLogOf(id) === "short");
  await world.visit(host, "/one?q=1");
  await until(async () => (await linesOf(client, id)).length === 1);
  await client.setSiteSettings({ id, body: { accessLog: "full" } });
  await until(() => world.cluster.central.app.siteRoutes.accessLogOf(id) === "full");
  await world.visit(host, "/two");
  await until(async () => (await linesOf(client, id)).length === 2);
  const [one, two] = await linesOf(client, id);
  assert.match(one?.text ?? "", /^127\.0\.0\.0 "GET \/one\?q=1" 200 \d+ \d+ms "-" "-"$/);
  assert.match(two?.text ?? "", /^127\.0\.0\.1 "GET \/two" 200 /);
  assert.deepEqual([one?.section, one?.stream, one?.version], ["access", "stdout", 0]);
  assert.ok(Math.abs(Date.parse(one?.at ?? "") - Date.now()) < 60_000);
  const all = (await client.streamLogs.page({ id, query: { section: "all", lines: 1_000 } })).lines;
  assert.ok(all.every(({ section }) => section !== "access"));
  const found = await client.streamLogs.page({ id, query: { ...access, q: "/TWO" } });
  assert.deepEqual(
    found.lines.map(({ text }) => text),
    [two?.text],
  );
});

test("the log is followed live, paged back, downloaded, and survives a restart of central", async () => {
  const { id, client, key, host } = await visitedSite();
  await client.setSiteSettings({ id, body: { accessLog: "full" } });
  await until(() => world.cluster.central.app.siteRoutes.accessLogOf(id) === "full");
  const stop = new AbortController();
  const events = client.streamLogs({ id, query: access }, { signal: stop.signal })[Symbol.asyncIterator]();
  const first = events.next();
  await world.visit(host, "/live");
  const { value } = await first;
  assert.ok(value?.event === "log" && value.data.text.includes("/live"));
  stop.abort();
  await world.visit(host, "/last-second");
  await world.cluster.stopCentral();
  await world.cluster.startCentral();
  await world.cluster.untilConnected();
  assert.equal((await linesOf(client, id)).length, 2, "what was visited a moment before is there");
  const { lines, previousCursor } = await client.streamLogs.page({ id, query: { ...access, lines: 1 } });
  assert.match(lines[0]?.text ?? "", /last-second/);
  assert.ok(previousCursor !== null);
  const older = await client.streamLogs.page({ id, query: { ...access, before: previousCursor } });
  assert.match(older.lines[0]?.text ?? "", /\/live/);
  const file = await fetch(`${world.cluster.centralUrl}/api/projects/${id}/logs/download?section=access`, {
    headers: { authorization: `Bearer ${key}` },
  });
  assert.match(
    await file.text(),
    /^\S+Z access stdout v0 \S+ "GET \/live" [^\n]*\n\S+Z access [^\n]*last-second[^\n]*\n$/,
  );
  await using line = await CommandLine.create();
  line.environment = { TIJOLO_URL: world.cluster.centralUrl, TIJOLO_KEY: key };
  assert.match((await line.run(["logs", id, "--section", "access"])).stdout, /GET \/live[^]*last-second/);
  const set = await line.run(["site", id, "--access-log", "short"]);
  assert.match(set.stdout, /endereço do visitante cortado/);
  assert.equal((await line.run(["site", id, "--access-log", "all"])).code, 2);
});

test("a visitor forges no line, and no field", async () => {
  const { id, client, host } = await visitedSite();
  await client.setSiteSettings({ id, body: { accessLog: "full" } });
  await until(() => world.cluster.central.app.siteRoutes.accessLogOf(id) === "full");
  const { hostname, port } = new URL(world.cluster.central.pagesUrl);
  const forged = '" 200 1 1ms "-" "-"\\';
  const head = `GET /%0a203.0.113.9 HTTP/1.1\r\nHost: ${host}\r\nUser-Agent: x${forged}\x80\xff\tz\r\nReferer: ${forged}\r\nConnection: close\r\n\r\n`;
  const socket = connect(Number(port), hostname);
  socket.write(Buffer.from(head, "latin1"));
  await socket.toArray();
  await until(async () => (await linesOf(client, id)).length > 0);
  const [line, ...others] = await linesOf(client, id);
  assert.deepEqual(others, []);
  assert.match(line?.text ?? "", /^[\x20-\x7e]+$/);
  assert.match(
    line?.text ?? "",
    /^127\.0\.0\.1 "GET \/%0a203\.0\.113\.9" 200 \d+ \d+ms "\\" 200 1 1ms \\"-\\" \\"-\\"\\\\" "x\\" .*"$/,
  );
});

test("a log of visits is another account's to read as little as the rest, and goes with its project", async () => {
  const [{ id, client, host }, other] = [await visitedSite(), await world.site()];
  await client.setSiteSettings({ id, body: { accessLog: "short" } });
  await until(() => world.cluster.central.app.siteRoutes.accessLogOf(id) === "short");
  await world.visit(host, "/");
  await until(async () => (await linesOf(client, id)).length === 1);
  await assert.rejects(linesOf(other.client, id), { status: 404 });
  const directory = join(world.cluster.host.dataDirectory, "logs", id);
  assert.ok(existsSync(join(directory, "access")));
  await world.cluster.admin.deleteProject({ id });
  await world.visit(host, "/");
  await until(() => !existsSync(directory));
});

test("a visit that HAProxy carries past central is a line, too", async (t) => {
  if ((await haproxyOf(t)) === undefined) return;
  const { id, client, host } = await visitedSite();
  await client.setSiteSettings({ id, body: { accessLog: "short" } });
  await using gateway = await TestGateway.start(world.cluster);
  const { siteRoutes } = world.cluster.central.app;
  const machine = await readMachineName();
  await until(() => siteRoutes.accessLogOf(id) === "short");
  await until(async () => (await gateway.get(host)).status === 200);
  assert.ok(siteRoutes.routesOf(machine ?? "").get(host)?.near, "it goes past central");
  await gateway.get(host, { path: "/carried", headers: { "user-agent": 'x" "y\\' } });
  const line = await until(async () =>
    (await linesOf(client, id)).find(({ text }) => text.includes("/carried")),
  );
  assert.match(line.text, /^127\.0\.0\.0 "GET \/carried" 200 \d+ \d+ms "-" "x\\" \\"y\\\\"$/);
});
