/** Environment variables: their rules, how they reach the program, and what happens when they cannot be opened (spec: variables). */

import assert from "node:assert/strict";
import { readFile, rename, stat } from "node:fs/promises";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import type { OperationName, Variables } from "@tijolo/protocol";
import { apiRequest, type ApiAnswer } from "../support/api-request.ts";
import { assertContract } from "../support/assert-contract.ts";
import { filesBelow, filesWith } from "../support/files-below.ts";
import { untilHeld } from "../support/held-assignment.ts";
import { SimulatedProject, withoutUsage } from "../support/simulated-project.ts";
import { TestCluster, type TestAccount } from "../support/test-cluster.ts";
import { until } from "../support/until.ts";

interface VariablesAnswer {
  variables: Variables;
  isRestartRequired: boolean;
}

const operationNames = { GET: "listVariables", PUT: "setVariables", PATCH: "changeVariables" } as const satisfies Record<
  string,
  OperationName
>;

/** One project's variables, as its owner handles them. */
class VariablesOf {
  readonly project: SimulatedProject;
  readonly #cluster: TestCluster;
  readonly #account: TestAccount;

  constructor(cluster: TestCluster, account: TestAccount, project: SimulatedProject) {
    this.#cluster = cluster;
    this.#account = account;
    this.project = project;
  }

  async ask(method: keyof typeof operationNames, body?: unknown): Promise<ApiAnswer> {
    const answer = await apiRequest(this.#cluster.centralUrl, {
      method,
      path: `/api/projects/${this.project.id}/variables`,
      token: this.#account.key,
      ...(body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
    });
    assertContract(operationNames[method], answer);
    return answer;
  }

  async list(): Promise<Variables> {
    const answer = await this.ask("GET");
    assert.equal(answer.status, 200, answer.text);
    return (answer.json as { variables: Variables }).variables;
  }

  async set(variables: Variables): Promise<VariablesAnswer> {
    return this.#changed(await this.ask("PUT", { variables }));
  }

  async change(variables: Record<string, string | null>): Promise<VariablesAnswer> {
    return this.#changed(await this.ask("PATCH", { variables }));
  }

  /** What the newest run, or install step, was given. */
  given(step: "run" | "install" = "run"): Record<string, string> {
    return this.#cluster.host.machine.environments.get(`${step} ${this.project.id}`) ?? {};
  }

  #changed(answer: ApiAnswer): VariablesAnswer {
    assert.equal(answer.status, 200, answer.text);
    return answer.json as VariablesAnswer;
  }
}

