/**
 * Tests what central makes of new code that fails: what was on stays wanted on, the settings that run are
 * those of the version that serves, and the events say what failed.
 */

import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { makeId, type ProjectEvent } from "@tijolo/protocol";
import { stopSuspended } from "../../central/src/app/accounts/suspension.ts";
import { configTagOf } from "../../central/src/app/runs/config-tag.ts";
import { transact } from "../../central/src/store/store.ts";
import { insertActivity } from "../../central/src/store/tables/accounts/activity.ts";
import { insertProjectEvent } from "../../central/src/store/tables/projects/project-event.ts";
import { saveReplacedFiles } from "../../central/src/store/tables/projects/replaced-files.ts";
import { findProjectServedAt } from "../../central/src/store/tables/projects/project.ts";
import { SimulatedProject } from "../support/projects/simulated-project.ts";
import { StandInHost } from "../support/cluster/stand-in-host.ts";
import { TestCluster, type TestAccount } from "../support/cluster/test-cluster.ts";

let cluster: TestCluster;
let account: TestAccount;
let standIn: StandInHost;
before(async () => {
  cluster = await TestCluster.create();
  account = await newAccount();
  standIn = await StandInHost.takeOver(cluster);
});
after(() => cluster[Symbol.asyncDispose]());

const newAccount = () =>
  cluster.createAccount({ plan: "Empresas", scopes: ["projects:settings", "account:read"] });
const installFailed = { phase: "failed", errorCode: "install_failed" } as const;
const startFailed = { phase: "failed", errorCode: "start_failed" } as const;

/** A project on the host that the stand-in speaks for. */
interface Updated {
  project: SimulatedProject;
  host: {
    row: () => ReturnType<StandInHost["row"]>;
    says: (change: Parameters<StandInHost["says"]>[1]) => Promise<void>;
    exits: (event: Parameters<StandInHost["exits"]>[1]) => Promise<void>;
  };
}

/** Creates a project whose version 1 has come up, and which has got the code of version 2. */
async function updated(
  { first = {}, second = {} }: { first?: object; second?: object } = {},
  owner: Pick<TestAccount, "client"> = account,
): Promise<Updated> {
  const project = await SimulatedProject.create(owner, "sim run", { config: first });
  const { id } = project;
  const host: Updated["host"] = {
    row: () => standIn.row(id),
    says: (change) => standIn.says(id, change),
    exits: (event) => standIn.exits(id, event),
  };
  await host.says({ ...(await ran(host)), servingVersion: 1, hasComeUp: true });
  await project.upload("sim run", second);
  return { project, host };
}

/** Returns the tag that a run with the settings wanted now reports. */
const ran = async (host: Pick<Updated["host"], "row">) => ({ configTag: configTagOf(await host.row()) });
const versionsOf = async ({ client, id }: SimulatedProject) => (await client.listVersions({ id })).versions;
const eventsOf = async ({ client, id }: SimulatedProject): Promise<ProjectEvent[]> =>
  (await client.listProjectEvents({ id })).events;
