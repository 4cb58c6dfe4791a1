/**
 * Tests central's half of the change of a host's key in the mesh, over real WebSockets: when it may use its next
 * key, and what others are told.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { patienceMs } from "../../central/src/app/mesh/key-changes.ts";
import { TestCluster } from "../support/cluster/test-cluster.ts";
import { until } from "../support/until.ts";
import { MeshHost, newMeshKey } from "./mesh-host.ts";

/** A cluster with hosts that know each other. */
async function neighbours<const Names extends readonly string[]>(names: Names) {
  const cluster = await TestCluster.create({ hosts: 0 });
  const { id: accountId } = await cluster.createAccount();
  const hosts: MeshHost[] = [];
  for (const name of names) {
    const host = await MeshHost.member(cluster, name);
    await host.place(accountId);
    hosts.push(host);
  }
  await until(() => hosts.every((host) => host.knows(...hosts).length === names.length - 1));
  return {
    cluster,
    hosts: hosts as { [Index in keyof Names]: MeshHost },
    async [Symbol.asyncDispose]() {
      for (const host of hosts) host[Symbol.dispose]();
      await cluster[Symbol.asyncDispose]();
    },
  };
}

/** Returns the keys of `host` that `reader` is told. */
function keysOf(reader: MeshHost, host: MeshHost): (string | undefined)[] {
  const member = reader.update?.members.find(({ hostId }) => hostId === host.hostId);
  return [member?.key, member?.nextKey];
}

test("a next key may be used once all neighbours let it in, and the old one is told to nobody afterwards", async () => {
  await using here = await neighbours(["a", "b", "c"]);
  const [a, b, c] = here.hosts;
  const nextKey = newMeshKey();
  await a.tells({ nextKey });
  await until(() => [b, c].every((each) => keysOf(each, a)[1] === nextKey));
  assert.deepEqual([keysOf(b, a), a.update?.mayUse], [[a.key, nextKey], null]);
  await b.tells({}, [nextKey]);
  await here.cluster.central.app.mesh.settled();
  assert.equal(a.update?.mayUse, null, "c does not let it in yet");
  await c.tells({}, [nextKey]);
  await until(() => a.update?.mayUse === nextKey);
  a.key = nextKey;
  await a.tells();
  await until(() => [b, c].every((each) => keysOf(each, a)[0] === nextKey));
  assert.deepEqual(keysOf(b, a), [nextKey, undefined]);
  await until(() => a.update?.mayUse === null);
});

test("a neighbour that is disconnected is waited for, a week and not longer, and learns the key when it is back", async () => {
  await using here = await neighbours(["a", "b"]);
  const [a, b] = here.hosts;
  const nextKey = newMeshKey();
  const past = newMeshKey();
  await b.tells({}, [past]);
  b[Symbol.dispose]();
  await a.tells({ nextKey: past });
  await here.cluster.central.app.mesh.settled();
  assert.equal(a.update?.mayUse, null, "what b let in ended with its connection");
  await a.tells({ nextKey });
  here.cluster.clock.advance(patienceMs - 60_000);
  await a.says({ nextKey });
  assert.equal(a.update?.mayUse, null);
  here.cluster.clock.advance(60_000);
  await a.says({ nextKey });
  assert.equal(a.update?.mayUse, nextKey);
  a.key = nextKey;
  await a.tells();
  await b.connect();
  await b.says();
  assert.deepEqual(keysOf(b, a), [nextKey, undefined]);
});

test("a clock that was ahead and is set back holds no key up for longer than a week", async () => {
  await using here = await neighbours(["a", "b"]);
  const [a, b] = here.hosts;
  b[Symbol.dispose]();
  const nextKey = newMeshKey();
  here.cluster.clock.advance(90 * patienceMs);
  await a.tells({ nextKey });
  here.cluster.clock.setBack(90 * patienceMs);
  await a.says({ nextKey });
  here.cluster.clock.advance(patienceMs);
  await a.says({ nextKey });
  assert.equal(a.update?.mayUse, nextKey);
});

test("after a restart central knows the next keys, and asks the neighbours again", async () => {
  await using here = await neighbours(["a", "b"]);
  const [a, b] = here.hosts;
  const nextKey = newMeshKey();
  await a.tells({ nextKey });
  await b.tells({}, [nextKey]);
  await until(() => a.update?.mayUse === nextKey);
  await here.cluster.stopCentral();
  await here.cluster.startCentral();
  await b.connect();
  await b.says();
  assert.deepEqual(keysOf(b, a), [a.key, nextKey], "before a is back");
  await a.connect();
  await a.says({ nextKey });
  assert.equal(a.update?.mayUse, null);
  await b.tells({}, [nextKey]);
  await until(() => a.update?.mayUse === nextKey);
});

test("two hosts may change their keys at once", async () => {
  await using here = await neighbours(["a", "b"]);
  const [a, b] = here.hosts;
  const [ofA, ofB] = [newMeshKey(), newMeshKey()];
  await a.tells({ nextKey: ofA });
  await b.tells({ nextKey: ofB });
  await a.tells({ nextKey: ofA }, [ofB]);
  await b.tells({ nextKey: ofB }, [ofA]);
  await until(() => a.update?.mayUse === ofA && b.update?.mayUse === ofB);
});

test("a host cannot plan a key that another one has or plans, nor take one that another plans", async () => {
  await using here = await neighbours(["a", "b"]);
  const [a, b] = here.hosts;
  const nextKey = newMeshKey();
  await a.tells({ nextKey });
  for (const change of [{ nextKey: a.key }, { nextKey }, { key: nextKey }, { nextKey: b.key }])
    await assert.rejects(b.tells(change), /invalid_request/);
  assert.deepEqual(keysOf(a, b), [b.key, undefined]);
});
