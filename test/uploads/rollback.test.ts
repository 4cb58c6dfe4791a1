/** Tests the return to a version (api.md: POST /projects/{id}/versions/{n}/rollback). */

import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { plans, type Version } from "@tijolo/protocol";
import { apiRequest } from "../support/requests/api-request.ts";
import { CommandLine } from "../support/commands/command-line.ts";
import { heldAssignment } from "../support/ledger/held-assignment.ts";
import { SimulatedProject, whenIdle } from "../support/projects/simulated-project.ts";
import { StandInHost } from "../support/cluster/stand-in-host.ts";
import { TestCluster, type TestAccount } from "../support/cluster/test-cluster.ts";
import { until } from "../support/until.ts";

let cluster: TestCluster;
let account: TestAccount;
const scopes = ["versions:rollback", "projects:settings"] as const;
before(async () => {
  cluster = await TestCluster.create();
  account = await cluster.createAccount({ plan: "Empresas", scopes: [...scopes] });
});
after(() => cluster[Symbol.asyncDispose]());

const versionsOf = async ({ client, id }: SimulatedProject): Promise<Version[]> =>
  (await client.listVersions({ id })).versions;
const back = ({ client, id }: SimulatedProject, number: number, idempotencyKey?: string) =>
  client.rollbackProject({ id, number }, idempotencyKey === undefined ? {} : { idempotencyKey });

/** Creates a project at version 2, stopped or running. */
async function twice(
  start: boolean,
  owner: Pick<TestAccount, "client"> = account,
): Promise<SimulatedProject> {
  const project = await SimulatedProject.create(owner, "sim print one; run", { start });
  await project.is(start ? "running" : "stopped");
  await until(async () => (await versionsOf(project))[0]?.status === "live");
  await project.upload("sim print two; run", { description: "second", installCommand: "sim exit 0" });
  await until(async () => (await versionsOf(project))[0]?.finishedAt !== null);
  await whenIdle(() => project.get());
  return project;
}

