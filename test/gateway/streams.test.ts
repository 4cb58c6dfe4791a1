/** Large and many streams: memory stays bounded, slow ones wait, fast ones are not held up. */

import assert from "node:assert/strict";
import { once } from "node:events";
import { Agent, type IncomingMessage } from "node:http";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { until } from "../support/until.ts";
import { GatewayFixture } from "./gateway-fixture.ts";

const mebibyte = 1024 * 1024;

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/**
 * Runs `work` and returns by how many MB the resident memory of this process (all parts are in it) rose above
 * where it was. Garbage is collected before a new peak counts: on a busy machine the collector comes late, and
 * what it has not collected yet says nothing about what the streams hold.
 */
async function peakMemoryOf(work: () => Promise<void>): Promise<number> {
  collectGarbage();
  const before = process.memoryUsage.rss();
  let peak = before;
  const timer = setInterval(() => {
    if (process.memoryUsage.rss() <= peak) return;
    collectGarbage();
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 20);
  await work();
  clearInterval(timer);
  return (peak - before) / mebibyte;
}

test("200 MB each way pass with bounded memory", async (context) => {
  await using fixture = await GatewayFixture.create();
  const bytes = 200 * mebibyte;
  const chunk = Buffer.alloc(65_536, 1);
  await fixture.app("bulk", (request, response) => {
    if (request.method === "PUT") {
      let received = 0;
      request.on("data", (data: Buffer) => (received += data.length));
      request.on("end", () => response.end(String(received)));
      return;
    }
    let sent = 0;
    const write = () => {
      while (sent < bytes) {
        sent += chunk.length;
        if (!response.write(chunk)) return;
      }
      response.end();
    };
    response.on("drain", write);
    write();
  });

  let startedAt = performance.now();
  const downMemory = await peakMemoryOf(async () => {
    const request = fixture.request("bulk", "/");
    request.end();
    const [response] = (await once(request, "response")) as [IncomingMessage];
    let received = 0;
    for await (const data of response) received += (data as Buffer).length;
    assert.equal(received, bytes);
  });
  context.diagnostic(
    `200 MB down in ${Math.round(performance.now() - startedAt)} ms, memory +${Math.round(downMemory)} MB`,
  );

  startedAt = performance.now();
  const upMemory = await peakMemoryOf(async () => {
    const request = fixture.request("bulk", "/", { method: "PUT" });
    for (let sent = 0; sent < bytes; sent += chunk.length)
      if (!request.write(chunk)) await once(request, "drain");
    request.end();
    const [response] = (await once(request, "response")) as [IncomingMessage];
    let answer = "";
    for await (const data of response) answer += String(data);
    assert.equal(answer, String(bytes));
  });
  context.diagnostic(
    `200 MB up in ${Math.round(performance.now() - startedAt)} ms, memory +${Math.round(upMemory)} MB`,
  );
  assert.ok(downMemory < 120 && upMemory < 120, `${downMemory} and ${upMemory} MB`);
});

test("a visitor that does not read stops the project, and nobody else", async (context) => {
  await using fixture = await GatewayFixture.create();
  let sent = 0;
  await fixture.app("endless", (_, response) => {
    const chunk = Buffer.alloc(65_536);
    const write = () => {
      while (!response.destroyed) {
        sent += chunk.length;
        if (!response.write(chunk)) return;
      }
    };
    response.on("drain", write);
    write();
  });
  await fixture.app("blog", (_, response) => response.end("blog"));
  const request = fixture.request("endless", "/");
  request.on("error", () => {}).end();
  const [response] = (await once(request, "response")) as [IncomingMessage];
  response.pause();
  let last = -1;
  await until(async () => {
    if (sent === last) return true;
    last = sent;
    await new Promise((resolve) => setTimeout(resolve, 300));
    return false;
  });
  context.diagnostic(`held back after ${Math.round(sent / mebibyte)} MB`);
  assert.ok(sent < 32 * mebibyte, `${sent} bytes went nowhere`);
  assert.equal((await fixture.get("blog")).body, "blog");
  const before = sent;
  response.resume();
  await until(() => sent > before + 8 * mebibyte);
  request.destroy();
});

test("a project that does not read stops the visitor's upload, and nobody else", async (context) => {
  await using fixture = await GatewayFixture.create();
  let upload: IncomingMessage | undefined;
  await fixture.app("lazy", (request) => void (upload = request));
  await fixture.app("blog", (_, response) => response.end("blog"));
  const request = fixture.request("lazy", "/", { method: "POST" });
  request.on("error", () => {});
  const chunk = Buffer.alloc(65_536);
  let sent = 0;
  while (sent < 64 * mebibyte) {
    sent += chunk.length;
    if (request.write(chunk)) continue;
    const drained = await Promise.race([
      once(request, "drain"),
      new Promise((resolve) => setTimeout(resolve, 1_000, "stuck")),
    ]);
    if (drained === "stuck") break;
  }
  context.diagnostic(`held back after ${Math.round(sent / mebibyte)} MB`);
  assert.ok(sent < 32 * mebibyte, `${sent} bytes went nowhere`);
  assert.equal((await fixture.get("blog")).body, "blog");
  upload?.resume();
  await until(() => !request.writableNeedDrain);
  request.destroy();
});

test("64 visits at once over kept connections each get their own answer", async () => {
  await using fixture = await GatewayFixture.create();
  let connections = 0;
  await fixture.app("echo", (request, response) => {
    setTimeout(() => request.pipe(response), Math.random() * 5);
    response.setHeader("x-path", request.url ?? "");
  });
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  agent.createConnection = new Proxy(agent.createConnection, {
    apply(target, self, args) {
      connections += 1;
      return Reflect.apply(target, self, args);
    },
  });
  await Promise.all(
    Array.from({ length: 64 }, async (_, visitor) => {
      for (let turn = 0; turn < 10; turn++) {
        const body = `${visitor}/${turn} `.repeat(visitor * 50 + 1);
        const answer = await fixture.get("echo", `/${visitor}/${turn}`, { method: "POST", body, agent });
        assert.deepEqual([answer.headers["x-path"], answer.body === body], [`/${visitor}/${turn}`, true]);
      }
    }),
  );
  assert.ok(connections <= 64, `${connections} connections`);
  agent.destroy();
});

test("a project that closes kept connections at the worst moment costs no visit", async () => {
  await using fixture = await GatewayFixture.create();
  await fixture.app("hasty", (_, response) => {
    response.end("ok");
    setTimeout(() => response.socket?.destroy(), Math.random() * 4);
  });
  for (let turn = 0; turn < 300; turn++) {
    const [get, post] = await Promise.all([
      fixture.get("hasty"),
      fixture.get("hasty", "/", { method: "POST", body: "x" }),
    ]);
    assert.deepEqual([get.body, post.body], ["ok", "ok"], `turn ${turn}`);
  }
});
