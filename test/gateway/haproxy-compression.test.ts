/** Answers of text are compressed on their way to browsers that take it, unless the site says otherwise. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { request } from "undici";
import { haproxyOf } from "../support/machine/haproxy.ts";
import { HaproxyFixture } from "./haproxy-fixture.ts";

const text = "<p>Uma loja com muitas palavras.</p>".repeat(1_000);

interface Answer {
  encoding: string | undefined;
  vary: string | undefined;
  bytes: Buffer;
}

test("text is compressed for those who take it, and nothing else is", async (t) => {
  const argv = await haproxyOf(t);
  if (argv === undefined) return;
  await using fixture = await HaproxyFixture.create(argv);
  await fixture.app("shop", (asked, response) => {
    const kinds: Record<string, Record<string, string>> = {
      "/": { "content-type": "text/html; charset=utf-8" },
      "/json": { "content-type": "application/json" },
      "/picture": { "content-type": "image/png" },
      "/as-it-is": { "content-type": "text/html", "cache-control": "no-transform" },
      "/done": { "content-type": "text/html", "content-encoding": "br" },
      "/events": { "content-type": "text/event-stream" },
    };
    response.writeHead(200, kinds[asked.url ?? ""] ?? {}).end(text);
  });
  const ask = async (path: string, accepted: string | null = "gzip, br", method: "GET" | "POST" = "GET") => {
    const headers = { host: "shop.localhost", ...(accepted === null ? {} : { "accept-encoding": accepted }) };
    const url = `http://127.0.0.1:${fixture.port}${path}`;
    const answer = await request(url, { method, headers, ...(method === "POST" ? { body: "a" } : {}) });
    const bytes = Buffer.from(await answer.body.arrayBuffer());
    const header = (name: string) => answer.headers[name] as string | undefined;
    return { encoding: header("content-encoding"), vary: header("vary"), bytes } satisfies Answer;
  };

  for (const answer of [await ask("/"), await ask("/json"), await ask("/", "gzip", "POST")]) {
    assert.deepEqual([answer.encoding, answer.vary], ["gzip", "Accept-Encoding"]);
    assert.ok(answer.bytes.length < text.length / 10, `${answer.bytes.length} bytes`);
    assert.equal(gunzipSync(answer.bytes).toString(), text);
  }
  for (const path of ["/picture", "/as-it-is", "/events"])
    assert.deepEqual(
      [(await ask(path)).encoding, (await ask(path)).bytes.toString()],
      [undefined, text],
      path,
    );
  assert.equal((await ask("/done")).encoding, "br");
  assert.equal((await ask("/", null)).bytes.toString(), text);

  const route = { isCompressed: false };
  await fixture.site("shop", fixture.portOf("shop"), route);
  assert.deepEqual([(await ask("/")).encoding, (await ask("/")).bytes.toString()], [undefined, text]);
});
