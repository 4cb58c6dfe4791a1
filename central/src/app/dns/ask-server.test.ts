import assert from "node:assert/strict";
import { test } from "node:test";
import { askServer, DnsServerError } from "./ask-server.ts";

// The broadcast address refuses to be connected to, wherever the test runs; an address without a route does the same.
test("a server that no way leads to is a failure of the question alone", async () => {
  const question = { name: "loja.dev", type: "NS", isRecursive: false } as const;
  const asked = askServer({ address: "255.255.255.255", port: 53 }, question, AbortSignal.timeout(5_000));
  await assert.rejects(asked, (error: unknown) => {
    assert.ok(error instanceof DnsServerError);
    assert.match(error.message, /255\.255\.255\.255 cannot be asked/);
    return true;
  });
});
