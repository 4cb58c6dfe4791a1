import assert from "node:assert/strict";
import { test } from "node:test";
import { maxAccessLineLength } from "@tijolo/protocol";
import type { Visit } from "../visits/visit.ts";
import { accessLine, shortAddress } from "./access-line.ts";

const visit: Visit = {
  projectId: "site",
  at: 0,
  method: "GET",
  path: "/a?b=1",
  host: "loja.dev",
  status: 200,
  bytes: 5120,
  durationMs: 12.4,
  address: "203.0.113.77",
  userAgent: "Mozilla/5.0",
  referrer: "https://other.dev/",
};

test("a visit is one line; short cuts the address to its network", () => {
  const rest = '"GET /a?b=1" 200 5120 12ms "https://other.dev/" "Mozilla/5.0"';
  assert.equal(accessLine(visit, "full"), `203.0.113.77 ${rest}`);
  assert.equal(accessLine(visit, "short"), `203.0.113.0 ${rest}`);
  const bare = { ...visit, referrer: "", userAgent: "", address: "no address\n1" };
  assert.equal(accessLine(bare, "full"), '- "GET /a?b=1" 200 5120 12ms "-" "-"');
  for (const [address, cut] of [
    ["255.255.255.255", "255.255.255.0"],
    ["::ffff:203.0.113.77", "203.0.113.0"],
    ["2001:db8:aaaa:bbbb:1:2:3:4", "2001:db8:aaaa::"],
    ["2001:db8::1", "2001:db8:0::"],
    ["::1", "0:0:0::"],
    ["x", "-"],
  ] as const)
    assert.equal(shortAddress(address), cut);
});

test("nothing that a visitor sends ends its field or the line", () => {
  const sent = 'x" 200 1 1ms "-" "-"\n203.0.113.1 "GET / \\\u2028\u202e\u001b[2J\u0000é😀';
  for (const field of ["method", "path", "referrer", "userAgent"] as const) {
    const line = accessLine({ ...visit, [field]: sent }, "full");
    assert.match(line, /^[\x20-\x7e]+$/);
    const quotes = line.match(/(?<!\\)(?:\\\\)*"/g);
    assert.equal(quotes?.length, 6, line);
  }
  const long = accessLine({ ...visit, path: "/\n".repeat(5_000), userAgent: "\n".repeat(5_000) }, "full");
  assert.ok(long.length <= maxAccessLineLength);
});
