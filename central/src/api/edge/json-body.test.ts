import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { test, type TestContext } from "node:test";
import { readJsonBody } from "./json-body.ts";

const timeoutMs = 50;

test("a body that came in time is read, though this process was held up beyond the deadline", async (t) => {
  const { sender, request } = await requestWithBody(t);
  const body = readJsonBody(request, timeoutMs);
  sender.write('{"a":1}');
  const endMs = performance.now() + 2 * timeoutMs;
  while (performance.now() < endMs);
  assert.deepEqual(await body, { a: 1 });
});

test("a body that does not come is refused at its deadline", async (t) => {
  const { sender, request } = await requestWithBody(t);
  sender.write("{");
  await assert.rejects(readJsonBody(request, timeoutMs), { code: "invalid_request" });
});

/** Opens a request whose seven bytes of body are still to be sent. */
async function requestWithBody(t: TestContext): Promise<{ sender: Socket; request: IncomingMessage }> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const sender = connect((server.address() as AddressInfo).port, "127.0.0.1");
  t.after(() => {
    sender.destroy();
    server.close();
  });
  sender.write(
    "PATCH / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 7\r\n\r\n",
  );
  const [request] = (await once(server, "request")) as [IncomingMessage];
  return { sender, request };
}
