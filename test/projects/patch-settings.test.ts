/** Tests PATCH: the rules of svc.json and of the plan for an existing project (spec: PATCH rules). */

import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import type { PlanName, Project } from "@tijolo/protocol";
import { apiRequest, type ApiAnswer } from "../support/requests/api-request.ts";
import { assertContract } from "../support/requests/assert-contract.ts";
import { untilHeld } from "../support/ledger/held-assignment.ts";
import { SimulatedProject, withoutUsage } from "../support/projects/simulated-project.ts";
import { TestCluster, type TestAccount } from "../support/cluster/test-cluster.ts";
import { until } from "../support/until.ts";
import { zipOf } from "../support/archives/zip-of.ts";

let cluster: TestCluster;
let account: TestAccount;
before(async () => {
  cluster = await TestCluster.create();
  account = await newAccount("Empresas");
});
after(() => cluster[Symbol.asyncDispose]());

const newAccount = (plan: PlanName) => cluster.createAccount({ plan, scopes: ["projects:settings"] });

suite("PATCH", { concurrency: 4 }, () => {
  const update = async (project: SimulatedProject, body: object): Promise<ApiAnswer> => {
    const headers = { "content-type": "application/json" };
    const answer = await apiRequest(cluster.central.url, {
      method: "PATCH",
      path: `/api/projects/${project.id}`,
      token: account.key,
      headers,
      body: JSON.stringify(body),
    });
    assertContract("updateProject", answer);
    return answer;
  };
  const changed = (answer: ApiAnswer): { project: Project; isRestartRequired: boolean } => {
    assert.equal(answer.status, 200, answer.text);
    return answer.json as { project: Project; isRestartRequired: boolean };
  };

  test("name and description take effect at once, the rest at the next start", async () => {
    const project = await SimulatedProject.create(account, "sim run");
    const { startedAt } = await project.is("running");
    const named = changed(await update(project, { name: "new", description: "text" }));
    assert.deepEqual(
      [named.isRestartRequired, named.project.name, named.project.description],
      [false, "new", "text"],
    );
    const waiting = changed(await update(project, { command: "sim print changed; run", memoryMb: 300 }));
    assert.deepEqual(
      [waiting.isRestartRequired, waiting.project.memoryMb, waiting.project.status],
      [true, 300, "running"],
    );
    assert.equal(changed(await update(project, { name: "newer" })).isRestartRequired, true, "it still waits");
    assert.equal((await project.get()).startedAt, startedAt, "nothing was restarted");
    await project.restart();
    await project.when((now) => now.status === "running" && now.startedAt !== startedAt);
    assert.equal(changed(await update(project, { description: "" })).isRestartRequired, false);
    const changes = () =>
      account.client.streamLogs.page({ id: project.id, query: { section: "app", q: "changed" } });
    await until(async () => (await changes()).lines.length > 0);
    assert.equal((await changes()).lines.length, 1);
    assert.equal(changed(await update(project, { memoryMb: 310 })).isRestartRequired, true);
    assert.equal(
      changed(await update(project, { memoryMb: 300 })).isRestartRequired,
      false,
      "back to what runs",
    );
  });

  test("of what the install depends on installs again at the next start, also one after a crash", async () => {
    const project = await SimulatedProject.create(account, "sim run", {
      config: { installCommand: "sim print first" },
    });
    await project.is("running");
    const change = () =>
      update(project, { installCommand: "sim print second", command: "sim print up; run" });
    changed(await untilHeld(cluster.host, project.id, change));
    cluster.host.machine.kill(project.id, new Date());
    await project.when(({ consecutiveCrashes, status }) => consecutiveCrashes === 1 && status === "running");
    const printed = await until(async () => {
      const { lines } = await account.client.streamLogs.page({
        id: project.id,
        query: { section: "install", stream: "stdout" },
      });
      return lines.length > 1 && lines.map(({ text }) => text);
    });
    assert.deepEqual(printed, ["first", "second"]);
  });

  test("on a stopped project waits for nothing", async () => {
    const project = await SimulatedProject.create(account, "sim run", { start: false });
    await project.is("stopped");
    assert.equal(changed(await update(project, { memoryMb: 512 })).isRestartRequired, false);
    await project.start();
    await project.is("running");
    assert.equal(changed(await update(project, { name: "x" })).isRestartRequired, false);
  });

  test("moves between bot and site, and between languages", async () => {
    const project = await SimulatedProject.create(account, "sim run", {
      start: false,
      config: { name: "Página 1" },
    });
    await project.is("stopped");
    const site = changed(await update(project, { type: "site", memoryMb: 512, port: 3000 })).project;
    assert.deepEqual([site.type, site.port, site.subdomain], ["site", 3000, "pagina-1"]);
    const renamed = changed(await update(project, { subdomain: "outra" })).project;
    assert.equal(renamed.subdomain, "outra");
    const bot = changed(await update(project, { type: "bot" })).project;
    assert.deepEqual([bot.type, bot.port, bot.subdomain, bot.url], ["bot", null, null, null]);
    const python = changed(await update(project, { language: "python", command: "python main.py" })).project;
    assert.deepEqual([python.language, python.version, python.entry], ["python", "3.13", "main.py"]);
    const page = changed(await update(project, { language: "static", root: "public" })).project;
    assert.deepEqual(
      [page.language, page.type, page.command, page.version, page.root, page.entry],
      ["static", "site", "", "", "public", null],
    );
  });

  test("a static site becomes an app of one page, with a command that builds it, and a program again", async () => {
    const project = await SimulatedProject.create(account, "sim run", {
      config: { language: "static", command: "" },
      start: false,
    });
    await project.is("stopped");
    assert.equal("spa" in (await project.get()), false, "the specification's projects have no such field");
    const built = { spa: true, installCommand: "sim print built", root: "dist" };
    const { project: app } = changed(await update(project, built));
    assert.deepEqual(
      [app.spa, app.installCommand, app.root, app.version, app.command],
      [true, "sim print built", "dist", "", ""],
    );
    assert.equal(
      changed(await update(project, { name: "loja" })).project.spa,
      true,
      "what is not named stays",
    );
    const other = changed(await update(project, { spa: false, installCommand: null })).project;
    assert.deepEqual(["spa" in other, other.installCommand], [false, null]);
    changed(await update(project, { spa: true }));
    const node = changed(
      await update(project, { language: "node", command: "npm start", memoryMb: 512 }),
    ).project;
    assert.deepEqual(["spa" in node, node.root], [false, null]);
    const refused = await update(project, { spa: true });
    assert.deepEqual([refused.status, refused.code], [422, "invalid_config"]);
  });

  test("entry and command derive from each other", async () => {
    const project = await SimulatedProject.create(account, "sim run", { start: false });
    await project.is("stopped");
    const byEntry = changed(await update(project, { entry: "bot.js" })).project;
    assert.deepEqual([byEntry.entry, byEntry.command], ["bot.js", "node bot.js"]);
    const byCommand = changed(await update(project, { command: "npm start" })).project;
    assert.deepEqual([byCommand.entry, byCommand.command], [null, "npm start"]);
    const empty = changed(await update(project, { command: "", entry: "x.js" })).project;
    assert.deepEqual([empty.entry, empty.command], ["x.js", "node x.js"]);
    const kept = changed(await update(project, { command: "" })).project;
    assert.deepEqual(
      [kept.entry, kept.command],
      ["x.js", "node x.js"],
      "an empty command means: run the entry file",
    );
    changed(await update(project, { command: "npm start" }));
    const without = await update(project, { command: "" });
    assert.deepEqual(
      [without.code, (without.json as { field?: string }).field],
      ["invalid_config", "command"],
    );
  });

  test("an empty entry is none: refused where a project is left without a start, and no change where it has another", async () => {
    const project = await SimulatedProject.create(account, "node index.js", { start: false });
    await project.is("stopped");
    const withoutStart = async (body: object) => {
      const answer = await update(project, body);
      assert.deepEqual(
        [answer.code, (answer.json as { field?: string }).field],
        ["invalid_config", "command"],
        JSON.stringify(body),
      );
    };
    await withoutStart({ entry: "" });
    await withoutStart({ entry: "", command: "" });
    const start = async (body: object) => {
      const { entry, command } = changed(await update(project, body)).project;
      return [entry, command];
    };
    assert.deepEqual(await start({ command: "tsx a.js" }), ["a.js", "tsx a.js"]);
    await withoutStart({ entry: "" });
    assert.deepEqual(await start({ entry: "", command: "npm start" }), [null, "npm start"]);
    assert.deepEqual(await start({ entry: "" }), [null, "npm start"]);
    assert.deepEqual(await start({ language: "static", entry: "" }), [null, ""]);
    assert.deepEqual(await start({ language: "php", type: "site", memoryMb: 512, entry: "web.php" }), [
      "web.php",
      "php-server web.php",
    ]);
    assert.deepEqual(await start({ entry: "" }), [null, "php-server"]);
  });

  test("what ran in one language is not taken along into another that has a command of its own", async () => {
    const project = await SimulatedProject.create(account, "node index.js", { start: false });
    await project.is("stopped");
    const to = async (body: object) => {
      const { language, entry, command } = changed(await update(project, body)).project;
      return [language, entry, command];
    };
    assert.deepEqual(await to({ language: "go" }), ["go", null, "./out/app"]);
    assert.deepEqual(await to({ entry: "cmd/bot/main.go" }), ["go", "cmd/bot/main.go", "./out/app"]);
    assert.deepEqual(await to({ entry: "" }), ["go", null, "./out/app"]);
    assert.deepEqual(await to({ entry: "cmd/bot/main.go", command: "./out/app -v" }), [
      "go",
      "cmd/bot/main.go",
      "./out/app -v",
    ]);
    assert.deepEqual(await to({ entry: "" }), ["go", null, "./out/app -v"], "the command stays");
    assert.deepEqual(await to({ language: "dotnet", command: "" }), ["dotnet", null, "dotnet out/app.dll"]);
    assert.deepEqual(await to({ entry: "App.csproj" }), ["dotnet", "App.csproj", "dotnet out/app.dll"]);
    assert.deepEqual(await to({ entry: "" }), ["dotnet", null, "dotnet out/app.dll"]);
    assert.deepEqual(await to({ entry: "bin/app.dll" }), ["dotnet", "bin/app.dll", "dotnet bin/app.dll"]);
    assert.deepEqual(await to({ entry: "" }), ["dotnet", null, "dotnet out/app.dll"]);
    assert.deepEqual(await to({ language: "go", command: "./bot" }), ["go", null, "./bot"]);
    assert.deepEqual(await to({ language: "elixir" }), ["elixir", null, "mix run --no-halt"]);
    assert.deepEqual(await to({ language: "php", type: "site", memoryMb: 512 }), ["php", null, "php-server"]);
    assert.deepEqual(await to({ language: "node", command: "node a.js" }), ["node", "a.js", "node a.js"]);
    const without = await update(project, { language: "python", command: "" });
    assert.deepEqual(
      [without.code, (without.json as { field?: string }).field],
      ["invalid_config", "command"],
    );
    const svcJson = new File(
      [await zipOf({ "svc.json": JSON.stringify({ language: "go" }), "main.go": "" })],
      "x.zip",
    );
    const { project: uploaded } = await project.client.uploadCode({
      id: project.id,
      fields: {},
      file: svcJson,
    });
    assert.deepEqual([uploaded.language, uploaded.entry, uploaded.command], ["go", null, "./out/app"]);
  });

  test("new code may bring another language, or no configuration at all", async () => {
    const project = await SimulatedProject.create(account, "sim run", {
      start: false,
      config: { version: "22", memoryMb: 300 },
    });
    await project.is("stopped");
    await project.client.uploadCode({
      id: project.id,
      fields: {},
      file: new File([await zipOf({ "index.js": "" })], "x.zip"),
    });
    const same = await project.is("stopped");
    assert.deepEqual(
      [same.language, same.version, same.command, same.memoryMb],
      ["node", "22", "sim run", 300],
    );
    await project.upload("python main.py", { language: "python" });
    const python = await project.when(
      ({ status, language }) => status === "stopped" && language === "python",
    );
    assert.deepEqual([python.version, python.entry], ["3.13", "main.py"]);
    assert.equal(python.memoryMb, 256, "its svc.json names no memory any more");
  });

  test("refuses by the rules of svc.json and of the plan, and changes nothing", async () => {
    const project = await SimulatedProject.create(account, "sim run", { start: false });
    const other = await SimulatedProject.create(account, "", {
      start: false,
      config: { language: "static", command: "", subdomain: "in-use" },
    });
    const before = await project.is("stopped");
    await other.is("stopped");
    const rows: [body: object, code: string, field?: string][] = [
      [{ memoryMb: 255 }, "invalid_config", "memoryMb"],
      [{ port: 80 }, "invalid_config", "port"],
      [{ subdomain: "abc" }, "invalid_config", "subdomain"],
      [{ root: "public" }, "invalid_config", "root"],
      [{ type: "site", subdomain: "in-use", memoryMb: 512 }, "subdomain_taken", "subdomain"],
      [{ type: "site", subdomain: "-x-", memoryMb: 512 }, "invalid_subdomain", "subdomain"],
      [{ type: "site", subdomain: "www", memoryMb: 512 }, "reserved_subdomain", "subdomain"],
      [{ type: "site" }, "invalid_config", "memoryMb"],
      [{ language: "cobol" }, "unsupported_language"],
      [{ version: "18" }, "unsupported_language"],
      [{ memoryMb: 1_000_000 }, "insufficient_memory"],
      [{ name: "x".repeat(41) }, "invalid_request", "name"],
      [{ memoryMb: "512" }, "invalid_request", "memoryMb"],
      [{ status: "running" }, "invalid_request", "status"],
      [{ name: "ok", colour: "red" }, "invalid_request", "colour"],
      [{ root: null }, "invalid_request", "root"],
      [{}, "invalid_request"],
    ];
    for (const [body, code, field] of rows) {
      const answer = await update(project, body);
      assert.deepEqual([body, answer.code, (answer.json as { field?: string }).field], [body, code, field]);
    }
    assert.deepEqual(withoutUsage(await project.get()), withoutUsage(before));
  });
});
