import assert from "node:assert/strict";
import { test } from "node:test";
import { sampleSettings } from "../../../../../test/support/samples.ts";
import { insertAccount } from "../accounts/account.ts";
import { insertHost } from "../hosts/host.ts";
import { openDatabase } from "../../sqlite/open-database.ts";
import { transact } from "../../store.ts";
import { findProject, insertProject, updateProject } from "./project.ts";
import { reservedMemoryMb, reservedMemoryOf } from "./reserved-memory.ts";

const project = {
  id: "p",
  accountId: "a",
  hostId: "h",
  name: "bot",
  description: "",
  settings: sampleSettings({ memoryMb: 256 }),
  subdomain: null,
  servedSubdomain: null,
  startConfigTag: null,
  run: "off",
  restartCount: 0,
  versionNumber: 1,
  createdAt: 0,
  updatedAt: 0,
  generation: 1,
} as const;

test("what a project holds is the same in SQL and of its row", async () => {
  await using opened = await openDatabase(":memory:");
  const { db } = opened;
  await transact(db, async (tx) => {
    await insertAccount(tx, {
      id: "a",
      name: "",
      plan: "Block",
      suspendedAt: null,
      stopsAt: null,
      betaEndsAt: null,
      createdAt: 0,
    });
    await insertHost(tx, { id: "h", name: "h", publicKey: "k", createdAt: 0 });
    await insertProject(tx, project);
  });
  for (const runningMb of [null, 128, 256, 512]) {
    for (const run of ["off", "on"] as const) {
      const change =
        runningMb === null ? { run } : { run, runningSettings: sampleSettings({ memoryMb: runningMb }) };
      await transact(db, (tx) => updateProject(tx, "p", change, 0));
      const row = await findProject(db, "p");
      assert.ok(row !== undefined);
      const { reserved } = await db
        .selectFrom("project")
        .select(reservedMemoryMb.as("reserved"))
        .executeTakeFirstOrThrow();
      const held = run === "on" ? Math.max(256, runningMb ?? 0) : 256;
      assert.deepEqual([reserved, reservedMemoryOf(row)], [held, held], `${run}, started with ${runningMb}`);
    }
  }
});
