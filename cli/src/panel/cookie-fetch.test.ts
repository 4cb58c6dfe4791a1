import assert from "node:assert/strict";
import { test } from "node:test";
import { cookieFetch } from "./cookie-fetch.ts";

test("cookies are sent back until the server takes them back", async () => {
  const answers = [
    ["a=1; Path=/; HttpOnly", "b=x=y; Max-Age=60"],
    ["a=2"],
    ["a=; Max-Age=0; Path=/", "b=left; Max-Age=0"],
    [],
  ];
  const sent: (string | null)[] = [];
  const fetch = cookieFetch(async (_url, init) => {
    sent.push(new Headers(init?.headers).get("cookie"));
    const headers = new Headers();
    for (const cookie of answers.shift() ?? []) headers.append("set-cookie", cookie);
    return new Response(null, { headers });
  }, "http://central/x");
  for (let call = 0; call < 4; call++) await fetch("http://central/x/api");
  assert.deepEqual(sent, [null, "a=1; b=x=y", "a=2; b=x=y", null]);
});
