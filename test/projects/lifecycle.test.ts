/**
 * Tests the spec's table "States and transitions", row by row, over HTTP; and the moves that the spec leaves
 * to api.md.
 */

import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { projectErrorTexts } from "@tijolo/protocol/texts/project";
import { runningCount } from "../support/ledger/exit-ledger.ts";
import { heldRecord } from "../support/ledger/held-assignment.ts";
import { SimulatedProject, whenIdle } from "../support/projects/simulated-project.ts";
import { projectWhen, simulatedBot, TestCluster, type TestAccount } from "../support/cluster/test-cluster.ts";
import { until } from "../support/until.ts";

let cluster: TestCluster;
let paid: TestAccount;
before(async () => {
  cluster = await TestCluster.create();
  paid = await cluster.createAccount({ plan: "Empresas", scopes: ["projects:settings"] });
});
after(() => cluster[Symbol.asyncDispose]());

const free = () => cluster.createAccount({ plan: "Free" });
const startsOf = ({ id }: SimulatedProject) => cluster.host.machine.startCounts.get(id) ?? 0;
const refused = (code: string) => ({ name: "ApiError", code });

suite("a new project", { concurrency: 4 }, () => {
  test("without start=true is installed and stays stopped", async () => {
    const { client } = paid;
    for (const fields of [{}, { start: "false" as const }]) {
      const { project } = await client.createProject({ fields, file: await simulatedBot("sim run") });
      assert.equal(project.status, "creating");
      const stopped = await projectWhen(client, project.id, ({ status }) => status === "stopped");
      assert.deepEqual(
        [stopped.startedAt, stopped.usage, stopped.error, stopped.lastExit],
        [null, null, null, null],
      );
      assert.equal(cluster.host.machine.startCounts.get(project.id), undefined);
    }
  });

  test("with start=true goes through creating and installing to running, never through stopped", async () => {
    const project = await SimulatedProject.create(paid, "sim run", {
      config: { installCommand: "sim gate" },
    });
    const seen = await project.statusesUntil(({ status }) => status === "installing");
    cluster.host.machine.openGate(project.id);
    seen.push(...(await project.statusesUntil(({ status }) => status === "running")));
    assert.deepEqual(
      seen.filter((status) => !["creating", "installing", "running"].includes(status)),
      [],
    );
    const running = await project.get();
    assert.ok(running.startedAt !== null && running.usage !== null && running.error === null);
    assert.equal(running.hasAutoRestart, true);
  });

  const failures = [
    ["install_failed", "sim exit 3", /Código de saída: 3\./],
    ["install_timeout", "sim run", /passou de 5 minutos/],
    ["install_out_of_memory", "sim oom", /1 GB/],
  ] as const;
  for (const [code, installCommand, message] of failures) {
    test(`whose install ends so is in error with ${code}, and cannot be started until new code comes`, async () => {
      await using own = await TestCluster.create({ installTimeoutSeconds: 3 });
      const account = await own.createAccount({ plan: "Empresas" });
      const project = await SimulatedProject.create(account, "sim run", { config: { installCommand } });
      const { error, lastExit } = await project.is("error");
      assert.equal(error?.code, code);
      assert.match(error?.message ?? "", message);
      assert.equal(lastExit, null);
      await assert.rejects(project.start(), refused("install_pending"));
      await assert.rejects(project.restart(), refused("install_pending"));
      assert.equal((await project.stop()).status, "error");
      assert.equal(own.host.machine.startCounts.get(project.id), undefined);
      await project.upload("sim run", { installCommand: "" });
      const { error: gone } = await project.is("stopped");
      assert.equal(gone, null);
      await project.start();
      await project.is("running");
    });
  }

  test("whose command does not come up is start_failed, and may be started again", async () => {
    const project = await SimulatedProject.create(paid, "sim fail-start no such thing");
    const { error } = await project.is("error");
    assert.equal(error?.code, "start_failed");
    assert.ok(error?.message.startsWith(projectErrorTexts.pt.start_failed));
    await project.start();
    await project.is("error");
    const early = await SimulatedProject.create(paid, "sim exit 127");
    const notFound = await early.is("error");
    assert.equal(notFound.error?.code, "start_failed");
    assert.equal(notFound.lastExit?.code, 127);
  });

  test("whose entry is neither in the archive nor made by its install is start_failed and names it", async () => {
    const { project } = await paid.client.createProject({
      fields: { start: "true", language: "node", entry: "src/main.js", installCommand: "sim exit 0" },
      file: new File([await (await simulatedBot("sim run")).bytes()], "bot.zip"),
    });
    const { error } = await projectWhen(paid.client, project.id, ({ status }) => status === "error");
    assert.equal(error?.code, "start_failed");
    assert.match(error?.message ?? "", /src\/main\.js/);
    const { lines } = await paid.client.streamLogs.page({ id: project.id, query: { section: "app" } });
    assert.deepEqual(
      lines.map(({ version, text }) => [version, text.includes("src/main.js")]),
      [[1, true]],
    );
  });
});

