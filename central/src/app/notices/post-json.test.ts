import assert from "node:assert/strict";
import { test } from "node:test";
import { Receiver } from "../../../../test/support/notices/receiver.ts";
import { resolveByDns, type Resolve } from "../outbound/checked-lookup.ts";
import { postJson, type Post } from "./post-json.ts";

const alsoPrivate = { mayReachPrivate: true };
const publicOnly = { mayReachPrivate: false };
const never = new AbortController().signal;
const toLoopback: Resolve = () => Promise.resolve(["127.0.0.1"]);

function post(
  url: string,
  options: { resolve?: Resolve; policy?: typeof publicOnly; signal?: AbortSignal } = {},
) {
  const sent: Post = { url, headers: { "x-own": "1" }, body: '{"a":1}' };
  return postJson(sent, { resolve: toLoopback, policy: alsoPrivate, signal: never, ...options });
}

test("a document arrives, and the receiver's status decides", async () => {
  await using receiver = await Receiver.open();
  assert.deepEqual(await post(receiver.url()), { isSent: true });
  const [hook] = receiver.hooks;
  assert.deepEqual([hook?.body, hook?.headers["x-own"]], ['{"a":1}', "1"]);
  assert.equal(hook?.headers["content-type"], "application/json");
  for (const status of [400, 404, 500]) {
    receiver.answer = (response) => response.writeHead(status).end("no");
    assert.deepEqual(await post(receiver.url()), { isSent: false, code: "status", status, retryAfterMs: 0 });
  }
});

test("a redirect is not followed", async () => {
  await using receiver = await Receiver.open();
  receiver.answer = (response) => response.writeHead(302, { location: receiver.url("/inside") }).end();
  const failed = { isSent: false, code: "redirect", status: 302, retryAfterMs: 0 };
  assert.deepEqual(await post(receiver.url()), failed);
  assert.deepEqual(
    receiver.hooks.map(({ path }) => path),
    ["/hook"],
  );
});

test("the pause that a receiver asks for is read, with fractions, and no nonsense", async () => {
  await using receiver = await Receiver.open();
  for (const [text, ms] of [
    ["2", 2_000],
    ["0.5", 500],
    ["-1", 0],
    ["soon", 0],
    ["99999999999", 0],
  ] as const) {
    receiver.answer = (response) => response.writeHead(429, { "retry-after": text }).end();
    const result = await post(receiver.url());
    assert.deepEqual(result, { isSent: false, code: "status", status: 429, retryAfterMs: ms });
  }
});

test("a body without an end is not read, and a hanging receiver is given up after 5 s", async () => {
  await using receiver = await Receiver.open();
  let written = 0;
  receiver.answer = (response) => {
    response.writeHead(200);
    const chunk = Buffer.alloc(64 * 1024, "x");
    const more = () => {
      while (!response.destroyed && response.write(chunk)) written += chunk.length;
      if (!response.destroyed) response.once("drain", more);
    };
    response.on("error", () => {});
    more();
  };
  assert.deepEqual(await post(receiver.url()), { isSent: true });
  assert.ok(written < 64 * 1024 * 1024, `${written} bytes were written`);
  receiver.answer = () => {};
  const began = performance.now();
  const failed = { isSent: false, code: "timeout", status: null, retryAfterMs: 0 };
  assert.deepEqual(await post(receiver.url()), failed);
  assert.ok(performance.now() - began >= 4_900);
});

test("a name is resolved once, and the connection goes to the address that was checked", async () => {
  await using receiver = await Receiver.open();
  const answers = [["127.0.0.1"], ["169.254.169.254"]];
  let asked = 0;
  const rebinding: Resolve = () => Promise.resolve(answers[asked++] ?? []);
  const url = receiver.url("/hook", "rebinding.example");
  assert.deepEqual(await post(url, { resolve: rebinding }), { isSent: true });
  assert.equal(asked, 1);
  assert.equal(receiver.hooks[0]?.headers.host, `rebinding.example:${receiver.port}`);
  assert.equal((await failureOf(url, rebinding)).code, "private_address");
  assert.equal(receiver.hooks.length, 1);
});

test("an address, or a name that leads to one, that is not allowed is never connected to", async () => {
  await using receiver = await Receiver.open();
  const literals = ["127.0.0.1", "127.1", "2130706433", "0x7f.1", "[::ffff:127.0.0.1]", "127.0.0.1."];
  for (const host of literals) {
    const result = await post(receiver.url("/hook", host), { policy: publicOnly });
    assert.deepEqual([host, "code" in result && result.code], [host, "private_address"]);
  }
  for (const addresses of [["127.0.0.1"], ["::1"], ["::ffff:127.0.0.1"], ["10.0.0.1", "fe80::1"]]) {
    const resolve = () => Promise.resolve(addresses);
    const result = await post(receiver.url("/hook", "inside.example"), { policy: publicOnly, resolve });
    assert.deepEqual([addresses, "code" in result && result.code], [addresses, "private_address"]);
  }
  const localhost = await post(receiver.url("/hook", "localhost"), {
    policy: publicOnly,
    resolve: resolveByDns,
  });
  assert.equal("code" in localhost && localhost.code, "private_address");
  assert.equal(receiver.hooks.length, 0);
  // The address exists, and is reached when that is allowed.
  assert.deepEqual(await post(receiver.url("/hook", "localhost"), { resolve: resolveByDns }), {
    isSent: true,
  });
});

test("what is not there, does not resolve, or was broken off says so", async () => {
  const gone = await Receiver.open();
  await gone[Symbol.asyncDispose]();
  assert.equal((await failureOf(gone.url(), toLoopback)).code, "unreachable");
  const nowhere: Resolve = () => Promise.reject(new Error("no such name"));
  assert.equal((await failureOf("http://nowhere.example/", nowhere)).code, "unreachable");
  const hanging: Resolve = () => new Promise(() => {});
  const ending = new AbortController();
  const broken = post("http://slow.example/", { resolve: hanging, signal: ending.signal });
  ending.abort(new Error("central ends"));
  await assert.rejects(broken, /central ends/);
});

async function failureOf(url: string, resolve: Resolve): Promise<{ code: string }> {
  const result = await post(url, { resolve });
  assert.ok(!result.isSent);
  return result;
}
