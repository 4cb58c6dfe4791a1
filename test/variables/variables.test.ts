/** Tests environment variables: their rules, and how they reach the program (spec: variables). */

import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { apiRequest } from "../support/requests/api-request.ts";
import { untilHeld } from "../support/ledger/held-assignment.ts";
import { SimulatedProject } from "../support/projects/simulated-project.ts";
import { TestCluster, type TestAccount } from "../support/cluster/test-cluster.ts";
import { until } from "../support/until.ts";
import { newVariables, VariablesOf } from "../support/projects/variables-of.ts";

const scopes = ["projects:settings", "activity:read"] as const;

suite("variables", { concurrency: 4 }, () => {
  let cluster: TestCluster;
  let account: TestAccount;
  before(async () => {
    cluster = await TestCluster.create();
    account = await cluster.createAccount({ plan: "Empresas", scopes: [...scopes] });
  });
  after(() => cluster[Symbol.asyncDispose]());

  test("PUT replaces all, PATCH merges and null removes, GET lists", async () => {
    const own = await newVariables(cluster, account, { start: false });
    assert.deepEqual(await own.list(), {});
    assert.deepEqual((await own.set({ A: "1", B: "2" })).variables, { A: "1", B: "2" });
    assert.deepEqual((await own.change({ B: null, C: "", MISSING: null })).variables, { A: "1", C: "" });
    assert.deepEqual(await own.list(), { A: "1", C: "" });
    assert.deepEqual((await own.set({ D: "4" })).variables, { D: "4" });
    assert.deepEqual((await own.set({})).variables, {});
    assert.deepEqual(await own.list(), {});
  });

  test("values come back as they were given", async () => {
    const own = await newVariables(cluster, account, { start: false });
    const odd = {
      QUOTES: `'"\`\\`,
      LINES: "a\r\nb\n\n",
      SHELL: "$(id) ${HOME} `id` ; & | #",
      TEXT: "ação 日本 \u{1F600} \u0001\u007f",
      _: " x ",
    };
    assert.deepEqual((await own.set(odd)).variables, odd);
    assert.deepEqual(await own.list(), odd);
    assert.deepEqual((await own.change({ constructor: "c", toString: "t" })).variables, {
      ...odd,
      constructor: "c",
      toString: "t",
    });
  });

  test("a name that is not valid, or the service's own, is refused by name, and so is a value that no environment can hold", async () => {
    const own = await newVariables(cluster, account, { start: false });
    await own.set({ KEPT: "1" });
    const marker = "value-that-is-never-repeated";
    const wrong: [variables: Record<string, unknown>, place: string][] = [
      [{ "1A": marker }, "1A"],
      [{ "A-B": marker }, "A-B"],
      [{ "": marker }, ""],
      [{ "A=B": marker }, "A=B"],
      [{ ["A".repeat(257)]: marker }, "AAA"],
      [{ PORT: marker }, "PORT"],
      [{ HOST: marker }, "HOST"],
      [{ SVC_PROJECT_ID: marker }, "SVC_PROJECT_ID"],
      [{ A: `${marker}\0` }, "A"],
      [{ A: `${marker}\uD800` }, "A"],
      [{ A: 5 }, "A"],
      [{ A: [marker] }, "A"],
    ];
    for (const method of ["PUT", "PATCH"] as const) {
      for (const [variables, place] of wrong) {
        const answer = await own.ask(method, { variables: { FINE: "1", ...variables } });
        assert.deepEqual(
          [answer.code, (answer.json as { field?: string }).field],
          ["invalid_request", "variables"],
          answer.text,
        );
        assert.ok(answer.text.includes(`variables.${place}`), answer.text);
        assert.ok(!answer.text.includes(marker), answer.text);
      }
      for (const body of [{}, { variables: null }, { variables: {}, more: 1 }, { variables: [] }, []]) {
        assert.equal((await own.ask(method, body)).code, "invalid_request");
      }
    }
    assert.equal(
      (await own.ask("PUT", { variables: { A: null } })).code,
      "invalid_request",
      "only PATCH removes",
    );
    assert.deepEqual(await own.list(), { KEPT: "1" });
  });

  test("a name that schemas would drop without a word is refused, and a broken body is not quoted", async () => {
    const own = await newVariables(cluster, account, { start: false });
    const send = (body: string | Uint8Array<ArrayBuffer>) =>
      apiRequest(cluster.centralUrl, {
        method: "PUT",
        path: `/api/projects/${own.project.id}/variables`,
        token: account.key,
        headers: { "content-type": "application/json" },
        body,
      });
    for (const body of [
      `{"variables":{"__proto__":"hunter2"}}`,
      `{"variables":{"A":"hunter2",}}`,
      `{"variables":{"A":hunter2}}`,
    ]) {
      const answer = await send(body);
      assert.equal(answer.code, "invalid_request");
      assert.ok(!answer.text.includes("hunter2"), answer.text);
    }
    const broken = Buffer.concat([
      Buffer.from(`{"variables":{"A":"`),
      Buffer.from([0xff]),
      Buffer.from(`"}}`),
    ]);
    assert.equal(
      (await send(new Uint8Array(broken))).code,
      "invalid_request",
      "what is not UTF-8 is not stored as something else",
    );
    assert.deepEqual(await own.list(), {});
  });

  test("names and values together take at most 32 KB", async () => {
    const own = await newVariables(cluster, account, { start: false });
    const whole = { A: "x".repeat(16 * 1024 - 1), B: "ç".repeat(8 * 1024 - 1), C: "" };
    assert.deepEqual((await own.set(whole)).variables, whole);
    const before = await own.list();
    for (const answer of [
      await own.ask("PUT", { variables: { ...before, D: "1" } }),
      await own.ask("PATCH", { variables: { D: "" } }),
      await own.ask("PUT", { variables: { A: "\u0001".repeat(33 * 1024) } }),
      await own.ask("PUT", { variables: { A: "x".repeat(300 * 1024) } }),
    ]) {
      assert.deepEqual([answer.status, answer.code], [413, "payload_too_large"]);
    }
    assert.deepEqual(await own.list(), before);
    await own.change({ C: null, D: "" });
  });

  test("another account's project is not found", async () => {
    const own = await newVariables(cluster, account, { start: false });
    const stranger = new VariablesOf(cluster, await cluster.createAccount({ plan: "Stack" }), own.project);
    for (const answer of [
      await stranger.ask("GET"),
      await stranger.ask("PUT", { variables: {} }),
      await stranger.ask("PATCH", { variables: {} }),
    ]) {
      assert.equal(answer.code, "not_found");
    }
  });

  test("the next start has them, and until then a restart is required", async () => {
    const own = await newVariables(cluster, account);
    assert.equal((await own.set({ A: "1", TZ: "America/Sao_Paulo" })).isRestartRequired, true);
    assert.equal(own.given()["A"], undefined, "what runs keeps what it has");
    assert.equal((await own.change({ A: "1" })).isRestartRequired, true, "it still waits");
    await own.project.restart();
    await until(() => own.given()["A"] === "1");
    await own.project.is("running");
    const { A, TZ, LANG, SVC_PROJECT_ID } = own.given();
    assert.deepEqual([A, TZ, LANG, SVC_PROJECT_ID], ["1", "America/Sao_Paulo", "C.UTF-8", own.project.id]);
    await until(async () => !(await own.change({})).isRestartRequired);
    assert.equal(
      (await own.set({ A: "1", TZ: "America/Sao_Paulo" })).isRestartRequired,
      false,
      "the same content changes nothing",
    );
    assert.equal((await own.change({ A: "2" })).isRestartRequired, true);
  });

  test("what is put back as it was waits for nothing, and starts are told apart by what variables hold", async () => {
    const own = await newVariables(cluster, account);
    assert.equal((await own.set({ A: "1" })).isRestartRequired, true);
    assert.equal((await own.set({})).isRestartRequired, false, "it was started without any");
    assert.equal((await own.set({ A: "1", B: "2" })).isRestartRequired, true);
    await own.project.restart();
    await until(() => own.given()["B"] === "2");
    await own.project.is("running");
    for (const other of [{}, { A: "1" }, { A: "2", B: "1" }, { A: "1", B: "3" }, { A: "1B2" }]) {
      assert.equal((await own.set(other)).isRestartRequired, true, JSON.stringify(other));
      assert.equal((await own.set({ B: "2", A: "1" })).isRestartRequired, false, "their order is nothing");
    }
    await own.change({ A: null });
    assert.equal((await own.change({ B: null, C: "3" })).isRestartRequired, true);
    assert.equal((await own.change({ A: "1", B: "2", C: null })).isRestartRequired, false);
    assert.equal(own.given()["C"], undefined, "nothing was started");
  });

  test("names that mean something on the way reach the program like any other", async () => {
    const own = await newVariables(cluster, account, { start: false });
    const odd = [
      "stack",
      "then",
      "toJSON",
      "constructor",
      "hasOwnProperty",
      "valueOf",
      "message",
      "error",
      "data",
      "result",
      "type",
      "id",
    ];
    const variables = Object.fromEntries(odd.map((name) => [name, `value of ${name}`]));
    await own.set(variables);
    await own.project.start();
    await own.project.is("running");
    assert.deepEqual(Object.fromEntries(odd.map((name) => [name, own.given()[name]])), variables);
  });

  test("a restart after a crash brings them, and then none is required any more", async () => {
    const own = await newVariables(cluster, account);
    const { host } = cluster;
    assert.equal((await untilHeld(host, own.project.id, () => own.set({ A: "1" }))).isRestartRequired, true);
    const patched = await account.client.updateProject({ id: own.project.id, body: { description: "now" } });
    assert.equal(patched.isRestartRequired, true, "PATCH of settings says the same");
    host.machine.kill(own.project.id, new Date());
    await own.project.when(
      ({ consecutiveCrashes, status }) => consecutiveCrashes === 1 && status === "running",
    );
    assert.equal(own.given()["A"], "1");
    assert.equal((await own.change({})).isRestartRequired, false);
    const change = () => account.client.updateProject({ id: own.project.id, body: { memoryMb: 300 } });
    assert.equal((await untilHeld(host, own.project.id, change)).isRestartRequired, true);
    host.machine.kill(own.project.id, new Date());
    await own.project.when(
      ({ consecutiveCrashes, status }) => consecutiveCrashes === 2 && status === "running",
    );
    assert.equal((await own.change({})).isRestartRequired, false);
  });

  test("on a project that is off nothing waits", async () => {
    const own = await newVariables(cluster, account, { start: false });
    assert.equal((await own.set({ A: "1" })).isRestartRequired, false);
    await own.project.start();
    await own.project.is("running");
    assert.equal(own.given()["A"], "1");
    assert.equal((await own.change({})).isRestartRequired, false);
    await own.project.stop();
    await own.project.is("stopped");
    assert.equal((await own.set({ A: "2" })).isRestartRequired, false);
  });

  test("the install step of new code has them too, and keeps them", async () => {
    const own = await newVariables(cluster, account, { config: { installCommand: "sim exit 0" } });
    await own.set({ NPM_TOKEN: "abc" });
    await own.project.upload("sim run", { installCommand: "sim exit 0" });
    await own.project.is("running");
    await until(() => own.given("install")["NPM_TOKEN"] === "abc");
    await until(() => own.given()["NPM_TOKEN"] === "abc");
    await own.project.is("running");
    assert.equal((await own.change({})).isRestartRequired, false);
  });

  test("while code is prepared a change is project_busy, and a list is not", async () => {
    const project = await SimulatedProject.create(account, "sim run", {
      start: false,
      config: { installCommand: "sim run" },
    });
    const own = new VariablesOf(cluster, account, project);
    await project.is("installing");
    assert.equal((await own.ask("PUT", { variables: { A: "1" } })).code, "project_busy");
    assert.equal((await own.ask("PATCH", { variables: { A: "1" } })).code, "project_busy");
    assert.deepEqual(await own.list(), {});
    await project.client.getProject({ id: project.id });
  });

  test("concurrent changes are all kept", async () => {
    const own = await newVariables(cluster, account, { start: false });
    const names = Array.from({ length: 12 }, (_, index) => `V${index}`);
    await Promise.all(names.map((name) => own.change({ [name]: name })));
    assert.deepEqual(await own.list(), Object.fromEntries(names.map((name) => [name, name])));
  });

  test("the activity has their names and never their values, and a change of nothing is none", async () => {
    const own = await newVariables(cluster, account, { start: false });
    const marker = "value-for-no-activity";
    await own.set({ A: marker, B: marker });
    cluster.clock.advance(1); // the rows are in the order of time
    await own.change({ A: `${marker}2`, B: null, C: marker });
    await own.change({ C: marker });
    const rows = await cluster.central.app.db
      .selectFrom("activity")
      .selectAll()
      .where("project_id", "=", own.project.id)
      .where("action", "=", "project.variables")
      .orderBy("id")
      .execute();
    assert.deepEqual(
      rows.map((row) => JSON.parse(row.after_fields ?? "null")),
      [
        { added: ["A", "B"], changed: [], removed: [] },
        { added: ["C"], changed: ["A"], removed: ["B"] },
      ],
    );
    assert.ok(!JSON.stringify(rows).includes(marker));
    assert.deepEqual(
      rows.map((row) => row.before_fields),
      [null, null],
    );
  });
});
