/**
 * Tests what a project learns of a visitor who came by proxies: their headers count where the operator trusts
 * them, nobody else's.
 */

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type OutgoingHttpHeaders, type Server } from "node:http";
import { test } from "node:test";
import { TrustedProxies } from "../../central/src/app/identity/trusted-proxies.ts";
import { GatewayFixture } from "./gateway-fixture.ts";

const heard = ["x-forwarded-for", "x-real-ip", "x-forwarded-proto", "x-forwarded-host"];

/**
 * Starts a gateway that trusts these, before a program that answers with what it was told of its visitor:
 * address, again, protocol and host.
 */
async function startGateway(trusted: string[]) {
  const fixture = await GatewayFixture.create({ gateway: { proxies: new TrustedProxies(trusted) } });
  await fixture.app("echo", upgradable());
  const tell = async (headers: OutgoingHttpHeaders) => {
    const { body } = await fixture.get("echo", "/", { headers });
    const told = JSON.parse(body) as Record<string, string>;
    const said = heard.map((name) => told[name]);
    assert.equal(said[0], said[1]);
    assert.equal(said[3], `echo.localhost:${fixture.port}`, "the host is the one that was asked for");
    return [said[0], said[2]];
  };
  return { fixture, tell, [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose]() };
}

/** Answers the headers of a request, of an upgrade in a header. */
function upgradable(): Server {
  const server = createServer((request, response) => response.end(JSON.stringify(request.headers)));
  return server.on("upgrade", ({ headers }, socket) => {
    const told = `${headers["x-forwarded-for"]} ${headers["x-forwarded-proto"]}`;
    socket.end(
      `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nX-Told: ${told}\r\n\r\n`,
    );
  });
}

test("behind a trusted proxy a project sees the visitor's address and protocol", async () => {
  await using gateway = await startGateway(["127.0.0.1", "10.0.0.0/8"]);
  const { tell } = gateway;
  assert.deepEqual(await tell({ "x-forwarded-for": "203.0.113.7", "x-forwarded-proto": "https" }), [
    "203.0.113.7",
    "https",
  ]);
  assert.deepEqual(await tell({ "x-forwarded-for": "2001:db8::7", "x-forwarded-proto": "HTTPS" }), [
    "2001:db8::7",
    "https",
  ]);
  assert.deepEqual(await tell({ "x-forwarded-for": "203.0.113.7", "x-forwarded-proto": "http" }), [
    "203.0.113.7",
    "http",
  ]);
  assert.deepEqual(await tell({}), ["127.0.0.1", "http"], "one that says nothing");
});

test("of what a visitor has sent to a trusted proxy nothing is believed", async () => {
  await using gateway = await startGateway(["127.0.0.1", "10.0.0.0/8"]);
  const { tell } = gateway;
  assert.deepEqual(
    await tell({ "x-forwarded-for": "6.6.6.6, 203.0.113.7, 10.1.2.3", "x-forwarded-proto": "https, http" }),
    ["203.0.113.7", "http"],
  );
  assert.deepEqual(await tell({ "x-forwarded-for": ["6.6.6.6", "203.0.113.7"] }), ["203.0.113.7", "http"]);
  assert.deepEqual(await tell({ "x-forwarded-for": "<script>", "x-forwarded-proto": "gopher" }), [
    "127.0.0.1",
    "http",
  ]);
  assert.deepEqual(
    await tell({ x_forwarded_for: "6.6.6.6", x_forwarded_proto: "https", "x-real-ip": "6.6.6.6" }),
    ["127.0.0.1", "http"],
  );
});

test("whoever is no trusted proxy is taken for who it is, whatever it says", async () => {
  const forged = { "x-forwarded-for": "10.1.2.3", "x-forwarded-proto": "https" };
  for (const trusted of [[], ["10.0.0.0/8", "127.0.0.2"]]) {
    await using gateway = await startGateway(trusted);
    assert.deepEqual(await gateway.tell(forged), ["127.0.0.1", "http"]);
  }
});

test("a WebSocket has the same headers, also where the proxy says wss", async () => {
  await using gateway = await startGateway(["127.0.0.1"]);
  const headers = {
    connection: "Upgrade",
    upgrade: "websocket",
    "x-forwarded-for": "203.0.113.7",
    "x-forwarded-proto": "wss",
  };
  const request = gateway.fixture.request("echo", "/", { headers });
  request.end();
  const [response, socket] = await once(request, "upgrade");
  socket.destroy();
  assert.equal(response.headers["x-told"], "203.0.113.7 https");
});
