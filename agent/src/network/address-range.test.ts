import assert from "node:assert/strict";
import { test } from "node:test";
import { isInRange, nextAddress, parseAddressRange } from "./address-range.ts";

const range = parseAddressRange("10.200.1.7/29");

test("a range is cleared of its host bits and keeps its first address and the last two back", () => {
  assert.equal(range.cidr, "10.200.1.0/29");
  assert.equal(
    nextAddress(range, () => false, undefined),
    "10.200.1.1",
  );
  assert.ok(isInRange(range, "10.200.1.5"));
  assert.ok(!isInRange(range, "10.200.1.6"));
  assert.ok(!isInRange(range, "10.200.1.7"));
  assert.ok(!isInRange(range, "10.200.1.0"));
});

test("addresses go round, so that a freed one is given out last", () => {
  const taken = new Set(["10.200.1.1", "10.200.1.3"]);
  const isTaken = (address: string) => taken.has(address);
  assert.equal(nextAddress(range, isTaken, "10.200.1.2"), "10.200.1.4");
  assert.equal(nextAddress(range, isTaken, "10.200.1.6"), "10.200.1.2");
});

test("a full range has no next address", () => {
  assert.equal(
    nextAddress(range, () => true, "10.200.1.2"),
    undefined,
  );
});

test("an earlier address of another range does not matter", () => {
  assert.ok(isInRange(range, nextAddress(range, () => false, "10.9.9.9") ?? ""));
  assert.ok(isInRange(range, nextAddress(range, () => false, "200.9.9.9") ?? ""));
});

test("what is no network of a sensible size is refused", () => {
  for (const cidr of [
    "",
    "10.0.0.0",
    "10.0.0.0/8",
    "10.0.0.0/31",
    "10.0.0.256/24",
    "fd00::/64",
    "10.0.0.0/24; drop",
  ]) {
    assert.throws(() => parseAddressRange(cidr), /no IPv4 network/, cidr);
  }
});
