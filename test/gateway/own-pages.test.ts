/** Tests that a site's own page is shown where nothing of it answers, at the site's own addresses alone. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { freePort } from "../support/machine/free-port.ts";
import { GatewayFixture } from "./gateway-fixture.ts";

const browser = { accept: "text/html,*/*" };
const nobody = { kind: "process", address: "127.0.0.1", port: 1 } as const;

test("each own page stands for the service's pages of its status, as it came, with their headers", async () => {
  await using fixture = await GatewayFixture.create({
    gateway: { times: { headMs: 5_000, hostMs: 50 } },
    ingress: { times: { headMs: 2_000, listenMs: 50 } },
  });
  const { pages } = fixture;
  for (const status of ["404", "502", "503", "504", "maintenance"])
    pages.set(`project-loja ${status}`, `<!doctype html><p>página ${status}<script>alert(1)</script>`);
  const expectPage = async (page: string, status: number, retryAfter?: string) => {
    const visit = await fixture.get("loja", "/", { headers: browser });
    assert.equal(visit.status, status, page);
    assert.equal(visit.body, `<!doctype html><p>página ${page}<script>alert(1)</script>`);
    assert.equal(visit.headers["content-type"], "text/html; charset=utf-8");
    assert.equal(visit.headers["cache-control"], "no-store");
    assert.equal(visit.headers["x-content-type-options"], "nosniff");
    assert.equal(visit.headers["content-security-policy"], undefined);
    assert.equal(visit.headers["retry-after"], retryAfter);
    return visit;
  };
  fixture.site("loja", nobody, { isInMaintenance: true });
  await expectPage("maintenance", 503, "300");
  for (const status of ["stopped", "error", "crash_loop"] as const) {
    fixture.site("loja", nobody, { status, isRouted: false });
    assert.equal((await expectPage("503", 503, "60")).headers["refresh"], undefined);
  }
  fixture.site("loja", nobody, { status: "restarting", isRouted: false });
  assert.equal((await expectPage("503", 503, "3")).headers["refresh"], "3", "it reloads itself as ours does");
  fixture.site("loja", nobody, { hostId: "host-b" });
  await expectPage("503", 503, "10");
  fixture.site("loja", { ...nobody, port: await freePort() });
  await expectPage("502", 502, "5");
  await fixture.app("loja", () => {});
  await expectPage("504", 504);
  const head = await fixture.get("loja", "/", { method: "HEAD", headers: browser });
  assert.deepEqual([head.status, head.body], [504, ""]);
});

test("whoever asks for JSON gets JSON, and a WebSocket that is refused the page", async () => {
  await using fixture = await GatewayFixture.create();
  fixture.pages.set("project-loja 503", "<p>fechado");
  fixture.site("loja", nobody, { status: "stopped", isRouted: false });
  const json = await fixture.get("loja", "/", { headers: { accept: "application/json" } });
  assert.deepEqual([json.status, JSON.parse(json.body).code], [503, "site_stopped"]);
  const head = "GET / HTTP/1.1\r\nHost: loja.localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n";
  assert.match(await fixture.raw(head), /^HTTP\/1\.1 503 [^]*<p>fechado$/);
});

test("a site's page is shown under its own names only", async () => {
  await using fixture = await GatewayFixture.create();
  for (const status of ["404", "503"]) fixture.pages.set(`project-loja ${status}`, "<p>da loja");
  const stopped = { status: "stopped", isRouted: false } as const;
  fixture.site("loja", nobody, stopped);
  fixture.site("vizinha", nobody, stopped);
  const site = fixture.sites.get("loja");
  assert.ok(site !== undefined);
  fixture.domains.set("www.loja.dev", { site });
  fixture.domains.set("loja.dev", { redirectTo: "www.loja.dev" });
  const bodyAt = async (name: string, host?: string) =>
    (await fixture.get(name, "/", { headers: { ...browser, ...(host === undefined ? {} : { host }) } })).body;
  assert.equal(await bodyAt("loja"), "<p>da loja");
  assert.equal(await bodyAt("x", "www.loja.dev"), "<p>da loja");
  for (const [name, host] of [
    ["vizinha"],
    ["nobody"],
    ["x", "loja.dev"],
    ["x", "outra.dev"],
    ["x", "sites.example"],
    ["x", "localhost"],
    ["x", "127.0.0.1"],
  ] as const)
    assert.doesNotMatch(await bodyAt(name, host), /da loja/, host ?? name);
});

test("what is the visitor's fault has the service's page, and so has a site whose page cannot be read", async () => {
  const warnings: unknown[] = [];
  await using fixture = await GatewayFixture.create({
    gateway: {
      findOwnPage: async () => {
        throw new Error("the database is away");
      },
      logger: { warn: (fields: unknown) => void warnings.push(fields) },
    },
  });
  fixture.site("loja", nobody, { status: "stopped", isRouted: false });
  const page = await fixture.get("loja", "/", { headers: browser });
  assert.deepEqual([page.status, page.body.includes("503 · site_stopped")], [503, true]);
  assert.equal(warnings.length, 1);
  const many = Object.fromEntries(Array.from({ length: 220 }, (_, index) => [`x-${index}`, "1"]));
  assert.equal((await fixture.get("loja", "/", { headers: { ...browser, ...many } })).status, 431);
  assert.equal(warnings.length, 1);
});
