import assert from "node:assert/strict";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { copyFile, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import type { MeshMember, MeshUpdate } from "@tijolo/protocol";
import { TestClock } from "../../../test/support/cluster/test-clock.ts";
import { until } from "../../../test/support/until.ts";
import type { DistantProject } from "../network/mesh-entries.ts";
import { heldBy, Mesh } from "./mesh.ts";
import { MeshFile } from "./mesh-file.ts";
import { PortTakenError, type OwnPlace, type Peer, type PeerState } from "./wireguard-device.ts";

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
  /** Keys that have been heard. */
  readonly heard = new Set<string>();
  privateKey = "";
  readonly endpoints = new Map<string, string>();
  isMade = false;
  takenPort: number | null = null;

  async ensure({ port, privateKey }: OwnPlace): Promise<void> {
    if (port === this.takenPort) throw new PortTakenError("taken");
    this.privateKey = privateKey.text;
    this.isMade = true;
  }
  looks = 0;

  async isUp(): Promise<boolean> {
    this.looks += 1;
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
    return new Map(
      this.peersNow.map(({ key, range }) => {
        const ranges = range === null ? [] : [range];
        const [endpoint, hasHandshake] = [this.endpoints.get(key), this.heard.has(key)];
        return [key, { ranges, endpoint, hasHandshake, receivedBytes: 0 }];
      }),
    );
  }
  async remove(): Promise<void> {
    this.isMade = false;
    this.peersNow = [];
  }
}

async function openMesh(t: TestContext, options: { firstHandshakeMs?: number } = {}) {
  const device = new RecordedDevice();
  const directory = await mkdtemp(join(tmpdir(), "tijolo-test-mesh-"));
  const opened: Mesh[] = [];
  t.after(async () => {
    for (const mesh of opened) await mesh[Symbol.asyncDispose](); // before what it may be writing goes
    await rm(directory, { recursive: true, force: true });
  });
  const network = {
    projects: [] as readonly DistantProject[],
    async setDistant(projects: readonly DistantProject[]) {
      this.projects = projects;
    },
  };
  const carrier = { endpointOf: async () => "127.0.0.1:1", keep() {}, wake() {} };
  const clock = new TestClock();
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
      clock,
      random: () => 0,
      lookEveryMs: 5,
      logger,
      ...options,
    });
    opened.push(mesh);
    return { mesh, file };
  };
  return { device, network, open, clock, directory };
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

test("one host that cannot be reached over central yet is tried again, and keeps no other waiting", async (t) => {
  const { device, open } = await openMesh(t, { firstHandshakeMs: 100 });
  const { mesh } = await open();
  let failures = 1;
  const { setEndpoint } = device;
  device.setEndpoint = async (key, endpoint) => {
    if (key === keys[0] && failures-- > 0) throw new Error("wg: no process left");
    await setEndpoint.call(device, key, endpoint);
  };
  mesh.take(updateOf([memberAt("10.200.8.0/21"), memberAt("10.200.16.0/21", 1)]));
  await until(() => keys.every((key) => device.endpoints.get(key) === "127.0.0.1:1"));
});

async function keyFiles(directory: string): Promise<string[]> {
  return (await readdir(directory)).filter((name) => name.endsWith(".key"));
}

const day = 24 * 3_600_000;
const nextKey = "pDPqrCXHnLpR0jNfkVbJg1sAc0H0OFpkMvBv3XMPYVk=";

test("a member is let in by its next key, which has its addresses from the first handshake on", async (t) => {
  const { device, open } = await openMesh(t);
  const { mesh } = await open();
  const member = { ...memberAt("10.200.8.0/21"), nextKey };
  mesh.take(updateOf([member]));
  await until(() => mesh.news.letIn[0] === nextKey);
  const [range, endpoint] = ["10.200.8.0/21", "192.0.2.1:51820"];
  assert.deepEqual(device.peersNow, [
    { key: keys[0], range, endpoint },
    { key: nextKey, range: null, endpoint },
  ]);
  device.heard.add(nextKey);
  await until(() => device.peersNow.length === 1);
  assert.deepEqual(device.peersNow, [{ key: nextKey, range, endpoint }]);
  mesh.take(updateOf([memberAt("10.200.8.0/21")]));
  await until(() => device.peersNow[0]?.key === keys[0]);
  assert.deepEqual(mesh.news.letIn, []);
});

