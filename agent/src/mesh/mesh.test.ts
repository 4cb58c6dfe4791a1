import assert from "node:assert/strict";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import type { MeshMember, MeshUpdate } from "@tijolo/protocol";
import { until } from "../../../test/support/until.ts";
import type { DistantProject } from "../network/mesh-entries.ts";
import { heldBy, Mesh } from "./mesh.ts";
import { MeshFile } from "./mesh-file.ts";
import { PortTakenError, type Peer, type PeerState } from "./wireguard-device.ts";

const own = "10.200.0.0/21";
const keys = [
  "f0d+qNRZaaMnz+u7g5QMMX8mCrqdNe4KC3E0n0a+nFU=",
  "XSGdA+9pTIuLrqLFjtQ2kVRpKsi0xMwbzORWdOJ4WAM=",
] as const;
const hostIds = ["01JABCDEFGHJKMNPQRSTVWXYZ0", "01JABCDEFGHJKMNPQRSTVWXYZ1"] as const;
const accountId = "01JABCDEFGHJKMNPQRSTVWXYZ2";
const projectId = "01JABCDEFGHJKMNPQRSTVWXYZ3";

const memberAt = (range: string, index: 0 | 1 = 0): MeshMember => ({
  hostId: hostIds[index],
  key: keys[index],
  port: 51_820,
  range,
  address: "192.0.2.1",
});
const updateOf = (
  members: MeshMember[],
  address = "10.200.8.1",
  rest: Partial<MeshUpdate> = {},
): MeshUpdate => ({
  range: own,
  clashesWith: null,
  members,
  projects: [{ projectId, accountId, hostId: hostIds[0], address }],
  gateways: [],
  ...rest,
});

test("a member with this host's addresses, or another member's, is left out with its projects", () => {
  const member = memberAt("10.200.8.0/21");
  assert.equal(heldBy(own, updateOf([member])).projects.length, 1);
  assert.deepEqual(heldBy(own, updateOf([memberAt("10.200.4.0/22")], "10.200.4.1")), {
    members: [],
    projects: [],
    gateways: [],
  });
  const twice = heldBy(own, updateOf([member, memberAt("10.200.8.0/22", 1)]));
  assert.deepEqual(twice.members, [member]);
  assert.deepEqual(heldBy(own, updateOf([memberAt("999.1.1.0/21")])).members, []);
});

test("a project at an address that its host does not have is left out", () => {
  for (const address of ["10.200.0.1", "10.200.16.1", "10.200.8.0", "8.8.8.8"])
    assert.deepEqual(heldBy(own, updateOf([memberAt("10.200.8.0/21")], address)).projects, [], address);
});

test("a gateway sends from the last address of its host's range", () => {
  const update = updateOf([memberAt("10.200.8.0/21"), memberAt("10.200.16.0/24", 1)]);
  assert.deepEqual(heldBy(own, { ...update, gateways: [hostIds[1], accountId] }).gateways, ["10.200.16.255"]);
});

test("a host whose addresses another one has is no member", () => {
  const clash = updateOf([memberAt("10.200.8.0/21")], "10.200.8.1", { clashesWith: "host-a" });
  assert.deepEqual(heldBy(own, clash), { members: [], projects: [], gateways: [] });
});

class RecordedDevice {
  peersNow: Peer[] = [];
  readonly endpoints = new Map<string, string>();
  isMade = false;
  takenPort: number | null = null;

  async ensure({ port }: { port: number }): Promise<void> {
    if (port === this.takenPort) throw new PortTakenError("taken");
    this.isMade = true;
  }
  async isUp(): Promise<boolean> {
    return this.isMade;
  }
  async setPeers(peers: readonly Peer[]): Promise<void> {
    this.peersNow = [...peers];
    for (const { key, endpoint } of peers) this.endpoints.set(key, endpoint);
  }
  async setEndpoint(key: string, endpoint: string): Promise<void> {
    this.endpoints.set(key, endpoint);
  }
  async peers(): Promise<Map<string, PeerState>> {
    return new Map(this.peersNow.map(({ key, range }) => [key, { ranges: [range], receivedBytes: 0 }]));
  }
  async remove(): Promise<void> {
    this.isMade = false;
    this.peersNow = [];
  }
}

