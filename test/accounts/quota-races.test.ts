/**
 * Quotas hold at the moment they are used: what changes while an upload is on its way counts, and a refused
 * upload leaves nothing behind.
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { ReadableStream } from "node:stream/web";
import { suite, test } from "node:test";
import { collectArchives } from "../../central/src/app/uploads/collect-archives.ts";
import { apiRequest } from "../support/requests/api-request.ts";
import { filesBelow } from "../support/machine/files-below.ts";
import { multipartType, uploadBody } from "../support/requests/multipart.ts";
import { SimulatedProject } from "../support/projects/simulated-project.ts";
import { simulatedBot, TestCluster, type TestAccount } from "../support/cluster/test-cluster.ts";
import { until } from "../support/until.ts";

const settle = <Value>(make: (index: number) => Promise<Value>, count = 50) =>
  Promise.allSettled(Array.from({ length: count }, (_, index) => make(index)));

function tally(results: readonly PromiseSettledResult<unknown>[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const result of results) {
    const key =
      result.status === "fulfilled"
        ? "ok"
        : ((result.reason as { code?: string }).code ?? String(result.reason));
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}

/** Returns the files that central stores of uploads, received or kept. */
function storedFiles(cluster: TestCluster): Promise<string[]> {
  return filesBelow(join(cluster.directory, "central", "objects"));
}

suite("an upload that is refused", { concurrency: 2 }, () => {
  test("leaves no archive, whether one of 50 at once or one after the other", async () => {
    await using cluster = await TestCluster.create();
    const account = await cluster.createAccount({ plan: "Free" });
    const create = async (index: number) =>
      account.client.createProject({
        fields: {},
        file: await simulatedBot("sim run", { description: `number ${index}` }),
      });
    await create(100);
    assert.deepEqual(tally(await settle(create)), { ok: 1, project_limit_reached: 49 });
    assert.equal((await storedFiles(cluster)).length, 2);
    await assert.rejects(create(101), { code: "project_limit_reached" });
    assert.equal((await storedFiles(cluster)).length, 2);
  });

  test("keeps the archive that another upload of the same bytes is named by", async () => {
    await using cluster = await TestCluster.create();
    const account = await cluster.createAccount({ plan: "Free" });
    const file = await simulatedBot("sim run");
    const bytes = await file.bytes();
    const create = () =>
      account.client.createProject({ fields: { start: "true" }, file: new File([bytes], "bot.zip") });
    assert.deepEqual(tally(await settle(create)), { ok: 2, project_limit_reached: 48 });
    assert.equal((await storedFiles(cluster)).length, 1);
    const { projects } = await account.client.listProjects({});
    for (const { id } of projects) await new SimulatedProject(account.client, id).is("running");
    cluster.clock.advance(2 * 60 * 60 * 1000);
    await collectArchives(cluster.central.app);
    assert.equal((await storedFiles(cluster)).length, 1, "it is named, so it is not collected");
  });

  test("of new code leaves no archive, and the project as it was", async () => {
    await using cluster = await TestCluster.create();
    const account = await cluster.createAccount({ plan: "Block" });
    const project = await SimulatedProject.create(account, "sim run");
    await project.is("running");
    await assert.rejects(project.upload("sim run", { memoryMb: 4096 }), {
      code: "insufficient_memory",
      extra: { freeMemoryMb: 2048, requestedMemoryMb: 4096 },
    });
    assert.equal((await storedFiles(cluster)).length, 1);
    assert.equal((await project.get()).status, "running");
  });
});

suite("what changes while an upload is on its way", { concurrency: 2 }, () => {
  /**
   * Begins an upload, does `meanwhile` once central has let it in and receives it, and answers what it ended
   * with.
   */
  async function uploadAround(cluster: TestCluster, { key }: TestAccount, meanwhile: () => Promise<unknown>) {
    const body = uploadBody(await (await simulatedBot("sim run", { memoryMb: 1_024 })).bytes());
    const parts = [body.subarray(0, -60), body.subarray(-60)];
    const kept = (await storedFiles(cluster)).length;
    const stream = new ReadableStream<Uint8Array>({
      async pull(controller) {
        const part = parts.shift();
        if (part === undefined) return controller.close();
        if (parts.length === 0) {
          await until(async () => (await storedFiles(cluster)).length === kept + 1);
          await meanwhile();
        }
        controller.enqueue(part);
      },
    });
    return apiRequest(cluster.centralUrl, {
      method: "POST",
      path: "/api/projects",
      token: key,
      headers: multipartType,
      body: stream,
    });
  }

  test("counts: a suspension, the end of a beta, a smaller plan", async () => {
    await using cluster = await TestCluster.create();
    const changes: [
      change: (accountId: string) => Promise<unknown>,
      status: number,
      code: string | undefined,
    ][] = [
      [async () => undefined, 201, undefined],
      [(accountId) => cluster.admin.suspendAccount({ accountId, body: {} }), 409, "account_suspended"],
      [(accountId) => cluster.admin.endBeta({ accountId, body: { inMs: 60_000 } }), 409, "beta_ending"],
      [
        (accountId) => cluster.admin.changePlan({ accountId, body: { plan: "Free" } }),
        422,
        "insufficient_memory",
      ],
    ];
    for (const [change, status, code] of changes) {
      const account = await cluster.createAccount({ plan: "Stack" });
      const answer = await uploadAround(cluster, account, () => change(account.id));
      assert.deepEqual([answer.status, answer.code], [status, code], answer.text);
    }
    assert.equal((await storedFiles(cluster)).length, 1);
  });
});

suite("memory", { concurrency: 2 }, () => {
  test("of 50 changes at once with room for one on the plan, one succeeds", async () => {
    await using cluster = await TestCluster.create();
    const account = await cluster.createAccount({ plan: "Stack", scopes: ["projects:settings"] });
    const projects = await Promise.all(
      Array.from({ length: 10 }, () => SimulatedProject.create(account, "sim run", { start: false })),
    );
    for (const project of projects) await project.is("stopped");
    // 10 × 256 MB of 4096 are taken: one more may grow to 1600.
    const grow = async (index: number) => {
      const project = projects[index % projects.length];
      assert.ok(project);
      return account.client.updateProject({ id: project.id, body: { memoryMb: 1_600 } });
    };
    assert.deepEqual(tally(await settle(grow, 10)), { ok: 1, insufficient_memory: 9 });
    const { projects: views } = await account.client.listProjects({});
    assert.equal(
      views.reduce((sum, { memoryMb }) => sum + memoryMb, 0),
      9 * 256 + 1_600,
    );
  });

  test("of 50 creations at once, of many accounts, a host is given no more than it has", async () => {
    await using cluster = await TestCluster.create();
    const { db } = cluster.central.app;
    const [host] = await cluster.operator.hosts();
    assert.ok(host?.resources);
    // 512 MB are the host's own: there is room for three.
    await db
      .updateTable("host")
      .set({ resources: JSON.stringify({ ...host.resources, memoryMb: 512 + 3 * 256 + 100 }) })
      .execute();
    const accounts = await Promise.all(
      Array.from({ length: 50 }, () => cluster.createAccount({ plan: "Block" })),
    );
    const create = async (index: number) => {
      const account = accounts[index];
      assert.ok(account);
      return SimulatedProject.create(account, "sim run", { start: false });
    };
    assert.deepEqual(tally(await settle(create)), { ok: 3, no_capacity: 47 });
    const [full] = await cluster.operator.hosts();
    assert.deepEqual([full?.projects, full?.reservedMemoryMb], [3, 3 * 256]);
  });
});