suite("while it is prepared", { concurrency: 4 }, () => {
  test("start, stop, restart, new code and settings answer project_busy and change nothing", async () => {
    const project = await SimulatedProject.create(paid, "sim run", {
      config: { installCommand: "sim gate" },
    });
    await project.is("installing");
    await assert.rejects(project.start(), refused("project_busy"));
    await assert.rejects(project.stop(), refused("project_busy"));
    await assert.rejects(project.restart(), refused("project_busy"));
    await assert.rejects(project.upload("sim run"), refused("project_busy"));
    await assert.rejects(
      paid.client.updateProject({ id: project.id, body: { memoryMb: 512 } }),
      refused("project_busy"),
    );
    cluster.host.machine.openGate(project.id);
    const { memoryMb } = await project.is("running");
    assert.equal(memoryMb, 256);
    assert.equal(startsOf(project), 1);
  });

  test("while creating, too", async () => {
    const project = await SimulatedProject.create(paid, "sim run");
    const results = await Promise.allSettled([project.start(), project.stop(), project.restart()]);
    for (const result of results)
      if (result.status === "rejected")
        assert.equal((result.reason as { code: string }).code, "project_busy");
    await project.when(({ status }) => status === "running" || status === "stopped");
  });

  test("a delete ends an install under way and frees everything", async () => {
    const project = await SimulatedProject.create(paid, "sim run", { config: { installCommand: "sim run" } });
    await project.is("installing");
    await cluster.client(cluster.operatorToken).deleteProject({ id: project.id });
    await assert.rejects(project.get(), refused("not_found"));
  });
});

