import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { test, type TestContext } from "node:test";
import { joinStreams, type JoinedEnd } from "./join-streams.ts";

async function socketPair(t: TestContext): Promise<{ near: Socket; far: Socket }> {
  const server = createServer({ allowHalfOpen: true }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const far = connect({
    host: "127.0.0.1",
    port: (server.address() as AddressInfo).port,
    allowHalfOpen: true,
  });
  const [near] = (await once(server, "connection")) as [Socket];
  server.close();
  t.after(() => far.destroy());
  return { near, far };
}

function endOf(stream: Socket): JoinedEnd {
  return { stream, cut: () => stream.destroy(), endedWell: () => true };
}

for (const closes of [false, true]) {
  test(`a side that ${closes ? "sends a byte more and closes" : "never closes"} is let go of when the other side is gone`, async (t) => {
    const left = await socketPair(t);
    const right = await socketPair(t);
    joinStreams(endOf(left.near), endOf(right.near));
    right.far.pause();
    left.far.resume().end("x");
    await once(right.near, "finish");
    left.near.destroy();
    await once(left.near, "close");
    if (closes) right.far.end("y");
    const startedMs = performance.now();
    if (!right.near.destroyed) await once(right.near, "close", { signal: AbortSignal.timeout(10_000) });
    assert.ok(performance.now() - startedMs < 9_000);
  });
}
