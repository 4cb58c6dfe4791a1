import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from "node:net";
import { test, type TestContext } from "node:test";
import { freePort } from "../../../test/support/machine/free-port.ts";
import { askHealth, isHealthy } from "./ask-health.ts";

const health = { path: "/health?deep=1", host: "shop.example.com" };

async function portOf(t: TestContext, server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  return (server.address() as AddressInfo).port;
}

/** Returns the port of a program that sends these bytes to whoever connects. */
function portOfBytes(t: TestContext, send: (socket: Socket) => void): Promise<number> {
  const server = createTcpServer((socket) => {
    t.after(() => socket.destroy());
    socket.on("error", () => {});
    send(socket);
  });
  return portOf(t, server);
}

test("the program is asked for the path under the site's name, and its status is the answer", async (t) => {
  const asked: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    asked.push(request);
    response.writeHead(302, { location: "/login" }).end();
  });
  assert.equal(await askHealth("127.0.0.1", await portOf(t, server), health), 302);
  assert.deepEqual(
    asked.map(({ method, url, headers }) => [method, url, headers.host, headers["user-agent"]]),
    [["GET", "/health?deep=1", "shop.example.com", "Tijolo-Health/1.0"]],
    "asked once: no redirect is followed",
  );
});

test("200 to 399 is healthy, and nothing else", () => {
  for (const status of [200, 204, 301, 399]) assert.equal(isHealthy(status), true, String(status));
  for (const status of [null, 100, 199, 400, 404, 503])
    assert.equal(isHealthy(status), false, String(status));
});

test("a body without an end is not read", async (t) => {
  const port = await portOfBytes(t, (socket) => {
    socket.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n");
    const timer = setInterval(() => socket.write("5\r\nhello\r\n"), 1);
    socket.on("close", () => clearInterval(timer));
  });
  assert.equal(await askHealth("127.0.0.1", port, health), 200);
});

const hostile: Record<string, (socket: Socket) => void> = {
  "says nothing": () => {},
  "hangs up": (socket) => socket.destroy(),
  "speaks something else": (socket) => socket.end("220 mail.example.com ESMTP\r\n"),
  "sends a header without an end": (socket) => {
    socket.write("HTTP/1.1 200 OK\r\nx: ");
    const timer = setInterval(() => socket.write("x".repeat(4_096)), 1);
    socket.on("close", () => clearInterval(timer));
  },
  "sends early hints for ever": (socket) => {
    const timer = setInterval(() => socket.write("HTTP/1.1 103 Early Hints\r\nlink: <a>\r\n\r\n"), 1);
    socket.on("close", () => clearInterval(timer));
  },
  "switches protocols": (socket) =>
    socket.write("HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n"),
};
for (const [what, send] of Object.entries(hostile))
  test(`a program that ${what} has not answered`, async (t) => {
    assert.equal(await askHealth("127.0.0.1", await portOfBytes(t, send), health, 300), null);
  });

test("a port without a program does not answer", async () => {
  assert.equal(await askHealth("127.0.0.1", await freePort(), health), null);
});
