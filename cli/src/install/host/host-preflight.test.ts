import assert from "node:assert/strict";
import type { NetworkInterfaceInfo } from "node:os";
import { test } from "node:test";
import { findClash } from "./host-preflight.ts";

const cluster = "10.200.0.0/13";

for (const [cidr, network, clashes] of [
  ["10.200.3.4/16", cluster, true],
  ["10.203.0.5/16", cluster, true],
  ["10.207.255.255/32", cluster, true],
  ["10.0.0.5/8", cluster, true],
  ["10.208.0.5/16", cluster, false],
  ["10.199.0.5/16", cluster, false],
  ["192.168.1.5/24", cluster, false],
  ["10.200.3.4/16", "172.20.0.0/20", false],
  ["10.203.0.5/16", "10.201.0.0/21", false],
  ["10.201.4.5/24", "10.201.0.7/21", true],
] as const)
  test(`a machine at ${cidr} ${clashes ? "clashes" : "does not clash"} with ${network}`, () => {
    const [address] = cidr.split("/") as [string];
    const entry: NetworkInterfaceInfo = {
      family: "IPv4",
      address,
      cidr,
      netmask: "",
      mac: "02:00:00:00:00:01",
      internal: false,
    };
    assert.equal(findClash(network, { eth0: [entry] }), clashes ? `eth0 ${address}` : null);
  });

test("a text that is no network is refused", () => {
  for (const text of ["", "10.0.0.0", "10.0.0/8", "10.0.0.0/33", "10.0.0.0/8x"])
    assert.throws(() => findClash(text, {}), /TIJOLO_NETWORK_CIDR/);
});