test("a key is old after 30 days; the next one is used once central says so, and is new then", async (t) => {
  const { device, open, clock, directory } = await openMesh(t);
  const { mesh, file } = await open();
  const update = updateOf([memberAt("10.200.8.0/21")]);
  let calls = 0;
  mesh.onNews(() => (calls += 1));
  mesh.take({ ...update, mayUse: null });
  await until(() => file.changeAtMs !== null && device.privateKey !== "");
  const [old, oldPrivate] = [mesh.own.key, device.privateKey];
  clock.advance(30 * day - 60_000);
  mesh.take({ ...update, mayUse: keys[1] });
  const before = calls;
  await until(() => calls > before);
  assert.deepEqual([mesh.own.key, mesh.own.nextKey], [old, undefined]);
  clock.advance(60_000);
  const next = await until(() => mesh.own.nextKey);
  assert.equal((await stat(join(directory, "mesh-next.key"))).mode & 0o777, 0o600);
  assert.deepEqual([mesh.own.key, device.privateKey], [old, oldPrivate], "it is not used yet");
  mesh.take({ ...update, mayUse: next });
  await until(() => mesh.own.key === next && device.privateKey !== oldPrivate);
  assert.equal(mesh.own.nextKey, undefined);
  assert.deepEqual(await keyFiles(directory), ["mesh.key"]);
  assert.equal((await stat(join(directory, "mesh.key"))).mode & 0o777, 0o600);
  const planned = await until(() => file.changeAtMs);
  assert.ok(Math.abs(planned - clock.now() - 30 * day) < 60_000, "it lasts as long");
});

test("a central that is older leaves the key as it is", async (t) => {
  const { device, open, clock } = await openMesh(t);
  const { mesh, file } = await open();
  mesh.take(updateOf([memberAt("10.200.8.0/21")]));
  await until(() => device.isMade);
  clock.advance(400 * day);
  const looks = device.looks;
  await until(() => device.looks > looks + 3);
  assert.deepEqual([mesh.own.nextKey, file.changeAtMs], [undefined, null]);
});

test("an agent that ends at any step of a change goes on with one key", async (t) => {
  const { device, open, clock, directory } = await openMesh(t);
  const { mesh, file } = await open();
  const update = updateOf([memberAt("10.200.8.0/21")]);
  mesh.take({ ...update, mayUse: null });
  await until(() => file.changeAtMs !== null);
  clock.advance(30 * day);
  const next = await until(() => mesh.own.nextKey);
  const old = mesh.own.key;
  await mesh[Symbol.asyncDispose]();
  // Before others let it in: the same key is offered again, and a word of central from before is not enough.
  const second = await open();
  assert.deepEqual([second.mesh.own.key, second.mesh.own.nextKey], [old, next]);
  await second.file.save({ ...update, mayUse: next });
  await second.mesh[Symbol.asyncDispose]();
  const third = await open();
  await until(() => device.isMade);
  assert.deepEqual([third.mesh.own.key, third.mesh.own.nextKey], [old, next]);
  await third.mesh[Symbol.asyncDispose]();
  // After the file of the key was replaced, with all else to be done.
  await copyFile(join(directory, "mesh-next.key"), join(directory, "mesh.key"));
  const fourth = await open();
  assert.deepEqual([fourth.mesh.own.key, fourth.mesh.own.nextKey], [next, undefined]);
  await until(() => device.privateKey === fourth.file.privateKey.text);
  const planned = await until(() => fourth.file.changeAtMs);
  assert.ok(planned > clock.now() + 29 * day, "its age is that of the new key");
  assert.deepEqual(await keyFiles(directory), ["mesh.key"]);
});
