import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, request } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { test, type TestContext } from "node:test";
import { TrustedProxies } from "./app/identity/trusted-proxies.ts";
import { connectionBudget, descriptorLimit } from "./connection-budget.ts";
import { capConnections } from "./connection-cap.ts";

test("half of the descriptors are for visitors, a quarter for the API, and one network gets a quarter of each", () => {
  assert.deepEqual(connectionBudget(20_000), {
    api: { inAll: 5_000, perKey: 1_250 },
    visitors: { inAll: 10_000, perKey: 2_500 },
  });
  assert.equal(connectionBudget(Number.POSITIVE_INFINITY).visitors.inAll, 20_000);
  assert.ok(descriptorLimit() > 0);
  assert.equal(descriptorLimit("/nowhere"), 1_024);
});

async function serve(t: TestContext, proxies: string[]) {
  const server = createServer((_, response) => response.end("ok"));
  const accepted: Socket[] = [];
  const cap = capConnections(server, { inAll: 4, perKey: 2 }, new TrustedProxies(proxies));
  server.on("connection", (socket) => accepted.push(socket));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const open = async (localAddress: string) => {
    const socket = connect({ host: "127.0.0.1", port, localAddress });
    t.after(() => socket.destroy());
    await once(socket, "connect");
  };
  const isServed = (localAddress: string) =>
    new Promise<boolean>((resolve) => {
      const asking = request({
        host: "127.0.0.1",
        port,
        localAddress,
        agent: false,
        headers: { connection: "close" },
      });
      asking.once("response", (response) => resolve(response.resume().statusCode === 200));
      asking.once("error", () => resolve(false)).end();
    });
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return { cap, accepted, open, isServed };
}

test("a network that has its share is closed out, and others are served; who is vouched for counts no longer", async (t) => {
  const { cap, accepted, open, isServed } = await serve(t, []);
  await open("127.0.0.2");
  await open("127.0.0.2");
  assert.equal(await isServed("127.0.0.2"), false);
  assert.equal(await isServed("127.0.0.3"), true);
  const [first] = accepted;
  assert.ok(first);
  cap.vouch(first);
  assert.equal(await isServed("127.0.0.2"), true);
  first.destroy();
  await once(first, "close");
  await open("127.0.0.2");
  assert.equal(
    await isServed("127.0.0.2"),
    false,
    "the place of one that was vouched for is given back once",
  );
});

test("a trusted proxy is held to the whole, not to a network's share", async (t) => {
  const { open, isServed } = await serve(t, ["127.0.0.2"]);
  for (let index = 0; index < 3; index++) await open("127.0.0.2");
  assert.equal(await isServed("127.0.0.2"), true);
  await open("127.0.0.2");
  assert.equal(await isServed("127.0.0.2"), false);
});
