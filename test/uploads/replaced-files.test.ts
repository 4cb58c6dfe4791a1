/**
 * Tests that files which a program wrote and a new upload brings, too, are kept, reported, and brought back.
 */

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { projectEvent, replacedFiles, type Project } from "@tijolo/protocol";
import { CommandLine } from "../support/commands/command-line.ts";
import { TestCluster } from "../support/cluster/test-cluster.ts";
import { until } from "../support/until.ts";

let cluster: TestCluster;
before(async () => {
  cluster = await TestCluster.create();
});
after(() => cluster[Symbol.asyncDispose]());

interface Owner extends AsyncDisposable {
  line: CommandLine;
  client: ReturnType<TestCluster["client"]>;
}

/** Sets up a computer with a key that may bring files back, in a folder with a program. */
async function ownerOf(): Promise<Owner> {
  const { client, key } = await cluster.createAccount({ scopes: ["versions:rollback"] });
  const line = await CommandLine.create();
  line.environment = { TIJOLO_URL: cluster.central.url, TIJOLO_KEY: key };
  line.now = () => cluster.clock.now();
  await writeFile(join(line.folder, "svc.json"), JSON.stringify({ language: "node", command: "sim run" }));
  await writeFile(join(line.folder, "index.js"), "");
  return { line, client, [Symbol.asyncDispose]: () => line[Symbol.asyncDispose]() };
}

async function up(line: CommandLine): Promise<Project & { warnings?: string[] }> {
  const { code, stdout, stderr } = await line.run(["up", "--json"]);
  assert.equal(code, 0, stdout + stderr);
  const { project, ...others } = JSON.parse(stdout) as { project: Project };
  return { ...project, ...others };
}

const placeOf = (id: string, path: string) => join(cluster.host.dataDirectory, "projects", id, path);

/** Writes a file as the program does. */
async function writeOwn(id: string, path: string, content: string): Promise<void> {
  await mkdir(placeOf(id, "disk/app"), { recursive: true });
  await writeFile(placeOf(id, join("disk/app", path)), content);
}

