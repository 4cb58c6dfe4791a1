/** A domain that leads to somebody else's servers is active once those reach us, as behind a CDN. */

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, request, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { DomainWorld } from "../support/domains/domain-world.ts";

/** Checks a proven domain whose address is a stranger's server that answers so; returns the error's code. */
async function checkBehind(answer: (world: DomainWorld) => RequestListener): Promise<string | null> {
  const cdn = createServer().listen(0, "127.0.0.1");
  await once(cdn, "listening");
  const { port } = cdn.address() as AddressInfo;
  // The gateway's addresses are set, so the loopback is a stranger's.
  await using world = await DomainWorld.create({ TIJOLO_GATEWAY_ADDRESSES: "203.0.113.7" }, { port });
  cdn.on("request", answer(world));
  const { id, client } = await world.site();
  const hostname = "www.nuvem.dev";
  world.dns.zone("nuvem.dev");
  const { domain } = await client.addDomain({ id, body: { hostname } });
  await world.write(domain, "addresses");
  world.dns.set(hostname, "A", ["127.0.0.1"]);
  const { domain: checked } = await client.verifyDomain({ id, hostname });
  assert.equal(checked.status, checked.error === null ? "active" : "pending");
  cdn.closeAllConnections();
  cdn.close();
  return checked.error?.code ?? null;
}

const toGateway =
  (world: DomainWorld): RequestListener =>
  (asked, response) => {
    const { hostname: host, port } = new URL(world.cluster.central.pagesUrl);
    const passed = request({ host, port, path: asked.url, headers: asked.headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, { "content-type": answer.headers["content-type"] ?? "" });
      answer.pipe(response);
    });
    passed.end();
  };

test("a server that passes visits on to our gateway makes the domain active", async () => {
  assert.equal(await checkBehind(toGateway), null);
});

test("a server that answers by itself, redirects, or sends too much does not", async () => {
  const others: RequestListener[] = [
    (_, response) => response.end("olá"),
    (asked: IncomingMessage, response) =>
      response.writeHead(302, { location: `http://127.0.0.1:1${asked.url}` }).end(),
    (_, response) => response.end("x".repeat(100_000)),
    (_, response) => response.socket?.destroy(),
  ];
  for (const other of others) assert.equal(await checkBehind(() => other), "wrong_address");
});

test("a gateway answers any such path, whatever the host, and no other path", async () => {
  await using world = await DomainWorld.create();
  const token = "0123456789abcdefghjkmnpqrs";
  const answer = await world.visit("quem.dev", `/.well-known/tijolo/${token}`);
  assert.deepEqual([answer.status, answer.body.length], [200, 52]);
  const again = await world.visit("loja.localhost", `/.well-known/tijolo/${token}`);
  assert.equal(again.body, answer.body);
  assert.equal((await world.visit("quem.dev", `/.well-known/tijolo/${token}x`)).status, 404);
});
