import assert from "node:assert/strict";
import { test } from "node:test";
import type { MeshMember } from "@tijolo/protocol";
import { PeerWays } from "./peer-ways.ts";
import type { PeerState } from "./wireguard-device.ts";

const member: MeshMember = {
  hostId: "01JABCDEFGHJKMNPQRSTVWXYZ0",
  key: "f0d+qNRZaaMnz+u7g5QMMX8mCrqdNe4KC3E0n0a+nFU=",
  port: 51_820,
  range: "10.200.8.0/21",
  address: "192.0.2.1",
};
const state = (receivedBytes: number): ReadonlyMap<string, PeerState> =>
  new Map([
    [member.key, { ranges: [member.range], endpoint: undefined, hasHandshake: false, receivedBytes }],
  ]);

test("a peer that is never heard is reached over central after 15 seconds, and once", () => {
  const ways = new PeerWays();
  assert.deepEqual(ways.look([member], state(0), 0).carry, []);
  assert.deepEqual(ways.look([member], state(0), 14_999).carry, []);
  assert.deepEqual(ways.look([member], state(0), 15_000).carry, [member.hostId]);
  assert.deepEqual(ways.look([member], state(0), 20_000).carry, []);
  assert.deepEqual(ways.carried, new Set([member.hostId]));
});

test("a peer that is heard stays with UDP until it is silent for 40 seconds", () => {
  const ways = new PeerWays();
  ways.look([member], state(0), 0);
  for (let second = 5; second <= 100; second += 5)
    assert.deepEqual(ways.look([member], state(second), second * 1_000).carry, []);
  assert.deepEqual(ways.look([member], state(100), 139_000).carry, []);
  assert.deepEqual(ways.look([member], state(100), 140_000).carry, [member.hostId]);
});

test("a peer with another address or port is tried by UDP anew, and one that is gone is forgotten", () => {
  const ways = new PeerWays();
  ways.look([member], state(0), 0);
  ways.look([member], state(0), 15_000);
  assert.equal(ways.carried.size, 1);
  ways.look([{ ...member, address: "192.0.2.9" }], state(0), 20_000);
  assert.equal(ways.carried.size, 0);
  ways.look([{ ...member, address: "192.0.2.9" }], state(0), 35_000);
  assert.equal(ways.carried.size, 1);
  ways.look([], new Map(), 40_000);
  assert.equal(ways.carried.size, 0);
});

test("a peer that changes its key is carried on, and one that is heard by UDP has 15 seconds for its new key", () => {
  const next = { ...member, key: "XSGdA+9pTIuLrqLFjtQ2kVRpKsi0xMwbzORWdOJ4WAM=" };
  const ofNext = (receivedBytes: number) => {
    const state = { ranges: [member.range], endpoint: undefined, hasHandshake: true, receivedBytes };
    return new Map([[next.key, state]]);
  };
  const carried = new PeerWays();
  carried.look([member], state(0), 0);
  carried.look([member], state(0), 15_000);
  assert.deepEqual(carried.look([next], ofNext(0), 20_000).carry, []);
  assert.deepEqual(carried.carried, new Set([member.hostId]));
  const heard = new PeerWays();
  heard.look([member], state(0), 0);
  heard.look([member], state(7), 5_000);
  assert.deepEqual(heard.look([next], ofNext(0), 10_000).carry, []);
  assert.deepEqual(heard.look([next], ofNext(0), 24_999).carry, []);
  assert.deepEqual(heard.look([next], ofNext(0), 25_000).carry, [member.hostId]);
});
