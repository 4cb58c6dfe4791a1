import assert from "node:assert/strict";
import { networkInterfaces } from "node:os";
import { test } from "node:test";
import { reachableAddressOf } from "./reachable-address.ts";

test("a client of another machine is reached at its address, without the zone of IPv6", () => {
  for (const [address, wanted] of [
    ["203.0.113.7", "203.0.113.7"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ["2001:db8::7", "2001:db8::7"],
    ["fe80::7%eth0", "fe80::7"],
  ])
    assert.equal(reachableAddressOf(address ?? ""), wanted, address);
});

test("a client of this machine is reached where central is", () => {
  const own = Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address));
  assert.ok(own.length > 0);
  for (const address of [...own, "127.0.0.1", "127.1.2.3", "::1", "::ffff:127.0.0.1", "unknown"])
    assert.equal(reachableAddressOf(address), null, address);
});
