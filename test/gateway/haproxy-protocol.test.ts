/** Tests what visitors may do in the protocol at a real HAProxy, beside plain requests, and what they may not. */

import assert from "node:assert/strict";
import { once } from "node:events";
import { request, type IncomingMessage, type ServerResponse } from "node:http";
import { test, type TestContext } from "node:test";
import { haproxyOf } from "../support/machine/haproxy.ts";
import { until } from "../support/until.ts";
import { HaproxyFixture } from "./haproxy-fixture.ts";

async function open(t: TestContext): Promise<HaproxyFixture | undefined> {
  const argv = await haproxyOf(t);
  return argv && HaproxyFixture.create(argv);
}

test("hints before the answer, events as they are written, and trailers after it, arrive", async (t) => {
  await using fixture = await open(t);
  if (fixture === undefined) return;
  const answers: ServerResponse[] = [];
  await fixture.app("shop", (_, response) => {
    response.writeEarlyHints({ link: "</style.css>; rel=preload" });
    response.writeHead(200, { "content-type": "text/event-stream", trailer: "x-sum" });
    response.write("data: 1\n\n");
    answers.push(response);
  });
  const headers = { host: "shop.localhost", accept: "text/event-stream", te: "trailers" };
  const sent = request({ host: "127.0.0.1", port: fixture.port, agent: false, headers });
  const hints: unknown[] = [];
  sent.on("information", ({ statusCode, headers: early }) => hints.push([statusCode, early.link])).end();
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  let body = "";
  response.setEncoding("utf8").on("data", (text: string) => (body += text));
  await until(() => body === "data: 1\n\n");
  answers[0]?.addTrailers({ "x-sum": "1" });
  answers[0]?.end();
  await once(response, "end");
  assert.deepEqual(hints, [[103, "</style.css>; rel=preload"]]);
  assert.equal(response.trailers["x-sum"], "1");
});

test("a site has 512 visits at once; the next are told to come again, other sites are served", async (t) => {
  await using fixture = await open(t);
  if (fixture === undefined) return;
  const waiting: ServerResponse[] = [];
  await fixture.app("full", (_, response) => {
    if (waiting.length < 512) waiting.push(response);
    else response.end("again");
  });
  await fixture.app("shop", (_, response) => response.end("here"));
  const underWay = Array.from({ length: 512 }, () => fixture.get("full"));
  await until(() => waiting.length === 512);
  const refused = await fixture.get("full");
  assert.deepEqual([refused.status, refused.headers["retry-after"]], [503, "5"]);
  assert.equal((await fixture.get("shop")).body, "here");
  for (const response of waiting) response.end("late");
  assert.ok((await Promise.all(underWay)).every(({ body }) => body === "late"));
  await until(async () => (await fixture.get("full")).body === "again");
});

test("TRACE and CONNECT are refused", async (t) => {
  await using fixture = await open(t);
  if (fixture === undefined) return;
  let visits = 0;
  await fixture.app("shop", (_, response) => {
    visits += 1;
    response.end();
  });
  for (const line of ["TRACE / HTTP/1.1", "CONNECT shop.localhost:443 HTTP/1.1"]) {
    const target = line.startsWith("CONNECT") ? "shop.localhost:443" : "shop.localhost";
    assert.match(await fixture.raw(`${line}\r\nHost: ${target}\r\n\r\n`), /^HTTP\/1\.1 405 /, line);
  }
  assert.equal(visits, 0);
});
