import assert from "node:assert/strict";
import { test } from "node:test";
import { networkOf, parseAddress } from "./address.ts";

test("IPv4 is read as a number, also when it is mapped into IPv6", () => {
  assert.deepEqual(parseAddress("1.2.3.4"), { family: 4, value: 0x01020304 });
  assert.deepEqual(parseAddress("::ffff:255.255.255.255"), { family: 4, value: 0xffffffff });
});

test("IPv6 is read as the 64 bits of its network", () => {
  const network = { family: 6, high: 0x20010db8, low: 0x00010002 };
  assert.deepEqual(parseAddress("2001:db8:1:2::"), network);
  assert.deepEqual(parseAddress("2001:DB8:1:2:3:4:5:6%eth0"), network);
  assert.deepEqual(parseAddress("::1"), { family: 6, high: 0, low: 0 });
  assert.deepEqual(parseAddress("64:ff9b::1.2.3.4"), { family: 6, high: 0x64ff9b, low: 0 });
});

test("two addresses of one /64 are one network, and of two are not", () => {
  const network = (text: string) => networkOf(parseAddress(text) ?? { family: 4, value: 0 });
  assert.equal(network("2001:db8::1"), network("2001:db8::2"));
  assert.notEqual(network("2001:db8::1"), network("2001:db8:0:1::1"));
  assert.notEqual(network("1.2.3.4"), network("1.2.3.5"));
});

test("what is no address is none", () => {
  for (const text of [
    "",
    "1.2.3",
    "1.2.3.256",
    "1..2.3",
    "a.b.c.d",
    "1.2.3.4.5",
    ":::",
    "1::2::3",
    "1:2",
    "g::",
    "x".repeat(1e6),
  ])
    assert.equal(parseAddress(text), undefined, text.slice(0, 20));
});
