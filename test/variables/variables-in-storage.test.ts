/**
 * Tests variables where they are stored: sealed in central, for root only on the host, and what is answered
 * when they cannot be opened (spec: variables).
 */

import assert from "node:assert/strict";
import { readFile, rename, stat } from "node:fs/promises";
import { join } from "node:path";
import { suite, test } from "node:test";
import { filesBelow, filesWith } from "../support/machine/files-below.ts";
import { withoutUsage } from "../support/projects/simulated-project.ts";
import { certificatesAtStart } from "../support/cluster/certificates-at-start.ts";
import { TestCluster } from "../support/cluster/test-cluster.ts";
import { until } from "../support/until.ts";
import { newVariables } from "../support/projects/variables-of.ts";

suite("variables in storage", () => {
  test("central's files do not hold them in the clear, and the host's only for root", async () => {
    await using cluster = await TestCluster.create();
    const account = await cluster.createAccount({ plan: "Empresas" });
    const own = await newVariables(cluster, account);
    const marker = "marker-3f9a71c2";
    await own.set({ SECRET: marker });
    await own.change({ OTHER: marker });
    await own.project.restart();
    await until(() => own.given()["OTHER"] === marker);
    await cluster.stopCentral();

    const inCentral = await filesWith(await filesBelow(join(cluster.directory, "central")), marker);
    assert.deepEqual(inCentral, []);
    assert.deepEqual(
      await filesWith(await filesBelow(join(cluster.directory, "central")), own.project.id).then(
        (files) => files.length > 0,
      ),
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
    const own = await newVariables(cluster, await cluster.createAccount({ plan: "Empresas" }));
    await own.set({ A: "1" });
    await cluster.host.stop();
    await until(async () => (await cluster.connectedHosts()) === 0);
    assert.equal((await own.ask("PUT", { variables: { A: "2" } })).code, "server_unavailable");
    assert.equal((await own.ask("PATCH", { variables: { A: "2" } })).code, "server_unavailable");
    assert.deepEqual(await own.list(), { A: "1" });
  });

  test("with the master key gone everything that needs them answers variables_unavailable, and nothing is stored", async () => {
    await using cluster = await TestCluster.create();
    const account = await cluster.createAccount({
      plan: "Empresas",
      scopes: ["projects:settings", "activity:read"],
    });
    const own = await newVariables(cluster, account);
    const bare = await newVariables(cluster, account, { start: false });
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
    assert.equal(
      (await bare.ask("PUT", { variables: { B: "1" } })).code,
      "variables_unavailable",
      "there is no key to seal with",
    );
    assert.deepEqual(await bare.list(), {});
    await assert.rejects(own.project.restart(), { code: "variables_unavailable" });
    await assert.rejects(own.project.upload("sim run"), { code: "variables_unavailable" });
    await assert.rejects(stat(keyFile), { code: "ENOENT" }, "no other key takes its place");
    await assert.rejects(cluster.admin.rotateMasterKey());
    assert.deepEqual(await stored(), before);
    assert.deepEqual(withoutUsage(await own.project.get()), withoutUsage(project));

    // The host goes on with what it knows, also over a crash and over its agent's restart.
    await cluster.host.stop();
    await cluster.host.start();
    await until(async () => (await cluster.connectedHosts()) === 1);
    cluster.host.machine.kill(own.project.id, new Date());
    await own.project.when(
      ({ consecutiveCrashes, status }) => consecutiveCrashes === 1 && status === "running",
    );
    assert.equal(own.given()["A"], "1");
    await own.project.stop();
    await own.project.is("stopped");
    await assert.rejects(own.project.start(), { code: "variables_unavailable" });
    const fresh = await newVariables(cluster, account);
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
    const [own, other] = [await newVariables(cluster, account), await newVariables(cluster, account)];
    await own.set({ A: "1" });
    await other.set({ B: "2" });
    const { db } = cluster.central.app;
    const of = (id: string) =>
      db.selectFrom("project_variables").selectAll().where("project_id", "=", id).executeTakeFirstOrThrow();
    const write = (id: string, ciphertext: string) =>
      db.updateTable("project_variables").set({ ciphertext }).where("project_id", "=", id).execute();
    const [mine, theirs] = [await of(own.project.id), await of(other.project.id)];
    const flipped = Buffer.from(mine.ciphertext, "base64");
    flipped[20] = (flipped[20] ?? 0) ^ 1;
    for (const ciphertext of [
      theirs.ciphertext,
      flipped.toString("base64"),
      mine.ciphertext.slice(0, 40),
      "",
      "AAAA",
    ]) {
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
    const own = await newVariables(cluster, account);
    await own.set({ A: "1" });
    await own.project.restart();
    await until(() => own.given()["A"] === "1");
    await own.project.is("running");
    const starts = cluster.host.machine.startCounts.get(own.project.id);
    const keyFile = join(cluster.directory, "central", "master-keys");
    const [oldId] = (await readFile(keyFile, "utf8")).split(" ");
    assert.deepEqual(await cluster.admin.getMasterKeys(), {
      source: "own",
      currentKeyId: oldId,
      keys: [{ id: oldId, isKnown: true, documents: 1 + certificatesAtStart }],
    });
    const rotated = await cluster.admin.rotateMasterKey();
    assert.notEqual(rotated.currentKeyId, oldId);
    assert.deepEqual([rotated.resealed, rotated.unreadable], [1 + certificatesAtStart, 0]);
    assert.deepEqual(rotated.keys, [
      { id: rotated.currentKeyId, isKnown: true, documents: 1 + certificatesAtStart },
    ]);
    const lines = (await readFile(keyFile, "utf8")).trim().split("\n");
    assert.deepEqual([lines.length, lines[0]?.split(" ")[0]], [1, rotated.currentKeyId]);
    assert.equal((await stat(keyFile)).mode & 0o777, 0o600);
    assert.deepEqual(await own.list(), { A: "1" });
    assert.equal((await own.change({})).isRestartRequired, false);
    await cluster.stopCentral();
    await cluster.startCentral();
    await until(async () => (await cluster.connectedHosts()) === 1);
    assert.deepEqual(await own.list(), { A: "1" });
    assert.equal((await own.change({})).isRestartRequired, false);
    assert.equal(cluster.host.machine.startCounts.get(own.project.id), starts, "nothing was restarted");
  });

  test("what names a project's variables says nothing of them without the key, and one of an earlier central stays good", async () => {
    await using cluster = await TestCluster.create();
    const account = await cluster.createAccount({ plan: "Empresas" });
    const [own, other] = [await newVariables(cluster, account), await newVariables(cluster, account)];
    const { db } = cluster.central.app;
    const revisionOf = async (id: string) =>
      (
        await db
          .selectFrom("project_variables")
          .select("revision")
          .where("project_id", "=", id)
          .executeTakeFirst()
      )?.revision;
    await own.set({ A: "1", B: "2" });
    const first = await revisionOf(own.project.id);
    await other.set({ A: "1", B: "2" });
    assert.notEqual(await revisionOf(other.project.id), first, "two projects cannot be compared by it");
    await own.set({ A: "2" });
    assert.notEqual(await revisionOf(own.project.id), first);
    await own.set({ B: "2", A: "1" });
    assert.equal(await revisionOf(own.project.id), first);
    await cluster.admin.rotateMasterKey();
    assert.equal(await revisionOf(own.project.id), first, "what is wanted of hosts stays the same");
    await own.set({ A: "2" });
    await own.set({ A: "1", B: "2" });
    assert.notEqual(await revisionOf(own.project.id), first, "it is made with the key");
    await own.set({});
    assert.equal(await revisionOf(own.project.id), undefined, "as of a project that never had any");

    await other.project.restart();
    await other.project.is("running");
    await db
      .updateTable("project_variables")
      .set({ revision: "01JEARLIER" })
      .where("project_id", "=", other.project.id)
      .execute();
    await other.project.restart();
    await until(() => cluster.host.machine.startCounts.get(other.project.id) === 3);
    await other.project.is("running");
    assert.equal((await other.change({ A: "1" })).isRestartRequired, false);
    assert.equal(await revisionOf(other.project.id), "01JEARLIER");
    assert.equal((await other.change({ A: "2" })).isRestartRequired, true);
  });
});
