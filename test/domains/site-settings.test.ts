/** Tests that what a site's owner decides about its visits takes effect at once, at the pages server and in routes. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { CommandLine } from "../support/commands/command-line.ts";
import { heldBy } from "../support/cluster/held-by.ts";
import { DomainWorld } from "../support/domains/domain-world.ts";
import { until } from "../support/until.ts";

let world: DomainWorld;
before(async () => {
  world = await DomainWorld.create();
});
after(() => world[Symbol.asyncDispose]());

test("maintenance shows its page while the program runs on, and ends at once; what is left out is the default", async () => {
  const { id, client } = await world.site();
  const { project } = await client.getProject({ id });
  const host = `${project.subdomain}.localhost`;
  const routeOf = () => world.cluster.central.app.siteRoutes.routesOf("any").get(host);
  assert.equal((await world.visit(host)).status, 200);
  assert.deepEqual((await client.getSiteSettings({ id })).siteSettings, {
    maintenance: false,
    hsts: true,
    compression: true,
    healthPath: null,
    drainSeconds: null,
    deploy: "hold",
    protocol: "http1",
    accessLog: "off",
  });
  await client.setSiteSettings({ id, body: { maintenance: true, hsts: false, compression: false } });
  const page = await world.visit(host);
  assert.equal(page.status, 503);
  assert.match(page.body, /Este site está em manutenção/);
  assert.equal((await client.getProject({ id })).project.status, "running");
  await until(() => routeOf()?.hasHsts === false && !routeOf()?.isCompressed);
  const { siteSettings } = await client.setSiteSettings({ id, body: {} });
  assert.deepEqual(siteSettings, {
    maintenance: false,
    hsts: true,
    compression: true,
    healthPath: null,
    drainSeconds: null,
    deploy: "hold",
    protocol: "http1",
    accessLog: "off",
  });
  assert.equal((await world.visit(host)).status, 200);
  await until(() => routeOf()?.hasHsts === true);
});

test("a run is asked for the health path under the site's name, and has come up once it is healthy", async () => {
  const { id, client } = await world.site();
  const { project } = await client.getProject({ id });
  const { machine } = world.cluster.host;
  const isStarting = async () => (await client.getProject({ id })).isStarting === true;
  const health = { path: "/up?deep=1", host: `${project.subdomain}.localhost` };
  await client.setSiteSettings({ id, body: { healthPath: health.path } });
  machine.healthStatus.set(id, 503);
  await client.restartProject({ id });
  await until(() => machine.healthAsked.has(id));
  assert.deepEqual(machine.healthAsked.get(id), health);
  await until(isStarting);
  machine.healthAsked.delete(id);
  await until(() => machine.healthAsked.has(id));
  assert.ok(await isStarting(), "it listens, and is not ready");
  machine.healthStatus.set(id, 204);
  await until(async () => !(await isStarting()));
});

test("a health path is a path", async () => {
  const { id, client } = await world.site();
  for (const healthPath of ["", "up", "/a b", "/é", "/\n", "/x\r\nx: y", `/${"x".repeat(256)}`])
    await assert.rejects(client.setSiteSettings({ id, body: { healthPath } }), { status: 400 });
});

test("the host of a site with a program is told that runs overlap, that of a bot or a static site is not", async () => {
  const { id, client } = await world.site();
  const toldOf = (projectId: string) => heldBy(world.cluster.host, projectId);
  const { restartCount } = await until(() => toldOf(id));
  await client.setSiteSettings({ id, body: { deploy: "overlap" } });
  await until(() => toldOf(id)?.deploy === "overlap");
  assert.equal((await client.getSiteSettings({ id })).siteSettings.deploy, "overlap");
  assert.equal(toldOf(id)?.restartCount, restartCount, "it is not restarted for that");
  await client.updateProject({ id, body: { type: "bot" } });
  await until(() => toldOf(id)?.settings.type === "bot");
  assert.ok(!("deploy" in (toldOf(id) ?? {})));
  await client.updateProject({ id, body: { type: "site" } });
  await until(() => toldOf(id)?.deploy === "overlap");
  await client.setSiteSettings({ id, body: {} });
  await until(() => !("deploy" in (toldOf(id) ?? {})));

  await client.setSiteSettings({ id, body: { deploy: "overlap" } });
  await until(() => toldOf(id)?.deploy === "overlap");
  await client.updateProject({ id, body: { language: "static" } });
  await until(() => toldOf(id)?.settings.language === "static");
  assert.ok(!("deploy" in (toldOf(id) ?? {})));
  const other = { deploy: "canary" } as unknown as { deploy: "hold" };
  await assert.rejects(client.setSiteSettings({ id, body: other }), { status: 400 });
});

test("a static site is given no setting of a process, keeps what it had of them, and its owner is told why", async () => {
  const { id, key, client } = await world.site();
  const kept = { healthPath: "/up", drainSeconds: 60 };
  await client.setSiteSettings({ id, body: kept });
  await client.updateProject({ id, body: { language: "static" } });
  const settings = async () => (await client.getSiteSettings({ id })).siteSettings;
  const { siteSettings } = await client.setSiteSettings({ id, body: { ...(await settings()), hsts: false } });
  assert.deepEqual({ ...siteSettings, ...kept }, siteSettings);
  for (const [field, change] of [
    ["healthPath", { ...kept, healthPath: "/other" }],
    ["drainSeconds", { ...kept, drainSeconds: 61 }],
    ["protocol", { ...kept, protocol: "h2c" }],
  ] as const)
    await assert.rejects(client.setSiteSettings({ id, body: change }), {
      status: 400,
      code: "invalid_request",
      extra: { field },
      message: /Um projeto static não tem processo/,
    });

  await using line = await CommandLine.create();
  line.environment = { TIJOLO_URL: world.cluster.centralUrl, TIJOLO_KEY: key };
  const refused = await line.run(["site", id, "--drain-seconds", "10"]);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /Um projeto static não tem processo/);
  const shown = await line.run(["site", id, "--drain-seconds", "default", "--health-path", "off"]);
  assert.equal(shown.code, 0, shown.stderr);
  assert.doesNotMatch(shown.stdout, /pronto|terminar/);
  assert.deepEqual([(await settings()).healthPath, (await settings()).drainSeconds], [null, null]);
});

test("what a program speaks reaches its routes, without a path that would be asked for over HTTP/1.1", async () => {
  const { id, key, client } = await world.site();
  const body = { protocol: "h2c", deploy: "overlap" } as const;
  await assert.rejects(client.setSiteSettings({ id, body: { ...body, healthPath: "/up" } }), {
    status: 400,
    code: "invalid_request",
    extra: { field: "healthPath" },
    message: /HTTP\/1\.1/,
  });
  await client.setSiteSettings({ id, body });
  const { siteRoutes } = world.cluster.central.app;
  await until(() => {
    const [route] = [...siteRoutes.routesOf("any").values()].filter(({ projectId }) => projectId === id);
    return route?.protocol === "h2c";
  });
  await using line = await CommandLine.create();
  line.environment = { TIJOLO_URL: world.cluster.centralUrl, TIJOLO_KEY: key };
  assert.match((await line.run(["site", id])).stdout, /HTTP\/2 sem TLS \(h2c\)/);
  const back = await line.run(["site", id, "--protocol", "http1"]);
  assert.doesNotMatch(back.stdout, /h2c/);
  assert.equal((await client.getSiteSettings({ id })).siteSettings.protocol, "http1");
});

test("another account's are not found", async () => {
  const [own, other] = [await world.site(), await world.site()];
  await assert.rejects(other.client.getSiteSettings({ id: own.id }), { status: 404 });
  await assert.rejects(other.client.setSiteSettings({ id: own.id, body: {} }), { status: 404 });
});

test("the command shows and changes them, and says that a bot has none", async () => {
  const { id, key, client } = await world.site();
  await using line = await CommandLine.create();
  line.environment = { TIJOLO_URL: world.cluster.centralUrl, TIJOLO_KEY: key };
  const closed = await line.run(["site", id, "--maintenance", "--no-hsts"]);
  assert.equal(closed.code, 0, closed.stderr);
  assert.match(closed.stdout, /Os visitantes veem a página de manutenção\./);
  assert.deepEqual((await client.getSiteSettings({ id })).siteSettings, {
    maintenance: true,
    hsts: false,
    compression: true,
    healthPath: null,
    drainSeconds: null,
    deploy: "hold",
    protocol: "http1",
    accessLog: "off",
  });
  assert.match((await line.run(["site", id, "--no-maintenance"])).stdout, /Os visitantes veem o site\./);
  assert.deepEqual((await client.getSiteSettings({ id })).siteSettings, {
    maintenance: false,
    hsts: false,
    compression: true,
    healthPath: null,
    drainSeconds: null,
    deploy: "hold",
    protocol: "http1",
    accessLog: "off",
  });
  const asked = await line.run(["site", id, "--health-path", "/up"]);
  assert.match(asked.stdout, /O site está pronto quando \/up responde com 200 a 399\./);
  assert.equal((await client.getSiteSettings({ id })).siteSettings.healthPath, "/up");
  assert.match((await line.run(["site", id, "--health-path", "off"])).stdout, /quando ouve a porta\./);
  assert.equal((await client.getSiteSettings({ id })).siteSettings.healthPath, null);
  const held = await line.run(["site", id]);
  assert.match(held.stdout, /o processo antigo para, o novo inicia, e as visitas esperam\./);
  assert.doesNotMatch(held.stdout, /próximo início/);
  const beside = await line.run(["site", id, "--deploy", "overlap"]);
  assert.match(beside.stdout, /responde até o novo estar pronto\. .* se perde quando ele acaba\./);
  assert.match(beside.stdout, /A forma da troca vale a partir do próximo início/);
  assert.equal((await client.getSiteSettings({ id })).siteSettings.deploy, "overlap");
  await line.run(["site", id, "--maintenance"]);
  assert.equal((await client.getSiteSettings({ id })).siteSettings.deploy, "overlap", "others stay");
  assert.equal((await line.run(["site", id, "--deploy", "both"])).code, 2);
  const page = await world.staticSite();
  line.environment = { TIJOLO_URL: world.cluster.centralUrl, TIJOLO_KEY: page.key };
  assert.doesNotMatch((await line.run(["site", page.id])).stdout, /processo antigo|não tem processo/);
  const useless = await line.run(["site", page.id, "--deploy", "overlap"]);
  assert.match(useless.stdout, /Um site estático não tem processo/);
  line.environment = { TIJOLO_URL: world.cluster.centralUrl, TIJOLO_KEY: key };
  await client.updateProject({ id, body: { type: "bot" } });
  const refused = await line.run(["site", id]);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /Este projeto é um bot/);
});
