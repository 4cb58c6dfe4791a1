import assert from "node:assert/strict";
import { test } from "node:test";
import { TrustedProxies } from "./trusted-proxies.ts";

const proxies = new TrustedProxies(["127.0.0.1", "10.0.0.0/8", "fe80::/10"]);
const from = (remoteAddress: string | undefined, forwarded?: string) => ({
  socket: { remoteAddress },
  headers: forwarded === undefined ? {} : { "x-forwarded-for": forwarded },
});

test("each proxy is believed about who came to it, the last first", () => {
  const cases: [address: string | undefined, forwarded: string | undefined, client: string][] = [
    ["127.0.0.1", undefined, "127.0.0.1"],
    ["127.0.0.1", "203.0.113.7", "203.0.113.7"],
    ["127.0.0.1", "192.0.2.1, 203.0.113.7,10.1.2.3", "203.0.113.7"],
    ["127.0.0.1", "10.1.2.3, 10.1.2.4", "10.1.2.3"],
    ["127.0.0.1", "203.0.113.7,", "203.0.113.7"],
    ["127.0.0.1", "203.0.113.7:5321", "203.0.113.7"],
    ["127.0.0.1", "192.0.2.1, [2001:db8::7]:443, 10.1.2.3:80", "2001:db8::7"],
    ["127.0.0.1", "203.0.113.7:5321:1", "127.0.0.1"],
    ["127.0.0.1", "", "127.0.0.1"],
    ["127.0.0.1", "203.0.113.7, nobody", "127.0.0.1"],
    ["127.0.0.1", "203.0.113.7, nobody, 10.1.2.3", "10.1.2.3"],
    ["::ffff:127.0.0.1", "::ffff:203.0.113.7", "203.0.113.7"],
    ["fe80::1%eth0", "2001:db8::7", "2001:db8::7"],
    ["192.0.2.1", "203.0.113.7", "192.0.2.1"],
    ["::ffff:192.0.2.1", "203.0.113.7", "192.0.2.1"],
    [undefined, "203.0.113.7", "unknown"],
  ];
  for (const [address, forwarded, client] of cases)
    assert.equal(proxies.addressOf(from(address, forwarded)), client, `${forwarded}`);
});

test("where none is trusted the header is nobody's word", () => {
  assert.equal(new TrustedProxies([]).addressOf(from("127.0.0.1", "203.0.113.7")), "127.0.0.1");
});

test("a gateway of the cluster is believed by its key, wherever it is, and nobody else who says the same", () => {
  const key = "k".repeat(43);
  const ofGateway = new TrustedProxies([], { isGatewayKey: (said) => said === key });
  const request = (given: string) => ({
    socket: { remoteAddress: "127.0.0.1" },
    headers: {
      "x-tijolo-gateway": given,
      "x-forwarded-for": "203.0.113.7",
      "x-forwarded-proto": "https",
    },
  });
  assert.equal(ofGateway.addressOf(request(key)), "203.0.113.7");
  assert.equal(ofGateway.protocolOf(request(key)), "https");
  for (const wrong of ["", "k", "x".repeat(43)]) {
    assert.equal(ofGateway.addressOf(request(wrong)), "127.0.0.1");
    assert.equal(ofGateway.protocolOf(request(wrong)), null);
  }
});
