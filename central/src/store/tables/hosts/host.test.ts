import assert from "node:assert/strict";
import { test } from "node:test";
import { sampleSettings } from "../../../../../test/support/samples.ts";
import { insertAccount } from "../accounts/account.ts";
import { findHostWithLoad, insertHost, listHosts } from "./host.ts";
import { openDatabase } from "../../sqlite/open-database.ts";
import { transact } from "../../store.ts";
import { deleteProject, insertProject, updateProject, type ProjectChange } from "../projects/project.ts";

async function openWithProjects() {
  const opened = await openDatabase(":memory:");
  await transact(opened.db, async (tx) => {
    const standing = { suspendedAt: null, stopsAt: null, betaEndsAt: null };
    await insertAccount(tx, { id: "account", name: "Ana", plan: "Stack", ...standing, createdAt: 0 });
    for (const id of ["host", "other"]) await insertHost(tx, { id, name: id, publicKey: id, createdAt: 0 });
    for (const [id, hostId] of [
      ["a", "host"],
      ["b", "host"],
      ["c", "other"],
    ] as const) {
      await insertProject(tx, {
        id,
        accountId: "account",
        name: id,
        description: "",
        settings: sampleSettings({ memoryMb: 100 }),
        subdomain: null,
        servedSubdomain: null,
        run: "off",
        startConfigTag: null,
        restartCount: 0,
        versionNumber: 1,
        createdAt: 0,
        updatedAt: 0,
        hostId,
        generation: 1,
      });
    }
  });
  return opened;
}

test("what a host holds follows each change of its projects", async () => {
  await using opened = await openWithProjects();
  const { db } = opened;
  const held = async () =>
    (await listHosts(db)).map(({ reservedMemoryMb, projects }) => [reservedMemoryMb, projects]);
  assert.deepEqual(await held(), [
    [200, 2],
    [100, 1],
  ]);
  const steps: [ProjectChange, number][] = [
    [{ settings: sampleSettings({ memoryMb: 300 }) }, 400],
    [{ run: "on", runningSettings: sampleSettings({ memoryMb: 300 }) }, 400],
    [{ name: "other" }, 400],
    // The run keeps what it was started with, and holds at least what the next one is to have.
    [{ settings: sampleSettings({ memoryMb: 50 }) }, 400],
    [{ settings: sampleSettings({ memoryMb: 500 }) }, 600],
    [{ settings: sampleSettings({ memoryMb: 50 }) }, 400],
    [{ run: "off" }, 150],
    [{ run: "on" }, 400],
    [{ runningSettings: sampleSettings({ memoryMb: 50 }) }, 150],
  ];
  for (const [change, expected] of steps) {
    await transact(db, (tx) => updateProject(tx, "a", change, 0));
    assert.equal((await findHostWithLoad(db, "host"))?.reservedMemoryMb, expected, JSON.stringify(change));
  }
  await transact(db, (tx) => deleteProject(tx, "a"));
  assert.deepEqual(await held(), [
    [100, 1],
    [100, 1],
  ]);
});