suite("a running project", { concurrency: 4 }, () => {
  test("is stopped, and started again from there", async () => {
    const project = await SimulatedProject.create(paid, "sim term 5; run");
    await project.is("running");
    await project.stop();
    const stopped = await project.is("stopped");
    assert.deepEqual(
      [stopped.lastExit?.code, stopped.consecutiveCrashes, stopped.error, stopped.startedAt],
      [5, 0, null, null],
    );
    assert.equal((await project.stop()).status, "stopped");
    assert.equal((await project.start()).status, "restarting");
    await project.is("running");
    assert.equal(startsOf(project), 2);
    assert.equal((await project.start()).status, "running");
    assert.equal(startsOf(project), 2, "a start of a running project changes nothing");
  });

  test("that restarts is restarting, then running, and the exit is no crash", async () => {
    const project = await SimulatedProject.create(paid, "sim run");
    const { startedAt } = await project.is("running");
    assert.equal((await project.restart()).status, "restarting");
    const again = await project.when((now) => now.status === "running" && now.startedAt !== startedAt);
    assert.deepEqual([again.consecutiveCrashes, again.lastExit?.code], [0, 143]);
    assert.equal(startsOf(project), 2);
  });

  test("that ignores SIGTERM can be stopped, and a stop wins over a restart under way", async () => {
    const project = await SimulatedProject.create(paid, "sim ignore-term; run");
    await project.is("running");
    await project.restart();
    await project.stop();
    const stopped = await project.is("stopped");
    assert.equal(stopped.lastExit?.code, 137);
    assert.equal(startsOf(project), 1);
  });

  test("that ends with code 0 is stopped, on any plan", async () => {
    for (const account of [paid, await free()]) {
      const project = await SimulatedProject.create(account, "sim exit 0 after 50");
      const { lastExit, error, consecutiveCrashes } = await project.when(
        ({ status, lastExit: exit }) => status === "stopped" && exit !== null,
      );
      assert.deepEqual(
        [lastExit?.code, lastExit?.isOutOfMemory, error, consecutiveCrashes],
        [0, false, null, 0],
      );
      assert.equal(startsOf(project), 1);
    }
  });

  test("that gets new code comes back up with it by itself", async () => {
    const project = await SimulatedProject.create(paid, "sim run");
    const { startedAt } = await project.is("running");
    const accepted = await project.upload("sim print second; run", { installCommand: "sim wait 200" });
    assert.equal(accepted.status, "creating");
    const again = await project.when((now) => now.status === "running" && now.startedAt !== startedAt);
    assert.equal(again.command, "sim print second; run");
    assert.equal(startsOf(project), 2);
    const printed = await until(async () => {
      const { lines } = await paid.client.streamLogs.page({
        id: project.id,
        query: { section: "app", stream: "stdout" },
      });
      return lines.length > 0 && lines.map(({ text, version }) => [text, version]);
    });
    assert.deepEqual(printed, [["second", 2]]);
  });

  test("whose new code fails to install is in error with the new version's reason, and runs on until it is stopped", async () => {
    const project = await SimulatedProject.create(paid, "sim run");
    await project.is("running");
    await project.upload("sim run", { installCommand: "sim exit 9" });
    const { error, startedAt } = await project.is("error");
    assert.deepEqual([error?.code, startedAt], ["install_failed", null]);
    assert.match(error?.message ?? "", /Código de saída: 9\. A versão 1 continua no ar\.$/);
    const { machine } = cluster.host;
    assert.deepEqual([runningCount(machine, project.id), startsOf(project)], [1, 1], "the same run is up");
    await assert.rejects(project.start(), refused("install_pending"));
    await project.stop();
    await until(() => runningCount(machine, project.id) === 0);
    const stopped = await project.when(({ error: now }) => now?.message.endsWith(" 9.") === true);
    assert.deepEqual([stopped.status, startsOf(project)], ["error", 1]);
    await assert.rejects(project.start(), refused("install_pending"));
  });

  test("whose new code failed comes up by itself with the good code after it", async () => {
    const project = await SimulatedProject.create(paid, "sim run");
    await project.is("running");
    await project.upload("sim run", { installCommand: "sim exit 9" });
    await project.is("error");
    await project.upload("sim print good; run", { installCommand: "" });
    const { error } = await project.is("running");
    assert.deepEqual([error, startsOf(project)], [null, 2]);
  });

  test("whose new code does not come up is in error, and the earlier version is back; a start tries again", async () => {
    const project = await SimulatedProject.create(paid, "sim run", { config: { type: "site" } });
    await project.is("running");
    await until(() => heldRecord(cluster.host, project.id)?.hasProven);
    await project.upload("sim deaf; exit 9");
    const { error } = await project.is("error");
    assert.equal(error?.code, "start_failed");
    assert.match(error?.message ?? "", /Código de saída: 9\. A versão 1 voltou ao ar\.$/);
    const { machine } = cluster.host;
    await until(() => startsOf(project) === 3 && runningCount(machine, project.id) === 1);
    assert.equal((await project.start()).status, "restarting");
    await until(() => startsOf(project) === 5 && runningCount(machine, project.id) === 1);
    await project.is("error");
    await project.stop();
    await until(() => runningCount(machine, project.id) === 0);
    assert.equal((await project.get()).status, "error");
    await whenIdle(() => project.upload("sim run"));
    await project.is("stopped");
  });
});

suite("new code", { concurrency: 4 }, () => {
  test("on a stopped project leaves it stopped", async () => {
    const project = await SimulatedProject.create(paid, "sim run", { start: false });
    await project.is("stopped");
    await project.upload("sim print new; run");
    const { command } = await project.when(
      ({ status, updatedAt, createdAt }) => status === "stopped" && updatedAt !== createdAt,
    );
    assert.equal(command, "sim print new; run");
    assert.equal(startsOf(project), 0);
  });

  test("on a project in error leaves it stopped, without the error", async () => {
    const account = await free();
    const project = await SimulatedProject.create(account, "sim exit 1");
    await project.is("error");
    await project.upload("sim run");
    const { error } = await project.is("stopped");
    assert.equal(error, null);
  });

  test("may come again and again; the last one is what runs", async () => {
    const project = await SimulatedProject.create(paid, "sim run");
    await project.is("running");
    for (let number = 2; number <= 8; number++) {
      await project.upload(`sim print v${number}; run`);
      await project.is("running");
    }
    assert.equal((await project.get()).command, "sim print v8; run");
  });
});