suite("a rollback", { concurrency: 4 }, () => {
  test("is a new version with the old code and start, which a running project comes back with", async () => {
    const project = await twice(true);
    await project.is("running");
    await project.client.updateProject({ id: project.id, body: { memoryMb: 512, name: "novo" } });
    await project.client.setVariables({ id: project.id, body: { variables: { TOKEN: "x" } } });
    const { project: accepted } = await whenIdle(() => back(project, 1));
    assert.deepEqual(
      [accepted.command, accepted.installCommand, accepted.memoryMb, accepted.name, accepted.description],
      ["sim print one; run", null, 512, "novo", "second"],
    );
    await project.is("running");
    await until(async () => (await versionsOf(project))[0]?.status === "live");
    const [third, second, first] = await versionsOf(project);
    assert.deepEqual(
      [third?.number, third?.trigger, third?.rolledBackFrom, third?.sha256, third?.status, third?.by.name],
      [3, "rollback", 1, first?.sha256, "live", "test"],
    );
    assert.notEqual(third?.cameUpAt, null);
    assert.deepEqual([second?.status, second?.isServing, first?.isServing], ["superseded", false, false]);
    assert.deepEqual((await project.client.listVariables({ id: project.id })).variables, { TOKEN: "x" });
    const held = heldAssignment(cluster.host, project.id);
    assert.deepEqual([held?.versionNumber, held?.archive.sha256], [3, first?.sha256]);
    const { events } = await project.client.listProjectEvents({ id: project.id });
    const event = events.find(({ kind }) => kind === "rollback");
    assert.deepEqual([event?.versionNumber, event?.rolledBackFrom, event?.actor?.name], [3, 1, "test"]);
    assert.equal(events.find(({ kind }) => kind === "upload")?.versionNumber, 2);
  });

  test("of a stopped project leaves it stopped", async () => {
    const project = await twice(false);
    await back(project, 1);
    await until(async () => (await versionsOf(project))[0]?.status === "live");
    const { status, command } = await project.is("stopped");
    assert.deepEqual([status, command], ["stopped", "sim print one; run"]);
  });

  test("to the current version, or to one that failed, is a new version too", async () => {
    const project = await twice(false);
    await back(project, 2);
    await until(async () => (await versionsOf(project))[0]?.status === "live");
    await project.upload("sim run", { installCommand: "sim exit 9" });
    await until(async () => (await versionsOf(project))[0]?.status === "failed");
    await back(project, 4);
    await until(async () => (await versionsOf(project))[0]?.error?.code === "install_failed");
    const [fifth] = await versionsOf(project);
    assert.deepEqual([fifth?.number, fifth?.status, fifth?.rolledBackFrom], [5, "failed", 4]);
    await back(project, 3);
    await until(async () => (await versionsOf(project))[0]?.status === "live");
    assert.deepEqual(
      (await versionsOf(project)).map(({ rolledBackFrom }) => rolledBackFrom),
      [3, 4, null, 2, null, null],
    );
  });

  test("twice at once is one, and during an install is refused", async () => {
    const project = await twice(false);
    const answers = await Promise.allSettled([back(project, 1), back(project, 1), back(project, 1)]);
    const refused = answers.flatMap((answer) =>
      answer.status === "rejected" ? [answer.reason as Error] : [],
    );
    assert.equal(refused.length, 2);
    for (const reason of refused) assert.equal("code" in reason && reason.code, "project_busy");
    assert.equal((await versionsOf(project)).length, 3);
    await project.is("stopped");
    await project.upload("sim run", { installCommand: "sim gate" });
    await assert.rejects(back(project, 1), { code: "project_busy" });
    await project.is("installing");
    await assert.rejects(back(project, 1), { code: "project_busy" });
    cluster.host.machine.openGate(project.id);
    await project.is("stopped");
  });

  test("with an Idempotency-Key is made once, and answers the same again", async () => {
    const project = await twice(false);
    const first = await back(project, 1, "key-1");
    await project.is("stopped");
    assert.deepEqual(await back(project, 1, "key-1"), first);
    assert.equal((await versionsOf(project)).length, 3);
    await assert.rejects(back(project, 2, "key-1"), { code: "invalid_request" });
  });

  test("is refused to a key without the scope, to another account, and for what is not there", async () => {
    const project = await twice(false);
    const path = `/api/projects/${project.id}/versions`;
    const refused = async (token: string, at: string) => {
      const answer = await apiRequest(cluster.centralUrl, { method: "POST", path: at, token });
      return [answer.status, answer.code, (answer.json as { requiredScope?: string }).requiredScope];
    };
    const read = await cluster.createKey(account.id, "read");
    assert.deepEqual(await refused(read, `${path}/1/rollback`), [403, "insufficient_permission", undefined]);
    const write = await cluster.createKey(account.id, "write");
    assert.deepEqual(await refused(write, `${path}/1/rollback`), [
      403,
      "insufficient_scope",
      "versions:rollback",
    ]);
    const stranger = await cluster.createAccount({ plan: "Empresas", scopes: [...scopes] });
    assert.deepEqual(await refused(stranger.key, `${path}/1/rollback`), [404, "not_found", undefined]);
    assert.deepEqual(await refused(account.key, `${path}/9/rollback`), [404, "not_found", undefined]);
    for (const number of ["0", "x", "-1", "1.0", "00001", "1%00"])
      assert.deepEqual(await refused(account.key, `${path}/${number}/rollback`), [
        400,
        "invalid_request",
        undefined,
      ]);
    await assert.rejects(back(project, 9), /Guardadas: 2, 1\./);
    assert.equal((await versionsOf(project)).length, 2);
  });

  test("to a static site is refused while the project is a bot, and says what to change", async () => {
    const config = { language: "static", command: "", memoryMb: 256 };
    const project = await SimulatedProject.create(account, "", { start: false, config });
    await project.is("stopped");
    await project.upload("sim run", { type: "bot", language: "node", memoryMb: 256 });
    await until(async () => (await versionsOf(project))[0]?.finishedAt !== null);
    assert.equal((await project.is("stopped")).type, "bot");
    await assert.rejects(back(project, 1), { code: "invalid_config", extra: { field: "type" } });
    await project.client.updateProject({ id: project.id, body: { type: "site", memoryMb: 512 } });
    const { project: accepted } = await back(project, 1);
    assert.deepEqual([accepted.type, accepted.language, accepted.memoryMb], ["site", "static", 512]);
  });

  test("of a suspended account is refused", async () => {
    const own = await cluster.createAccount({ plan: "Empresas", scopes: [...scopes] });
    const project = await twice(false, own);
    await cluster.admin.suspendAccount({ accountId: own.id, body: {} });
    await assert.rejects(back(project, 1), { code: "account_suspended" });
    await cluster.admin.resumeAccount({ accountId: own.id });
    await back(project, 1);
  });
});

