import assert from "node:assert/strict";
import { test } from "node:test";
import { networkOf } from "./client-network.ts";

test("IPv4 counts by address, also when it came as IPv6", () => {
  assert.equal(networkOf("203.0.113.7"), "203.0.113.7");
  for (const mapped of [
    "::ffff:203.0.113.7",
    "::FFFF:203.0.113.7",
    "::ffff:cb00:7107",
    "0:0:0:0:0:ffff:203.0.113.7",
  ]) {
    assert.equal(networkOf(mapped), "203.0.113.7", mapped);
  }
});

test("IPv6 counts by /64, however it is written", () => {
  const network = "2001:db8:1:2::/64";
  for (const address of [
    "2001:db8:1:2::1",
    "2001:0db8:0001:0002:ffff:ffff:ffff:ffff",
    "2001:DB8:1:2:3:4:203.0.113.7",
    "2001:db8:1:2::%eth0",
  ]) {
    assert.equal(networkOf(address), network, address);
  }
  assert.notEqual(networkOf("2001:db8:1:3::1"), network);
  assert.equal(networkOf("::1"), "0:0:0:0::/64");
});

test("what is no address counts as it is, and takes little room", () => {
  assert.equal(networkOf("unknown"), "unknown");
  assert.equal(networkOf("x".repeat(10_000)).length, 64);
});