/** Returns all events of the project, read in pages. */
async function pagedEvents({ client, id }: SimulatedProject, limit: number): Promise<ProjectEvent[]> {
  const paged: ProjectEvent[] = [];
  let cursor: string | undefined;
  do {
    const query = { limit, ...(cursor === undefined ? {} : { cursor }) };
    const page = await client.listProjectEvents({ id, query });
    paged.push(...page.events);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return paged;
}
/** Returns the memory that the account's projects hold, in MB. */
const reservedBy = async (owner: TestAccount) => (await owner.client.getAccount({})).account.memoryMb.used;

suite("new code that fails", { concurrency: 3 }, () => {
  test("at its install leaves the project wanted on, and good code runs by itself", async () => {
    const { project, host } = await updated();
    await host.says({ ...installFailed, servingVersion: 1 });
    const failed = await project.get();
    assert.deepEqual([failed.status, failed.error?.code], ["error", "install_failed"]);
    assert.equal((await host.row()).run, "on");
    await assert.rejects(project.start(), { code: "install_pending" });
    await assert.rejects(project.restart(), { code: "install_pending" });
    const [second, first] = await versionsOf(project);
    assert.deepEqual([second?.status, second?.isServing, second?.isCurrent], ["failed", false, true]);
    assert.deepEqual([first?.status, first?.isServing, first?.isCurrent], ["superseded", true, false]);
    const { restartCount } = await host.row();
    await project.upload("sim run");
    const row = await host.row();
    assert.deepEqual([row.run, row.restartCount, row.versionNumber], ["on", restartCount + 1, 3]);
  });

  test("at its start leaves the project wanted on while the earlier version serves, and only then", async () => {
    const { project, host } = await updated();
    const details = [{ code: "exit_code", exitCode: 3 } as const];
    await host.says({ ...startFailed, servingVersion: 1, errorDetails: details });
    assert.equal((await host.row()).run, "on");
    const { error } = await project.get();
    assert.equal(error?.code, "start_failed");
    const [second] = await versionsOf(project);
    assert.deepEqual([second?.status, second?.error], ["failed", error]);
    await host.says({ ...startFailed, servingVersion: null });
    assert.equal((await host.row()).run, "off");
  });

  test("stays stopped with its account's suspension", async () => {
    const own = await newAccount();
    const { project, host } = await updated({}, own);
    await host.says({ ...installFailed, servingVersion: 1 });
    await cluster.admin.suspendAccount({ accountId: own.id, body: { graceMs: 0 } });
    await stopSuspended(cluster.central.app);
    assert.equal((await host.row()).run, "off");
    const [newest] = await eventsOf(project);
    assert.deepEqual([newest?.kind, newest?.actor?.kind], ["stop", "service"]);
  });

  test("and comes up later is live", async () => {
    const { project, host } = await updated();
    await host.says({ phase: "running", servingVersion: 2 });
    assert.equal((await versionsOf(project))[0]?.status, "installing");
    await host.says({ ...startFailed, servingVersion: 1 });
    assert.equal((await versionsOf(project))[0]?.status, "failed");
    await project.start();
    await host.says({ phase: "running", servingVersion: 2 });
    assert.equal((await versionsOf(project))[0]?.status, "failed");
    await host.says({ phase: "running", servingVersion: 2, hasComeUp: true });
    const [second] = await versionsOf(project);
    assert.deepEqual([second?.status, second?.error, second?.isServing], ["live", null, true]);
    await host.says({ phase: "failed", errorCode: "crash_loop", servingVersion: null });
    assert.equal((await versionsOf(project))[0]?.status, "live", "it had come up");
  });

  test("keeps the memory of what serves, and lets go of it once the new code is up", async () => {
    const own = await newAccount();
    const { project, host } = await updated({ first: { memoryMb: 1024 }, second: { memoryMb: 256 } }, own);
    assert.equal(await reservedBy(own), 1024);
    await host.says({ ...installFailed, servingVersion: 1, configTag: "of version 1" });
    assert.equal(await reservedBy(own), 1024);
    const { isRestartRequired } = await project.client.updateProject({
      id: project.id,
      body: { description: "x" },
    });
    assert.equal(isRestartRequired, true);
    await project.upload("sim run", { memoryMb: 512 });
    await host.says({ phase: "running", servingVersion: 3, ...(await ran(host)) });
    assert.equal(await reservedBy(own), 1024, "it may still be taken back");
    await host.says({ phase: "running", servingVersion: 3, hasComeUp: true, ...(await ran(host)) });
    assert.equal(await reservedBy(own), 512);
  });

  test("keeps the subdomain of what serves, until the new code is up", async () => {
    const site = { type: "site", memoryMb: 512 };
    const { project, host } = await updated({
      first: { ...site, subdomain: "serve-antes" },
      second: { ...site, subdomain: "serve-depois" },
    });
    const servedAt = async (subdomain: string) =>
      (await findProjectServedAt(cluster.central.app.db, subdomain))?.id ?? null;
    const both = async () => [await servedAt("serve-antes"), await servedAt("serve-depois")];
    assert.deepEqual(await both(), [project.id, null]);
    await host.says({ ...startFailed, servingVersion: 1, configTag: "of version 1" });
    assert.deepEqual(await both(), [project.id, null]);
    await project.start();
    assert.deepEqual(await both(), [project.id, null]);
    await host.says({ phase: "running", servingVersion: 2, hasComeUp: true, ...(await ran(host)) });
    assert.deepEqual(await both(), [null, project.id]);
  });

  test("is told in the events, apart from crashes and exits, once each, with version and reason", async () => {
    const { project, host } = await updated();
    const at = () => {
      cluster.clock.advance(1);
      return new Date(cluster.clock.now()).toISOString();
    };
    const exit = () => ({ code: 3, isOutOfMemory: false, exitedAt: at() });
    at();
    await host.says({ ...installFailed, servingVersion: 1 });
    await host.says({ ...installFailed, servingVersion: 1, consecutiveCrashes: 1 });
    at();
    await project.upload("sim run");
    at();
    await host.says({ phase: "running", servingVersion: 3 });
    await host.exits({ runNumber: 7, exit: exit(), isCrash: true });
    at();
    await host.says({ ...startFailed, servingVersion: 1 });
    at();
    await project.start();
    at();
    await host.says({ ...startFailed, servingVersion: 1 });
    at();
    await host.says({ phase: "running", servingVersion: 3, hasComeUp: true });
    await host.exits({ runNumber: 8, exit: exit(), isCrash: true });
    at();
    await host.says({ phase: "failed", errorCode: "crash_loop", servingVersion: null });
    const events = await eventsOf(project);
    const seen = events
      .slice(0, 9)
      .map(({ kind, versionNumber, error }) => [kind, versionNumber, error?.code]);
    assert.deepEqual(seen, [
      ["crash_loop", 3, "crash_loop"],
      ["crash", null, undefined],
      ["start_failed", 3, "start_failed"],
      ["start", null, undefined],
      ["start_failed", 3, "start_failed"],
      ["crash", null, undefined],
      ["upload", 3, undefined],
      ["install_failed", 2, "install_failed"],
      ["upload", 2, undefined],
    ]);
    for (const limit of [1, 2, 4])
      assert.deepEqual(await pagedEvents(project, limit), events, `pages of ${limit}`);
  });
});

test("failures stand in one order with exits, changes and what was replaced, also at the same millisecond", async () => {
  const { project, host } = await updated();
  const at = cluster.clock.now() + 1_000; // nothing else is of this millisecond
  const exitedAt = new Date(at).toISOString();
  for (const runNumber of [7, 8])
    await host.exits({ runNumber, exit: { code: 3, isOutOfMemory: false, exitedAt }, isCrash: true });
  const projectId = project.id;
  const actor = { kind: "key", id: null, name: "one", address: null } as const;
  const error = { code: "start_failed", details: [] } as const;
  await transact(cluster.central.app.db, async (tx) => {
    for (const [index, versionNumber] of [1, 2].entries()) {
      const id = makeId(at, new Uint8Array(10).fill(index + 1));
      const of = { id: projectId, name: "bot" };
      const settings = { action: "project.settings", before: null, after: null } as const;
      await insertActivity(tx, { ...settings, id, accountId: account.id, at, actor, project: of });
      const paths = [`data-${versionNumber}.db`];
      await saveReplacedFiles(tx, { projectId, versionNumber, at, count: 1, paths });
      await insertProjectEvent(tx, { id, projectId, at, kind: "start_failed", versionNumber, error });
    }
  });
  const events = await eventsOf(project);
  const seen = events.filter((event) => event.at === exitedAt).map(({ kind, replaced }) => replaced ?? kind);
  assert.deepEqual(seen, [
    "start_failed",
    "start_failed",
    "crash",
    "crash",
    { version: 2, count: 1, paths: ["data-2.db"] },
    { version: 1, count: 1, paths: ["data-1.db"] },
    "settings",
    "settings",
  ]);
  for (const limit of [1, 2, 3, 5])
    assert.deepEqual(await pagedEvents(project, limit), events, `pages of ${limit}`);
});

test("a failed first install of a project that was to start leaves it wanted on, until it is stopped", async () => {
  await using own = await TestCluster.create();
  const owner = await own.createAccount({ plan: "Empresas" });
  const project = await SimulatedProject.create(owner, "sim run", {
    config: { installCommand: "sim exit 9" },
  });
  await project.is("error");
  await assert.rejects(project.start(), { code: "install_pending" });
  await project.upload("sim run", { installCommand: "" });
  await project.is("running");
  const other = await SimulatedProject.create(owner, "sim run", {
    config: { installCommand: "sim exit 9" },
  });
  await other.is("error");
  await other.stop();
  await other.upload("sim run", { installCommand: "" });
  await other.is("stopped");
});