suite("tijolo rollback", { concurrency: 1 }, () => {
  const runner = async () => {
    const line = await CommandLine.create();
    line.environment = { TIJOLO_URL: cluster.centralUrl, TIJOLO_KEY: account.key };
    return line;
  };

  test("goes back to the newest earlier version that came up, after a question, and follows it to its end", async () => {
    const project = await twice(true);
    await project.is("running");
    await using line = await runner();
    const unattended = await line.run(["rollback", project.id]);
    assert.deepEqual([unattended.code, (await versionsOf(project)).length], [1, 2]);
    assert.match(unattended.stderr, /volta à versão 1 .*--yes/);
    line.isInteractive = true;
    line.typed = ["n"];
    assert.equal((await line.run(["rollback", project.id])).code, 1);
    assert.equal((await versionsOf(project)).length, 2);
    line.typed = ["s"];
    const { code, stdout, stderr, asked } = await line.run(["rollback", project.id]);
    assert.equal(code, 0, stderr);
    assert.match(asked[0] ?? "", /versão 1/);
    assert.match(stdout, /no ar/);
    assert.equal((await versionsOf(project))[0]?.rolledBackFrom, 1);
    await until(async () => (await versionsOf(project))[0]?.status === "live");
    const listed = await line.run(["versions", project.id]);
    assert.match(listed.stdout, /^3 +atual, no ar +volta à 1 .*chave test/m);
    assert.match(listed.stdout, /^2 +anterior +envio /m);
    const events = await line.run(["events", project.id]);
    assert.match(events.stdout, /volta de versão +chave test versão 3 volta à 1/);
  });

  test("takes the number of a version, leaves a stopped project stopped, and writes JSON", async () => {
    const project = await twice(false);
    await using line = await runner();
    const { code, stdout, stderr } = await line.run(["rollback", project.id, "1", "--yes", "--json"]);
    assert.equal(code, 0, stderr);
    assert.equal((JSON.parse(stdout) as { project: { status: string } }).project.status, "stopped");
    const started = await line.run(["rollback", "2", "-p", project.id, "-y", "--start"]);
    assert.equal(started.code, 0, started.stderr);
    await project.is("running");
  });

  test("says what is wrong with its words, and where there is nothing to go back to", async () => {
    const project = await SimulatedProject.create(account, "sim run", { start: false });
    await project.is("stopped");
    await using line = await runner();
    for (const [words, code, expected] of [
      [[project.id], 1, /Nenhuma versão anterior/],
      [[project.id, "7"], 1, /versão 7/],
      [[project.id, "0"], 2, /número inteiro/],
      [[project.id, "x"], 2, /número inteiro/],
      [[project.id, "1", "2"], 2, /Sobrou um argumento: 2/],
      [["nowhere", "1"], 1, /Nenhum projeto se chama/],
    ] as const) {
      const ended = await line.run(["rollback", ...words, "--yes"]);
      assert.equal(ended.code, code, `${words.join(" ")}: ${ended.stderr}`);
      assert.match(ended.stderr, expected);
    }
    assert.equal((await versionsOf(project)).length, 1);
  });
});

test("while the project's host is away a rollback is refused, and nothing is changed", async () => {
  await using own = await TestCluster.create();
  const owner = await own.createAccount({ plan: "Empresas", scopes: [...scopes] });
  const project = await SimulatedProject.create(owner, "sim run", { start: false });
  await project.is("stopped");
  await own.host.stop();
  await until(async () => (await own.connectedHosts()) === 0);
  await assert.rejects(back(project, 1), { code: "server_unavailable" });
  assert.equal((await versionsOf(project)).length, 1);
  await own.host.start();
  await own.untilConnected();
  await back(project, 1);
});

test("rollbacks are paced as uploads are, and a refused one does not count", async () => {
  await using own = await TestCluster.create({ hasRealLimits: true });
  const owner = await own.createAccount({ plan: "Empresas", scopes: [...scopes] });
  const project = await SimulatedProject.create(owner, "sim run", { start: false });
  await project.is("stopped");
  own.clock.advance(3_000);
  own.clock.hold();
  await assert.rejects(back(project, 9), { code: "not_found" });
  await back(project, 1);
  await assert.rejects(back(project, 1), { code: "too_many_requests" });
  own.clock.advance(3_000);
  await project.is("stopped");
  await back(project, 1);
});

test("a version that the plan does not keep is gone, and the one that serves is kept", async () => {
  await using own = await TestCluster.create();
  const free = await own.createAccount({ plan: "Free", scopes: [...scopes] });
  assert.equal(plans.get("Free")?.versionsKept, 2);
  const standIn = await StandInHost.takeOver(own);
  const project = await SimulatedProject.create(free, "sim run");
  const host = {
    says: (change: Parameters<StandInHost["says"]>[1]) => standIn.says(project.id, change),
  };
  const numbers = async () => (await versionsOf(project)).map(({ number }) => number);
  const failed = { phase: "failed", errorCode: "install_failed" } as const;
  await host.says({ servingVersion: 1, hasComeUp: true });
  for (const kept of [
    [2, 1],
    [3, 2, 1],
    [4, 3, 1],
  ]) {
    await project.upload("sim run");
    assert.deepEqual(await numbers(), kept);
    await host.says({ ...failed, servingVersion: 1 });
  }
  await back(project, 1);
  await host.says({ servingVersion: 5, hasComeUp: true });
  await project.upload("sim run");
  assert.deepEqual(await numbers(), [6, 5]);
  await host.says({ servingVersion: 6, hasComeUp: true });
  await assert.rejects(back(project, 1), { code: "not_found" });
});

test("going back to the oldest version that is kept leaves it known which settings came with the code", async () => {
  const free = await cluster.createAccount({ plan: "Free", scopes: [...scopes] });
  const config = { installCommand: "sim exit 0" };
  const project = await SimulatedProject.create(free, "sim run", { start: false, config });
  const isFinished = async () => (await versionsOf(project))[0]?.finishedAt !== null;
  await until(isFinished);
  await whenIdle(() => project.upload("sim run"));
  await until(isFinished);
  await whenIdle(() => back(project, 1));
  await until(isFinished);
  assert.deepEqual(
    (await versionsOf(project)).map(({ number }) => number),
    [3, 2],
  );
  assert.equal((await project.get()).installCommand, "sim exit 0");
  const { installCommand } = await whenIdle(() => project.upload("sim run"));
  assert.equal(installCommand, null);
});
