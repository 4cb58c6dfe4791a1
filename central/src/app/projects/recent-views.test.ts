import assert from "node:assert/strict";
import { test } from "node:test";
import { plans, type Plan, type PlanName } from "@tijolo/protocol";
import { sampleSettings, sampleState } from "../../../../test/support/samples.ts";
import { insertAccount } from "../../db/account.ts";
import { insertHost } from "../../db/host.ts";
import { openDatabase, transact } from "../../db/open-database.ts";
import { insertProject, saveObserved, updateProject } from "../../db/project.ts";
import type { AppContext } from "../context.ts";
import { UsageBoard } from "../metrics/usage-board.ts";
import { RecentViews } from "./recent-views.ts";

const account = {
  id: "a",
  name: "Ana",
  plan: "Stack",
  suspendedAt: null,
  stopsAt: null,
  betaEndsAt: null,
  createdAt: 0,
} as const;
const settings = sampleSettings();
const project = {
  id: "p",
  accountId: "a",
  name: "bot",
  description: "",
  settings,
  subdomain: null,
  servedSubdomain: null,
  run: "on",
  startConfigTag: null,
  restartCount: 1,
  versionNumber: 1,
  createdAt: 0,
  updatedAt: 0,
  hostId: "h",
  generation: 1,
} as const;
const running = sampleState({ startedAt: "2026-01-01T00:00:00.000Z" });

test("a view is made anew when its row, its plan or its usage is another, and only then", async () => {
  await using opened = await openDatabase(":memory:");
  const { db } = opened;
  await transact(db, async (tx) => {
    await insertAccount(tx, account);
    await insertHost(tx, { id: "h", name: "h", publicKey: "h", createdAt: 0 });
    await insertProject(tx, project);
    await saveObserved(tx, "p", running);
  });
  const usage = new UsageBoard();
  const table = new Map<PlanName, Plan>(plans);
  let made = 0;
  const views = new RecentViews(
    { db, usage, plans: table, siteUrl: String } as unknown as AppContext,
    (view) => ({
      view,
      number: ++made,
    }),
  );
  const get = async () => {
    const first = await views.get(account, "p");
    assert.equal(await views.get(account, "p"), first, "the same until something changes");
    return first;
  };
  assert.equal((await get()).view.usage?.memoryMb, 0);
  const sample = {
    projectId: "p",
    runNumber: 1,
    memoryMb: 17,
    cpuUsec: 0,
    networkInBytes: 0,
    networkOutBytes: 0,
    diskMb: 1,
  };
  usage.take(
    "h",
    { uptimeMs: 1_000, host: {}, projects: [sample] } as unknown as Parameters<UsageBoard["take"]>[1],
    () => true,
  );
  assert.equal((await get()).view.usage?.memoryMb, 17);
  await transact(db, (tx) => updateProject(tx, "p", { description: "new" }, 1));
  assert.equal((await get()).view.description, "new");
  await transact(db, (tx) => saveObserved(tx, "p", { ...running, phase: "ready" }));
  assert.equal((await get()).view.usage, null);
  const stack = table.get("Stack");
  assert.ok(stack !== undefined);
  table.set("Stack", { ...stack, hasAutoRestart: !stack.hasAutoRestart });
  const last = await get();
  assert.equal(last.view.hasAutoRestart, !stack.hasAutoRestart);
  assert.equal(last.number, 5);
  await assert.rejects(views.get({ ...account, id: "other" }, "p"), { code: "not_found" });
});
