import assert from "node:assert/strict";
import { test } from "node:test";
import type { MeshProjectRow } from "../../store/tables/projects/mesh-project.ts";
import { MeshPlaces } from "./mesh-places.ts";

/** Returns places with a function that sets a project and returns the affected hosts, in order. */
function places() {
  const all = new MeshPlaces();
  const set = (projectId: string, accountId: string, hostId: string, address: string | null = null) =>
    [...all.set(projectId, { projectId, accountId, hostId, address, isSite: false })].toSorted();
  const projectsFor = (hostId: string) =>
    [...all.projectsFor(hostId)].map(({ projectId, address }) => `${projectId} ${address}`).toSorted();
  return { all, set, projectsFor };
}

test("two hosts have to do with each other exactly while an account has projects on both", () => {
  const { all, set } = places();
  assert.deepEqual(set("p1", "ana", "a"), ["a"]);
  assert.deepEqual(set("p2", "bia", "b"), ["b"]);
  assert.equal(all.haveCommon("a", "b"), false);
  assert.deepEqual(set("p3", "ana", "b"), ["a", "b"]);
  assert.ok(all.haveCommon("a", "b") && all.haveCommon("b", "a"));
  assert.deepEqual(set("p4", "bia", "a"), ["a", "b"]);
  all.set("p3", undefined);
  assert.deepEqual(all.neighboursOf("a"), ["b"], "bia is on both still");
  assert.deepEqual(set("p4", "bia", "c"), ["a", "b", "c"], "it has moved");
  assert.deepEqual(all.neighboursOf("a"), []);
  assert.deepEqual(all.neighboursOf("c"), ["b"]);
});

test("a change affects the hosts of its account, and none when nothing has changed", () => {
  const { set } = places();
  for (let host = 0; host < 100; host++) set(`other${host}`, `account${host}`, `host${host}`);
  set("p1", "ana", "host1", "10.0.0.1");
  set("p2", "ana", "host2");
  assert.deepEqual(set("p2", "ana", "host2", "10.0.0.2"), ["host1", "host2"]);
  assert.deepEqual(set("p2", "ana", "host2", "10.0.0.2"), []);
});

test("a host knows the projects of its accounts on other hosts, while they have an address", () => {
  const { set, projectsFor } = places();
  set("p1", "ana", "a", "10.0.0.1");
  set("p2", "ana", "b", "10.1.0.1");
  set("p3", "ana", "b");
  set("p4", "bia", "b", "10.1.0.4");
  assert.deepEqual(projectsFor("a"), ["p2 10.1.0.1"]);
  assert.deepEqual(projectsFor("b"), ["p1 10.0.0.1"]);
  assert.deepEqual(projectsFor("c"), []);
  set("p2", "ana", "b");
  assert.deepEqual(projectsFor("a"), []);
});

test("of several projects with one address the first has it, and the next when it is gone", () => {
  const { set, projectsFor } = places();
  for (const account of ["ana", "bia"]) set(`on a of ${account}`, account, "a");
  set("p1", "ana", "b", "10.1.0.1");
  set("p2", "bia", "b", "10.1.0.1");
  set("p3", "bia", "c", "10.1.0.1");
  assert.deepEqual(projectsFor("a"), ["p1 10.1.0.1", "p3 10.1.0.1"], "each host has its own addresses");
  assert.deepEqual(set("p1", "ana", "b"), ["a", "b", "c"], "bia's hosts, too");
  assert.deepEqual(projectsFor("a"), ["p2 10.1.0.1", "p3 10.1.0.1"]);
});

test("after any changes the index is what a new one of the same projects would be", () => {
  const { all, set, projectsFor } = places();
  const rows = new Map<string, MeshProjectRow>();
  let seed = 1;
  const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
  for (let step = 0; step < 2_000; step++) {
    const projectId = `p${random(40)}`;
    if (random(4) === 0) {
      all.set(projectId, undefined);
      rows.delete(projectId);
      continue;
    }
    const row = { projectId, accountId: `account${random(6)}`, hostId: `host${random(5)}`, isSite: false };
    const address = random(2) === 0 ? null : `10.0.0.${projectId.slice(1)}`;
    set(projectId, row.accountId, row.hostId, address);
    rows.set(projectId, { ...row, address });
  }
  const fresh = places();
  for (const row of rows.values()) fresh.all.set(row.projectId, row);
  for (let host = 0; host < 5; host++) {
    assert.deepEqual(projectsFor(`host${host}`), fresh.projectsFor(`host${host}`));
    const neighbours = (of: MeshPlaces) => of.neighboursOf(`host${host}`).toSorted();
    assert.deepEqual(neighbours(all), neighbours(fresh.all));
  }
  for (const projectId of rows.keys()) all.set(projectId, undefined);
  for (let host = 0; host < 5; host++) {
    assert.deepEqual(projectsFor(`host${host}`), []);
    assert.deepEqual(all.neighboursOf(`host${host}`), []);
  }
});