suite("files that an upload replaces", () => {
  test("are named by up, in the events and in a list, and one command brings them back", async () => {
    await using owner = await ownerOf();
    const { line, client } = owner;
    await writeFile(join(line.folder, "data.db"), "empty");
    const { id, warnings } = await up(line);
    assert.match(warnings?.join() ?? "", /parecem bancos de dados: data\.db/);
    await writeOwn(id, "data.db", "rows");
    await writeFile(join(line.folder, "index.js"), "// changed");
    const second = await line.run(["up"]);
    assert.equal(second.code, 0, second.stderr);
    assert.match(second.stderr, /parecem bancos de dados: data\.db.*\.gitignore/);
    assert.match(second.stderr, /guardados por 14 dias: data\.db/);
    assert.match(second.stderr, new RegExp(`tijolo replaced restore ${id} 2`));

    const { events } = await client.listProjectEvents({ id });
    const told = events.find(({ kind }) => kind === "files_replaced");
    assert.ok(projectEvent.safeParse(told).success);
    assert.deepEqual(told?.replaced, { version: 2, count: 1, paths: ["data.db"] });
    assert.match((await line.run(["events"])).stdout, /arquivos guardados +versão 2 data\.db/);
    const { replaced } = await client.listReplacedFiles({ id });
    for (const set of replaced) assert.ok(replacedFiles.safeParse(set).success);
    assert.deepEqual(
      replaced.map(({ version, paths, sizeBytes, isRestoring }) => ({
        version,
        paths,
        sizeBytes,
        isRestoring,
      })),
      [{ version: 2, paths: ["data.db"], sizeBytes: 4, isRestoring: false }],
    );
    assert.match((await line.run(["replaced", "list"])).stdout, /^2 .* até [\s\S]*\n {2}data\.db\n$/);

    await writeOwn(id, "data.db", "newer");
    const asked = await line.run(["replaced", "restore", "2", "data.db"]);
    assert.deepEqual([asked.code, /tijolo restart/.test(asked.stdout)], [0, true], asked.stderr);
    assert.equal(await readFile(placeOf(id, "disk/app/data.db"), "utf8"), "newer");
    assert.match((await line.run(["replaced", "list", id])).stdout, /volta no próximo início/);
    const restored = await line.run(["replaced", "restore", id, "2", "--restart"]);
    assert.equal(restored.code, 0, restored.stderr);
    assert.equal(await readFile(placeOf(id, "disk/app/data.db"), "utf8"), "rows");
    assert.equal(await readFile(placeOf(id, "replaced/2/data.db"), "utf8"), "newer");
    assert.ok((await client.listProjectEvents({ id })).events.some(({ kind }) => kind === "files_restore"));
  });

  test("that the program left as they came, or that do not differ, are not told of", async () => {
    await using owner = await ownerOf();
    const { line, client } = owner;
    await writeFile(join(line.folder, "a.json"), "one");
    await writeFile(join(line.folder, "b.json"), "one");
    const { id } = await up(line);
    await writeOwn(id, "a.json", "one");
    await writeOwn(id, "b.json", "two");
    await writeFile(join(line.folder, "a.json"), "three");
    await writeFile(join(line.folder, "b.json"), "two");
    const second = await line.run(["up"]);
    assert.doesNotMatch(second.stderr, /guardados/);
    assert.deepEqual((await client.listReplacedFiles({ id })).replaced, []);
    assert.match((await line.run(["replaced", "list"])).stdout, /Nenhum arquivo guardado/);
  });

  test("are told of by the next agent, also when one was killed before it could", async () => {
    await using owner = await ownerOf();
    const { line, client } = owner;
    const { id } = await up(line);
    await client.stopProject({ id });
    await until(async () => (await client.getProject({ id })).project.status === "stopped");
    // The directory is as an agent leaves it that has moved the file and done nothing more.
    await mkdir(placeOf(id, "replaced/2"), { recursive: true });
    await writeFile(placeOf(id, "replaced/2/data.json"), "own");
    await writeFile(join(line.folder, "data.json"), "new");
    await up(line);
    const { events } = await client.listProjectEvents({ id });
    assert.deepEqual(events.find(({ kind }) => kind === "files_replaced")?.replaced?.paths, ["data.json"]);
  });

  test("are server_unavailable while the host is away, and not_found where there are none", async () => {
    await using owner = await ownerOf();
    const { line, client } = owner;
    const { id } = await up(line);
    for (const path of ["data.db", "../../../etc/passwd", "/etc/passwd"])
      await assert.rejects(client.restoreReplacedFiles({ id, version: 1, body: { path } }), {
        code: "not_found",
        message: /versão 1 trocou, nenhum assim está guardado.*tijolo replaced list/,
      });
    for (const path of ["a\u0000b", "a\nb", "", "x".repeat(1_001)])
      await assert.rejects(client.restoreReplacedFiles({ id, version: 1, body: { path } }), {
        code: "invalid_request",
      });
    await cluster.host.stop();
    try {
      await assert.rejects(client.listReplacedFiles({ id }), { code: "server_unavailable" });
      await assert.rejects(client.restoreReplacedFiles({ id, version: 1, body: {} }), {
        code: "server_unavailable",
      });
    } finally {
      await cluster.host.start();
      await cluster.untilConnected();
    }
  });

  test("go with their project", async () => {
    await using owner = await ownerOf();
    const { line } = owner;
    const { id } = await up(line);
    await writeOwn(id, "index.js", "own");
    await up(line);
    await readFile(placeOf(id, "replaced/2/index.js"), "utf8");
    await cluster.admin.deleteProject({ id });
    await until(() => !existsSync(placeOf(id, ".")));
  });
});
