import assert from "node:assert/strict";
import { test } from "node:test";
import { hostOf, isAllowedAddress, isForbiddenUrl } from "./private-address.ts";

const publicOnly = { mayReachPrivate: false };
const alsoPrivate = { mayReachPrivate: true };

const publicAddresses = [
  "1.1.1.1",
  "8.8.8.8",
  "100.63.255.255",
  "100.128.0.1",
  "169.253.255.255",
  "172.15.255.255",
  "172.32.0.1",
  "192.167.255.255",
  "223.255.255.255",
  "2606:4700:4700::1111",
  "2a00:1450:4001::1",
  "3ffe::1",
];
/** Addresses of homes, which an operator may allow. */
const privateAddresses = [
  "10.0.0.1",
  "10.255.255.255",
  "100.64.0.1",
  "100.127.255.255",
  "127.0.0.1",
  "127.255.255.254",
  "172.16.0.1",
  "172.31.255.255",
  "192.168.0.1",
  "::1",
  "fc00::1",
  "fd12:3456::1",
  "fdff::1",
];
/** Addresses that nobody may allow. */
const neverAddresses = [
  "0.0.0.0",
  "0.1.2.3",
  "100.100.100.200",
  "169.254.0.1",
  "169.254.169.254",
  "192.0.0.1",
  "192.0.2.1",
  "192.88.99.1",
  "198.18.0.1",
  "198.19.255.255",
  "198.51.100.1",
  "203.0.113.1",
  "224.0.0.1",
  "239.255.255.255",
  "240.0.0.1",
  "255.255.255.255",
  "::",
  "::ffff:127.0.0.1",
  "::ffff:8.8.8.8",
  "::ffff:7f00:1",
  "::ffff:a9fe:a9fe",
  "::127.0.0.1",
  "::7f00:1",
  "64:ff9b::7f00:1",
  "64:ff9b::127.0.0.1",
  "64:ff9b:1::a00:1",
  "100::1",
  "2001::1",
  "2001:0:4136:e378:8000:63bf:3fff:fdd2",
  "2001:10::1",
  "2001:db8::1",
  "2002:7f00:1::1",
  "2002:a00:1::1",
  "3fff::1",
  "5f00::1",
  "fd00:ec2::254",
  "fe80::1",
  "fe80::1%eth0",
  "fec0::1",
  "ff02::1",
  "localhost",
  "",
  "1.1.1",
];

test("public addresses are allowed, and no other", () => {
  for (const address of publicAddresses) assert.ok(isAllowedAddress(address, publicOnly), address);
  for (const address of [...privateAddresses, ...neverAddresses])
    assert.ok(!isAllowedAddress(address, publicOnly), address);
});

test("private networks can be allowed; link-local addresses, metadata and the rest cannot", () => {
  for (const address of [...publicAddresses, ...privateAddresses])
    assert.ok(isAllowedAddress(address, alsoPrivate), address);
  for (const address of neverAddresses) assert.ok(!isAllowedAddress(address, alsoPrivate), address);
});

test("an address in a URL is found in each of its forms, and a name is left to the lookup", () => {
  for (const url of [
    "http://127.0.0.1/",
    "http://127.1/",
    "http://2130706433/",
    "http://0x7f000001:81/",
    "http://0177.0.0.1/",
    "http://①27.0.0.1/",
    "http://127.0.0.1./",
    "https://[::1]/x",
    "http://[::ffff:127.0.0.1]/",
    "http://[0:0:0:0:0:ffff:7f00:0001]:8080/",
    "http://[fe80::1]/",
    "http://169.254.169.254/latest/meta-data",
  ])
    assert.ok(isForbiddenUrl(url, publicOnly), url);
  for (const url of [
    "https://example.com/",
    "http://8.8.8.8/",
    "http://localhost/",
    "http://[2606:4700::1]/",
  ])
    assert.ok(!isForbiddenUrl(url, publicOnly), url);
  assert.equal(hostOf("http://Example.COM./x"), "example.com");
});
