import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { test } from "node:test";
import type { SiteRoute } from "@tijolo/protocol";
import { FarHosts } from "./far-hosts.ts";

function routeTo(port: number, { isStatic = false, farHost = "FAR", address = "127.0.0.1" } = {}): SiteRoute {
  const near = { address, port, runNumber: 1, isStatic };
  return { hostname: `${port}.localhost`, projectId: "P", near, farHost, redirectTo: null } as SiteRoute;
}

/** Returns a port that answers until it is closed, and refuses afterwards. */
async function openPort() {
  const server = createServer((socket) => socket.destroy()).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { port, close: () => new Promise((resolve) => server.close(resolve)) };
}

test("a host is reached once something answers there, also by refusing", async () => {
  const hosts = new FarHosts();
  const { port, close } = await openPort();
  const route = routeTo(port);
  assert.equal(hosts.reaches(route), false);
  assert.equal(await hosts.probe([route]), true);
  assert.equal(hosts.reaches(route), true);
  await close();
  assert.equal(await hosts.probe([route]), false, "a program that refuses is on a host that answers");
  assert.equal(await hosts.probe([]), true);
  assert.equal(hosts.reaches(route), false);
});

test("static sites of a host are reached while their server answers, whatever its programs do", async () => {
  const hosts = new FarHosts();
  const [program, statics] = [await openPort(), await openPort()];
  const [site, files] = [routeTo(program.port), routeTo(statics.port, { isStatic: true })];
  await statics.close();
  await hosts.probe([site, files]);
  assert.deepEqual([hosts.reaches(site), hosts.reaches(files)], [true, false]);
  await program.close();
});

test("a route of this machine needs no answer", () => {
  const { farHost: _, ...near } = routeTo(1);
  assert.equal(new FarHosts().reaches(near), true);
});

test("a site that does not answer, as one that hangs, does not stand for its host, whichever comes last", async (t) => {
  const hosts = new FarHosts();
  const { port, close } = await openPort();
  t.after(close);
  const [silent, healthy] = [routeTo(port, { address: "255.255.255.255" }), routeTo(port)];
  await hosts.probe([silent]);
  assert.equal(hosts.reaches(silent), false);
  for (const routes of [
    [healthy, silent],
    [silent, healthy],
  ]) {
    await hosts.probe(routes);
    assert.equal(hosts.reaches(healthy), true);
  }
});
