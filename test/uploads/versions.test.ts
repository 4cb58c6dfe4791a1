/** The list of a project's versions (api.md: GET /projects/{id}/versions). */

import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { ApiError, plans, type Version } from "@tijolo/protocol";
import { CommandLine } from "../support/commands/command-line.ts";
import { SimulatedProject } from "../support/projects/simulated-project.ts";
import { TestCluster, type TestAccount } from "../support/cluster/test-cluster.ts";
import { until } from "../support/until.ts";

let cluster: TestCluster;
let account: TestAccount;
before(async () => {
  cluster = await TestCluster.create();
  account = await cluster.createAccount({ plan: "Empresas" });
});
after(() => cluster[Symbol.asyncDispose]());

const versionsOf = async ({ client, id }: SimulatedProject): Promise<Version[]> =>
  (await client.listVersions({ id })).versions;

suite("the list of versions", () => {
  test("has the newest first, with who sent it and how its install ended", async () => {
    const project = await SimulatedProject.create(account, "sim run");
    await project.is("running");
    await until(async () => (await versionsOf(project))[0]?.status === "live");
    const [first, ...others] = await versionsOf(project);
    assert.deepEqual(others, []);
    assert.deepEqual(
      [first?.number, first?.isCurrent, first?.status, first?.trigger, first?.rolledBackFrom, first?.error],
      [1, true, "live", "upload", null, null],
    );
    assert.equal(first?.isServing, true);
    assert.ok(Date.parse(first?.cameUpAt ?? "") >= Date.parse(first?.createdAt ?? ""));
    assert.deepEqual(first?.by, { kind: "key", name: "test" });
    assert.match(first?.sha256 ?? "", /^[0-9a-f]{64}$/);
    assert.ok(first !== undefined && first.sizeBytes > 0);
    assert.ok(Date.parse(first.finishedAt ?? "") >= Date.parse(first.createdAt));

    await project.upload("sim run", { installCommand: "sim exit 9" });
    await project.is("error");
    const [failed, before] = await versionsOf(project);
    assert.deepEqual([failed?.number, failed?.isCurrent, failed?.status], [2, true, "failed"]);
    assert.equal(failed?.error?.code, "install_failed");
    assert.notEqual(failed?.finishedAt, null);
    assert.deepEqual([before?.number, before?.isCurrent, before?.status], [1, false, "superseded"]);

    await project.upload("sim run", { installCommand: "" });
    const after = await until(async () => {
      const versions = await versionsOf(project);
      return versions[0]?.status === "live" && versions;
    });
    assert.deepEqual(
      after.map(({ number, status }) => [number, status]),
      [
        [3, "live"],
        [2, "failed"],
        [1, "superseded"],
      ],
    );
  });

  test("says that an install is under way until its host says how it ended", async () => {
    const project = await SimulatedProject.create(account, "sim run", {
      config: { installCommand: "sim gate" },
    });
    const [version] = await versionsOf(project);
    assert.deepEqual([version?.status, version?.finishedAt], ["installing", null]);
    await project.is("installing");
    cluster.host.machine.openGate(project.id);
    await until(async () => (await versionsOf(project))[0]?.status === "live");
  });

  test("holds no more than the plan keeps", async () => {
    const free = await cluster.createAccount({ plan: "Free" });
    const versionsKept = plans.get("Free")?.versionsKept ?? 0;
    const project = await SimulatedProject.create(free, "sim run", { start: false });
    for (let uploads = 0; uploads < versionsKept + 1; uploads++) {
      await project.is("stopped");
      cluster.clock.advance(60_000);
      await project.upload("sim run");
    }
    assert.deepEqual(
      (await versionsOf(project)).map(({ number }) => number),
      Array.from({ length: versionsKept }, (_, index) => versionsKept + 2 - index),
    );
  });

  test("is not found for the project of another account", async () => {
    const project = await SimulatedProject.create(account, "sim run", { start: false });
    const stranger = await cluster.createAccount({ plan: "Empresas" });
    await assert.rejects(
      stranger.client.listVersions({ id: project.id }),
      (error) => error instanceof ApiError && error.code === "not_found",
    );
  });

  test("is shown by `tijolo versions`, as a table and as JSON", async () => {
    const project = await SimulatedProject.create(account, "sim run", { start: false });
    await using line = await CommandLine.create();
    line.environment = { TIJOLO_URL: cluster.centralUrl, TIJOLO_KEY: account.key };
    await until(async () => (await versionsOf(project))[0]?.status === "live");
    const { stdout } = await line.run(["versions", project.id]);
    assert.match(stdout, /^1 +atual .*chave test/m);
    const { stdout: json } = await line.run(["versions", project.id, "--json"]);
    assert.deepEqual(JSON.parse(json), { versions: await versionsOf(project) });
  });
});
