import assert from "node:assert/strict";
import { test } from "node:test";
import type { MeshHostRow } from "../../store/tables/hosts/mesh-host.ts";
import { parseNetwork } from "./ipv4-network.ts";
import { judgeHosts } from "./judge-hosts.ts";

const cluster = parseNetwork("10.200.0.0/13") ?? { start: 0, size: 0 };

/** A host that says `range` and was given `givenRange`; its name is its id. */
function host(
  id: string,
  range: string | null,
  givenRange: string | null = range,
  createdAt = 0,
): MeshHostRow {
  const own = range === null ? null : { key: id, port: 1, range, address: null, next: null };
  return { id, name: id, createdAt, givenRange, own, machine: null, hasGateway: false };
}

function judge(...hosts: MeshHostRow[]): Record<string, string> {
  const judged = [...judgeHosts(hosts, cluster).values()];
  return Object.fromEntries(judged.map(({ id, state, clashesWith }) => [id, clashesWith ?? state]));
}

test("hosts with ranges of their own are members, and one that says nothing is none", () => {
  const hosts = [host("a", "10.200.0.0/21"), host("b", "10.200.8.0/21"), host("c", null, "10.200.16.0/21")];
  assert.deepEqual(judge(...hosts), { a: "member", b: "member", c: "none" });
});

test("of hosts that say ranges that they were not given, the one that joined first is the member", () => {
  const hosts = [
    host("b", "10.200.0.0/20", "10.200.16.0/21", 2),
    host("a", "10.200.0.0/20", "10.200.0.0/21", 1),
    host("c", "10.200.8.0/21", "10.200.24.0/21", 3),
  ];
  assert.deepEqual(judge(...hosts), { a: "member", b: "a", c: "a" });
});

test("a host that claims another's given range is no member, whenever it joined and however much it claims", () => {
  for (const claim of ["10.200.8.0/21", "10.200.0.0/16", "10.200.9.0/30"]) {
    const hosts = [host("hostile", claim, "10.200.0.0/21", 1), host("honest", "10.200.8.0/21", undefined, 2)];
    assert.deepEqual(judge(...hosts), { honest: "member", hostile: "honest" }, claim);
  }
});

test("a range outside of the cluster's, and one that is no network, makes no member", () => {
  const ranges = ["8.8.8.0/24", "10.208.0.0/21", "10.192.0.0/16", "10.200.0.1/21", "999.0.0.0/21"];
  for (const range of ranges) assert.deepEqual(judge(host("a", range)), { a: "none" }, range);
});

test("among thousands of hosts exactly those clash that overlap one before them", () => {
  const hosts = Array.from({ length: 3_000 }, (_, index) => {
    const range = `10.${200 + (index % 8)}.${(index * 7) % 256}.0/${24 + (index % 3)}`;
    return host(String(index).padStart(4, "0"), range, null, index);
  });
  const members: { start: number; size: number }[] = [];
  const wanted = hosts.map(({ own }) => {
    const network = parseNetwork(own?.range ?? "") ?? { start: 0, size: 0 };
    const clashes = members.some(
      ({ start, size }) => network.start < start + size && start < network.start + network.size,
    );
    if (!clashes) members.push(network);
    return clashes ? "clash" : "member";
  });
  const judged = judgeHosts(hosts, cluster);
  assert.deepEqual(
    hosts.map(({ id }) => judged.get(id)?.state),
    wanted,
  );
  assert.ok(wanted.includes("clash") && wanted.includes("member"));
});