async function openMesh(t: TestContext, device = new RecordedDevice()) {
  const directory = await mkdtemp(join(tmpdir(), "tijolo-test-mesh-"));
  t.after(() => rm(directory, { recursive: true, force: true }));
  const network = {
    projects: [] as readonly DistantProject[],
    async setDistant(projects: readonly DistantProject[]) {
      this.projects = projects;
    },
  };
  const carrier = { endpointOf: async () => "127.0.0.1:1", keep() {}, wake() {} };
  const logger = { info() {}, warn() {} };
  const open = async () => {
    const file = await MeshFile.open({ dataDirectory: directory, preferredPort: 0 });
    const mesh = Mesh.open({
      file,
      range: own,
      network,
      device,
      carrier,
      centralUrl: "http://127.0.0.1:1",
      lookEveryMs: 5,
      logger,
    });
    t.after(() => mesh[Symbol.asyncDispose]());
    return { mesh, file };
  };
  return { device, network, open };
}

test("members and projects come into force, outlast the agent, and go when central tells of none", async (t) => {
  const { device, network, open } = await openMesh(t);
  const { mesh, file } = await open();
  mesh.take(updateOf([memberAt("10.200.8.0/21")]));
  await until(() => network.projects.length === 1);
  assert.deepEqual(device.peersNow, [{ key: keys[0], range: "10.200.8.0/21", endpoint: "192.0.2.1:51820" }]);
  await mesh[Symbol.asyncDispose]();
  [network.projects, device.isMade] = [[], false];
  const next = await open();
  assert.deepEqual([next.file.key, next.file.privateKey], [file.key, file.privateKey]);
  await until(() => network.projects.length === 1 && device.isMade);
  next.mesh.take(updateOf([]));
  await until(() => network.projects.length === 0 && !device.isMade);
});

test("an interface that another program removed is made again", async (t) => {
  const { device, network, open } = await openMesh(t);
  const { mesh } = await open();
  mesh.take(updateOf([memberAt("10.200.8.0/21")]));
  await until(() => network.projects.length === 1);
  [device.isMade, device.peersNow] = [false, []];
  await until(() => device.isMade && device.peersNow.length === 1);
});

test("another port is taken where a program has this one, and kept", async (t) => {
  const { device, network, open } = await openMesh(t);
  const { mesh, file } = await open();
  device.takenPort = file.port;
  mesh.take(updateOf([memberAt("10.200.8.0/21")]));
  await until(() => network.projects.length === 1);
  assert.notEqual(file.port, device.takenPort);
  assert.equal((await open()).file.port, file.port);
});

test("a port that is taken at the first start is not this host's", async (t) => {
  const other = createSocket("udp4");
  t.after(() => other.close());
  other.bind(0);
  await once(other, "listening");
  const directory = await mkdtemp(join(tmpdir(), "tijolo-test-mesh-"));
  t.after(() => rm(directory, { recursive: true, force: true }));
  const preferredPort = other.address().port;
  const { port } = await MeshFile.open({ dataDirectory: directory, preferredPort });
  assert.notEqual(port, preferredPort);
});

test("what failed is tried again without a word of central", async (t) => {
  const { device, network, open } = await openMesh(t);
  const { mesh } = await open();
  let failures = 2;
  const { ensure } = device;
  device.ensure = async (place) => {
    if (failures-- > 0) throw new Error("no tools yet");
    await ensure.call(device, place);
  };
  mesh.take(updateOf([memberAt("10.200.8.0/21")]));
  await until(() => network.projects.length === 1);
});