async function create(cluster: TestCluster, account: TestAccount, command = "sim run", start = true, config: object = {}) {
  const project = await SimulatedProject.create(account, command, { start, config });
  await project.is(start ? "running" : "stopped");
  return new VariablesOf(cluster, account, project);
}

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
    const own = await create(cluster, account, "sim run", false);
    assert.deepEqual(await own.list(), {});
    assert.deepEqual((await own.set({ A: "1", B: "2" })).variables, { A: "1", B: "2" });
    assert.deepEqual((await own.change({ B: null, C: "", MISSING: null })).variables, { A: "1", C: "" });
    assert.deepEqual(await own.list(), { A: "1", C: "" });
    assert.deepEqual((await own.set({ D: "4" })).variables, { D: "4" });
    assert.deepEqual((await own.set({})).variables, {});
    assert.deepEqual(await own.list(), {});
  });

  test("values come back as they were given", async () => {
    const own = await create(cluster, account, "sim run", false);
    const odd = {
      QUOTES: `'"\`\\`,
      LINES: "a\r\nb\n\n",
      SHELL: "$(id) ${HOME} `id` ; & | #",
      TEXT: "ação 日本 \u{1F600} \u0001\u007f",
      _: " x ",
    };
    assert.deepEqual((await own.set(odd)).variables, odd);
    assert.deepEqual(await own.list(), odd);
    assert.deepEqual((await own.change({ constructor: "c", toString: "t" })).variables, { ...odd, constructor: "c", toString: "t" });
  });

  test("a name that is not valid, or the service's own, is refused by name, and so is a value that no environment can hold", async () => {
    const own = await create(cluster, account, "sim run", false);
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
        assert.deepEqual([answer.code, (answer.json as { field?: string }).field], ["invalid_request", "variables"], answer.text);
        assert.ok(answer.text.includes(`variables.${place}`), answer.text);
        assert.ok(!answer.text.includes(marker), answer.text);
      }
      for (const body of [{}, { variables: null }, { variables: {}, more: 1 }, { variables: [] }, []]) {
        assert.equal((await own.ask(method, body)).code, "invalid_request");
      }
    }
    assert.equal((await own.ask("PUT", { variables: { A: null } })).code, "invalid_request", "only PATCH removes");
    assert.deepEqual(await own.list(), { KEPT: "1" });
  });

  test("a name that schemas would drop without a word is refused, and a broken body is not quoted", async () => {
    const own = await create(cluster, account, "sim run", false);
    const send = (body: string | Uint8Array<ArrayBuffer>) =>
      apiRequest(cluster.centralUrl, {
        method: "PUT",
        path: `/api/projects/${own.project.id}/variables`,
        token: account.key,
        headers: { "content-type": "application/json" },
        body,
      });
    for (const body of [`{"variables":{"__proto__":"hunter2"}}`, `{"variables":{"A":"hunter2",}}`, `{"variables":{"A":hunter2}}`]) {
      const answer = await send(body);
      assert.equal(answer.code, "invalid_request");
      assert.ok(!answer.text.includes("hunter2"), answer.text);
    }
    const broken = Buffer.concat([Buffer.from(`{"variables":{"A":"`), Buffer.from([0xff]), Buffer.from(`"}}`)]);
    assert.equal((await send(new Uint8Array(broken))).code, "invalid_request", "what is not UTF-8 is not stored as something else");
    assert.deepEqual(await own.list(), {});
  });

  test("names and values together take at most 32 KB", async () => {
    const own = await create(cluster, account, "sim run", false);
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
    const own = await create(cluster, account, "sim run", false);
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
    const own = await create(cluster, account);
    assert.equal((await own.set({ A: "1", TZ: "America/Sao_Paulo" })).isRestartRequired, true);
    assert.equal(own.given()["A"], undefined, "what runs keeps what it has");
    assert.equal((await own.change({ A: "1" })).isRestartRequired, true, "it still waits");
    await own.project.restart();
    await until(() => own.given()["A"] === "1");
    await own.project.is("running");
    const { A, TZ, LANG, SVC_PROJECT_ID } = own.given();
    assert.deepEqual([A, TZ, LANG, SVC_PROJECT_ID], ["1", "America/Sao_Paulo", "C.UTF-8", own.project.id]);
    await until(async () => !(await own.change({})).isRestartRequired);
    assert.equal((await own.set({ A: "1", TZ: "America/Sao_Paulo" })).isRestartRequired, false, "the same content changes nothing");
    assert.equal((await own.change({ A: "2" })).isRestartRequired, true);
  });

  test("names that mean something on the way reach the program like any other", async () => {
    const own = await create(cluster, account, "sim run", false);
    const odd = ["stack", "then", "toJSON", "constructor", "hasOwnProperty", "valueOf", "message", "error", "data", "result", "type", "id"];
    const variables = Object.fromEntries(odd.map((name) => [name, `value of ${name}`]));
    await own.set(variables);
    await own.project.start();
    await own.project.is("running");
    assert.deepEqual(Object.fromEntries(odd.map((name) => [name, own.given()[name]])), variables);
  });

  test("a restart after a crash brings them, and then none is required any more", async () => {
    const own = await create(cluster, account);
    const { host } = cluster;
    assert.equal((await untilHeld(host, own.project.id, () => own.set({ A: "1" }))).isRestartRequired, true);
    const patched = await account.client.updateProject({ id: own.project.id, body: { description: "now" } });
    assert.equal(patched.isRestartRequired, true, "PATCH of settings says the same");
    host.machine.kill(own.project.id, new Date());
    await own.project.when(({ consecutiveCrashes, status }) => consecutiveCrashes === 1 && status === "running");
    assert.equal(own.given()["A"], "1");
    assert.equal((await own.change({})).isRestartRequired, false);
    const change = () => account.client.updateProject({ id: own.project.id, body: { memoryMb: 300 } });
    assert.equal((await untilHeld(host, own.project.id, change)).isRestartRequired, true);
    host.machine.kill(own.project.id, new Date());
    await own.project.when(({ consecutiveCrashes, status }) => consecutiveCrashes === 2 && status === "running");
    assert.equal((await own.change({})).isRestartRequired, false);
  });

  test("on a project that is off nothing waits", async () => {
    const own = await create(cluster, account, "sim run", false);
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
    const own = await create(cluster, account, "sim run", true, { installCommand: "sim exit 0" });
    await own.set({ NPM_TOKEN: "abc" });
    await own.project.upload("sim run", { installCommand: "sim exit 0" });
    await own.project.is("running");
    await until(() => own.given("install")["NPM_TOKEN"] === "abc");
    await until(() => own.given()["NPM_TOKEN"] === "abc");
    await own.project.is("running");
    assert.equal((await own.change({})).isRestartRequired, false);
  });

  test("while code is prepared a change is project_busy, and a list is not", async () => {
    const project = await SimulatedProject.create(account, "sim run", { start: false, config: { installCommand: "sim run" } });
    const own = new VariablesOf(cluster, account, project);
    await project.is("installing");
    assert.equal((await own.ask("PUT", { variables: { A: "1" } })).code, "project_busy");
    assert.equal((await own.ask("PATCH", { variables: { A: "1" } })).code, "project_busy");
    assert.deepEqual(await own.list(), {});
    await project.client.getProject({ id: project.id });
  });

  test("concurrent changes are all kept", async () => {
    const own = await create(cluster, account, "sim run", false);
    const names = Array.from({ length: 12 }, (_, index) => `V${index}`);
    await Promise.all(names.map((name) => own.change({ [name]: name })));
    assert.deepEqual(await own.list(), Object.fromEntries(names.map((name) => [name, name])));
  });

  test("the activity has their names and never their values, and a change of nothing is none", async () => {
    const own = await create(cluster, account, "sim run", false);
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

suite("variables in storage", () => {
  test("central's files do not hold them in the clear, and the host's only for root", async () => {
    await using cluster = await TestCluster.create();
    const account = await cluster.createAccount({ plan: "Empresas" });
    const own = await create(cluster, account);
    const marker = "marker-3f9a71c2";
    await own.set({ SECRET: marker });
    await own.change({ OTHER: marker });
    await own.project.restart();
    await until(() => own.given()["OTHER"] === marker);
    await cluster.stopCentral();

    const inCentral = await filesWith(await filesBelow(join(cluster.directory, "central")), marker);
    assert.deepEqual(inCentral, []);
    assert.deepEqual(
      await filesWith(await filesBelow(join(cluster.directory, "central")), own.project.id).then((files) => files.length > 0),
      true,
      "the search finds",
    );
    const { mode } = await stat(join(cluster.directory, "central", "master-keys"));
    assert.equal(mode & 0o777, 0o600);
    const onHost = await filesWith(await filesBelow(cluster.host.dataDirectory), marker);
    assert.ok(onHost.length > 0, "the agent has to know them without central");
    for (const path of onHost) assert.equal((await stat(path)).mode & 0o077, 0, path);
    await cluster.startCentral();
    assert.deepEqual(await own.list(), { SECRET: marker, OTHER: marker });
  });

  test("a host that is away answers server_unavailable, and nothing changes", async () => {
    await using cluster = await TestCluster.create();
    const own = await create(cluster, await cluster.createAccount({ plan: "Empresas" }));
    await own.set({ A: "1" });
    await cluster.host.stop();
    await until(async () => (await cluster.connectedHosts()) === 0);
    assert.equal((await own.ask("PUT", { variables: { A: "2" } })).code, "server_unavailable");
    assert.equal((await own.ask("PATCH", { variables: { A: "2" } })).code, "server_unavailable");
    assert.deepEqual(await own.list(), { A: "1" });
  });

  test("with the master key gone everything that needs them answers variables_unavailable, and nothing is stored", async () => {
    await using cluster = await TestCluster.create();
    const account = await cluster.createAccount({ plan: "Empresas", scopes: [...scopes] });
    const own = await create(cluster, account);
    const bare = await create(cluster, account, "sim run", false);
    await own.set({ A: "1" });
    await own.project.restart();
    await until(() => own.given()["A"] === "1");
    await own.project.is("running");
    const stored = () => cluster.central.app.db.selectFrom("project_variables").selectAll().execute();
    const before = await stored();
    const keyFile = join(cluster.directory, "central", "master-keys");
    await cluster.stopCentral();
    await rename(keyFile, `${keyFile}.away`);
    await cluster.startCentral();
    await until(async () => (await cluster.connectedHosts()) === 1);

    const project = await own.project.get();
    for (const answer of [
      await own.ask("GET"),
      await own.ask("PUT", { variables: { A: "2" } }),
      await own.ask("PATCH", { variables: {} }),
    ]) {
      assert.deepEqual([answer.status, answer.code], [503, "variables_unavailable"]);
    }
    assert.equal((await bare.ask("PUT", { variables: { B: "1" } })).code, "variables_unavailable", "there is no key to seal with");
    assert.deepEqual(await bare.list(), {});
    await assert.rejects(own.project.restart(), { code: "variables_unavailable" });
    await assert.rejects(own.project.upload("sim run"), { code: "variables_unavailable" });
    await assert.rejects(stat(keyFile), { code: "ENOENT" }, "no other key takes its place");
    await assert.rejects(cluster.admin("rotateMasterKey"));
    assert.deepEqual(await stored(), before);
    assert.deepEqual(withoutUsage(await own.project.get()), withoutUsage(project));

    // The host goes on with what it knows, also over a crash and over its agent's restart.
    await cluster.host.stop();
    await cluster.host.start();
    await until(async () => (await cluster.connectedHosts()) === 1);
    cluster.host.machine.kill(own.project.id, new Date());
    await own.project.when(({ consecutiveCrashes, status }) => consecutiveCrashes === 1 && status === "running");
    assert.equal(own.given()["A"], "1");
    await own.project.stop();
    await own.project.is("stopped");
    await assert.rejects(own.project.start(), { code: "variables_unavailable" });
    const fresh = await create(cluster, account);
    assert.equal((await fresh.project.get()).status, "running", "a project without variables needs no key");

    await cluster.stopCentral();
    await rename(`${keyFile}.away`, keyFile);
    await cluster.startCentral();
    await until(async () => (await cluster.connectedHosts()) === 1);
    assert.deepEqual(await own.list(), { A: "1" });
    await own.project.start();
    await own.project.is("running");
    assert.equal((await own.set({ A: "2" })).isRestartRequired, true);
  });

  test("a ciphertext that is damaged, or another project's, does not open", async () => {
    await using cluster = await TestCluster.create();
    const account = await cluster.createAccount({ plan: "Empresas" });
    const [own, other] = [await create(cluster, account), await create(cluster, account)];
    await own.set({ A: "1" });
    await other.set({ B: "2" });
    const { db } = cluster.central.app;
    const of = (id: string) => db.selectFrom("project_variables").selectAll().where("project_id", "=", id).executeTakeFirstOrThrow();
    const write = (id: string, ciphertext: string) =>
      db.updateTable("project_variables").set({ ciphertext }).where("project_id", "=", id).execute();
    const [mine, theirs] = [await of(own.project.id), await of(other.project.id)];
    const flipped = Buffer.from(mine.ciphertext, "base64");
    flipped[20] = (flipped[20] ?? 0) ^ 1;
    for (const ciphertext of [theirs.ciphertext, flipped.toString("base64"), mine.ciphertext.slice(0, 40), "", "AAAA"]) {
      await write(own.project.id, ciphertext);
      assert.equal((await own.ask("GET")).code, "variables_unavailable", ciphertext);
      assert.equal((await own.ask("PUT", { variables: {} })).code, "variables_unavailable");
      await assert.rejects(own.project.restart(), { code: "variables_unavailable" });
    }
    assert.deepEqual(await other.list(), { B: "2" });
    await write(own.project.id, mine.ciphertext);
    assert.deepEqual(await own.list(), { A: "1" });
  });

  test("a rotation of central's own key changes neither variables nor what runs, and takes the old key away", async () => {
    await using cluster = await TestCluster.create();
    const account = await cluster.createAccount({ plan: "Empresas" });
    const own = await create(cluster, account);
    await own.set({ A: "1" });
    await own.project.restart();
    await until(() => own.given()["A"] === "1");
    await own.project.is("running");
    const starts = cluster.host.machine.startCounts.get(own.project.id);
    const keyFile = join(cluster.directory, "central", "master-keys");
    const [oldId] = (await readFile(keyFile, "utf8")).split(" ");
    assert.deepEqual(await cluster.admin("listMasterKeys"), {
      source: "own",
      currentKeyId: oldId,
      keys: [{ id: oldId, isKnown: true, documents: 1 }],
    });
    const rotated = (await cluster.admin("rotateMasterKey")) as {
      currentKeyId: string;
      resealed: number;
      unreadable: number;
      keys: unknown[];
    };
    assert.notEqual(rotated.currentKeyId, oldId);
    assert.deepEqual([rotated.resealed, rotated.unreadable], [1, 0]);
    assert.deepEqual(rotated.keys, [{ id: rotated.currentKeyId, isKnown: true, documents: 1 }]);
    const lines = (await readFile(keyFile, "utf8")).trim().split("\n");
    assert.deepEqual([lines.length, lines[0]?.split(" ")[0]], [1, rotated.currentKeyId]);
    assert.equal((await stat(keyFile)).mode & 0o777, 0o600);
    assert.deepEqual(await own.list(), { A: "1" });
    assert.equal((await own.change({})).isRestartRequired, false);
    await cluster.stopCentral();
    await cluster.startCentral();
    await until(async () => (await cluster.connectedHosts()) === 1);
    assert.deepEqual(await own.list(), { A: "1" });
    assert.equal(cluster.host.machine.startCounts.get(own.project.id), starts, "nothing was restarted");
  });
});
