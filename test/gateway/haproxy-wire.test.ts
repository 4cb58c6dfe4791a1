/** Sends HAProxy what smugglers and floods send: each has its stated answer, and the program sees clean requests. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { HaproxyFixture } from "./haproxy-fixture.ts";
import { haproxyOf } from "../support/machine/haproxy.ts";

const host = "Host: shop.localhost\r\n";
const lines = (count: number) => Array.from({ length: count }, (_, index) => `X-A${index}: 1\r\n`).join("");

/** What is sent, and the status that comes back; null: the connection is closed without an answer. */
const corpus: Record<string, { bytes: string; status: number | null }> = {
  "two lengths": {
    bytes: `POST / HTTP/1.1\r\n${host}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`,
    status: 400,
  },
  "a length with a sign": { bytes: `POST / HTTP/1.1\r\n${host}Content-Length: +1\r\n\r\na`, status: 400 },
  "an odd encoding": { bytes: `POST / HTTP/1.1\r\n${host}Transfer-Encoding: xchunked\r\n\r\n`, status: 400 },
  "a bad chunk": {
    bytes: `POST / HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\nzz\r\n`,
    status: 400,
  },
  "a space before the colon": { bytes: `GET / HTTP/1.1\r\n${host}X-A : 1\r\n\r\n`, status: 400 },
  "a NUL": { bytes: `GET / HTTP/1.1\r\n${host}X-A: a\0b\r\n\r\n`, status: 400 },
  "two different Hosts": { bytes: `GET / HTTP/1.1\r\n${host}Host: other.localhost\r\n\r\n`, status: 400 },
  "an absolute form of another host": {
    bytes: `GET http://other.localhost/ HTTP/1.1\r\n${host}\r\n`,
    status: 400,
  },
  "too many headers": { bytes: `GET / HTTP/1.1\r\n${host}${lines(300)}\r\n`, status: 400 },
  "a head over 32 KB": { bytes: `GET / HTTP/1.1\r\n${host}X-A: ${"a".repeat(40_000)}\r\n\r\n`, status: 400 },
  "a head over 24 KB": { bytes: `GET / HTTP/1.1\r\n${host}X-A: ${"a".repeat(26_000)}\r\n\r\n`, status: 431 },
  TRACE: { bytes: `TRACE / HTTP/1.1\r\n${host}\r\n`, status: 405 },
};

test("each odd request has its stated answer, and none reaches the program", async (t) => {
  const argv = await haproxyOf(t);
  if (argv === undefined) return;
  await using fixture = await HaproxyFixture.create(argv);
  const seen: string[] = [];
  await fixture.app("shop", (request, response) => {
    seen.push(request.headers["x-name"] === undefined ? (request.url ?? "") : "");
    request.resume().on("end", () => response.end("program"));
  });
  for (const [name, { bytes, status }] of Object.entries(corpus)) {
    const answer = await fixture.raw(bytes);
    const found = /^HTTP\/1\.[01] (\d{3})/.exec(answer)?.[1] ?? null;
    assert.equal(found === null ? null : Number(found), status, `${name}: ${answer.slice(0, 120)}`);
  }
  // A body that breaks off is noticed after the request has begun: the program saw no whole one.
  assert.ok(seen.length <= 1, String(seen));
  assert.equal((await fixture.get("shop")).body, "program", "others are served on");
});

test("who asks for JSON, and not for a page, is refused in JSON", async (t) => {
  const argv = await haproxyOf(t);
  if (argv === undefined) return;
  await using fixture = await HaproxyFixture.create(argv);
  await fixture.app("shop", (_, response) => response.end());
  const long = `X-A: ${"a".repeat(26_000)}\r\n`;
  const accepts = {
    "application/json": /^content-type: application\/json[^]*\n\{"status":"error","code":"/im,
    "application/problem+json": /^content-type: application\/json/im,
    "text/html, application/json": /^content-type: text\/html/im,
    "*/*": /^content-type: text\/html/im,
  };
  for (const [accept, wanted] of Object.entries(accepts)) {
    const heads = { 431: `GET / HTTP/1.1\r\n${long}`, 405: "TRACE / HTTP/1.1\r\n" };
    for (const [status, head] of Object.entries(heads)) {
      const answer = await fixture.raw(`${head}${host}Accept: ${accept}\r\n\r\n`);
      assert.match(answer, new RegExp(`^HTTP/1[.]1 ${status} `), accept);
      assert.match(answer, wanted, `${status}, ${accept}`);
      assert.match(answer, /^cache-control: no-store\r$/im, `${status}, ${accept}`);
    }
  }
});

test("what may be read in two ways is sent on in one", async (t) => {
  const argv = await haproxyOf(t);
  if (argv === undefined) return;
  await using fixture = await HaproxyFixture.create(argv);
  const seen: {
    length: string | undefined;
    encoding: string | undefined;
    folded: string | undefined;
    body: string;
  }[] = [];
  await fixture.app("shop", (request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += String(chunk)));
    request.on("end", () => {
      const { headers } = request;
      const folded = headers["x-folded"] as string | undefined;
      seen.push({ length: headers["content-length"], encoding: headers["transfer-encoding"], folded, body });
      response.end("program");
    });
  });
  const both = `POST / HTTP/1.1\r\n${host}Content-Length: 30\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\nGET /smuggled HTTP/1.1\r\n${host}\r\n`;
  assert.equal((await fixture.raw(both)).match(/^HTTP\/1\.1 200/gm)?.length, 1, "one answer, then closed");
  assert.deepEqual(seen, [{ length: undefined, encoding: "chunked", folded: undefined, body: "abc" }]);
  seen.length = 0;
  await fixture.raw(`GET / HTTP/1.1\r\n${host}X-Folded: a\r\n b\r\n\r\n`);
  await fixture.raw(`GET / HTTP/1.1\n${host.replace("\r\n", "\n")}\n`);
  assert.equal(seen.length, 2);
  assert.match(seen[0]?.folded ?? "", /^a +b$/);
});

test(
  "a head that does not end is given up after 20 s, and costs others nothing",
  { timeout: 60_000 },
  async (t) => {
    const argv = await haproxyOf(t);
    if (argv === undefined) return;
    await using fixture = await HaproxyFixture.create(argv);
    await fixture.app("shop", (_, response) => response.end("program"));
    const slow = Array.from({ length: 100 }, () => fixture.raw(`GET / HTTP/1.1\r\n${host}X-Slow: `, 30_000));
    assert.equal((await fixture.get("shop")).body, "program");
    for (const answer of await Promise.all(slow)) assert.match(answer, /^HTTP\/1\.1 408/);
  },
);
