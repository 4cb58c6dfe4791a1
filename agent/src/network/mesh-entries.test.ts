import assert from "node:assert/strict";
import { test } from "node:test";
import type { FirewallEntry } from "./firewall-rules.ts";
import { MeshEntries } from "./mesh-entries.ts";

/** A firewall that keeps what it is told, and accounts with a claim on this host by their marks. */
function newEntries(marks: Map<string, number>) {
  const table = new Map<string, number | null>();
  const firewall = {
    async set({ address, accountMark }: FirewallEntry) {
      table.set(address, accountMark);
    },
    async remove({ address }: { address: string }) {
      table.delete(address);
    },
  };
  const takeMeshMarks = (accountIds: Iterable<string>) =>
    new Map([...accountIds].flatMap((id) => (marks.has(id) ? [[id, marks.get(id) ?? 0] as const] : [])));
  const claims = { takeMeshMarks, all: () => [] };
  return { table, entries: new MeshEntries({ claims, firewall }, []) };
}

const project = (accountId: string, address: string) => ({ projectId: address, accountId, address });

test("only projects of accounts that have one here are let in, from their first on and until their last", async () => {
  const marks = new Map([["ana", 1]]);
  const { table, entries } = newEntries(marks);
  await entries.set([project("ana", "10.0.0.1"), project("rui", "10.0.0.2")]);
  assert.deepEqual([...table], [["10.0.0.1", 1]]);
  marks.set("rui", 2);
  await entries.refresh();
  assert.deepEqual(
    [...table],
    [
      ["10.0.0.1", 1],
      ["10.0.0.2", 2],
    ],
  );
  marks.delete("ana");
  await entries.refresh();
  assert.deepEqual([...table], [["10.0.0.2", 2]]);
});

test("an address that another account's project got has that account's mark", async () => {
  const { table, entries } = newEntries(
    new Map([
      ["ana", 1],
      ["rui", 2],
    ]),
  );
  await entries.set([project("ana", "10.0.0.1")]);
  await entries.set([project("rui", "10.0.0.1")]);
  assert.deepEqual([...table], [["10.0.0.1", 2]]);
});
