/**
 * Two agents on one machine are two hosts, and neither needs the other; nothing that is uploaded reaches the
 * machine itself.
 */

import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { hostileArchives } from "../../support/archives/hostile-archives.ts";
import { findTraces } from "../../support/machine/machine-traces.ts";
import type { TestAccount } from "../../support/cluster/operator.ts";
import { until } from "../../support/until.ts";
import { DeployedProject, nodeProgram, shellBot, type Upload } from "../support/projects/deployed-project.ts";
import { RealCluster } from "../support/cluster/real-cluster.ts";
import type { RealHost } from "../support/cluster/real-host.ts";
import { visit } from "../support/projects/visit.ts";

let cluster: RealCluster;
let account: TestAccount;
before(async () => {
  cluster = await RealCluster.create({ hosts: 2 });
  account = await cluster.createAccount();
});
after(() => cluster[Symbol.asyncDispose]());

const deploy = (upload: Upload) => DeployedProject.create(account.client, upload);
const deleteProject = ({ id }: DeployedProject) => cluster.operator.client().deleteProject({ id });

/** Returns where the text would be a file, if a shell or a path of the host had read it. */
const planted = () => join(tmpdir(), `planted-${cluster.name}`);

test("commands in names, paths and settings run nowhere but in the project's own container", async () => {
  const touch = `touch ${planted()}`;
  const hostile = [
    `$(${touch})`,
    `\`${touch}\``,
    `; ${touch} ;`,
    `| ${touch}`,
    `' ; ${touch} ; '`,
    `" ; ${touch} ; "`,
    `--help`,
    `%s {{7*7}}`,
  ];
  for (const text of hostile) {
    const short = text.slice(0, 40);
    const project = await deploy({
      files: {
        [`src/${text.replaceAll("/", "_").slice(0, 100)}.js`]: "",
        "index.js": `console.log("up"); setInterval(() => {}, 1000);`,
      },
      config: {
        language: "node",
        version: "24",
        entry: "index.js",
        name: short,
        description: text,
        installCommand: `echo ${JSON.stringify(text)}`,
      },
    });
    await project.prints("up");
    const { name, description } = await project.get();
    assert.deepEqual([name, description], [short.trim(), text]);
    await deleteProject(project);
  }
  // It does run where it belongs.
  const inside = await deploy(shellBot(`mkdir -p ${tmpdir()}; ${touch}; ls ${planted()}; exec sleep 100000`));
  await inside.prints(planted());
  await deleteProject(inside);
  assert.ok(!existsSync(planted()));
});

test("a start file with a command for a name is refused or not found, and no line can be added to any setting", async () => {
  const entry = `$(touch ${planted()}).js`;
  const { error } = await // What an install runs might make the file.
  (
    await deploy({
      files: { "index.js": "" },
      config: { language: "node", version: "24", entry, installCommand: "true" },
    })
  ).is("error");
  assert.equal(error?.code, "start_failed");
  for (const field of ["name", "command", "entry", "installCommand", "root"]) {
    const config = { language: "node", version: "24", command: "true", [field]: `a\ntouch ${planted()}` };
    await assert.rejects(deploy({ config }), { code: "invalid_config" }, field);
  }
  // Several lines of description are text like any other.
  const described = await deploy({
    config: { language: "node", version: "24", command: "true", description: `a\ntouch ${planted()}` },
  });
  await described.when(({ lastExit }) => lastExit !== null);
  assert.ok(!existsSync(planted()));
});

test("hostile archives are refused over HTTP with their reason, and nothing of them stays", async () => {
  const chosen = [
    "a name that climbs out",
    "an absolute name",
    "a climbing name with backslashes",
    "a symbolic link",
    "a character device",
    "a file that grows a thousandfold",
    "a million entries by its end record",
    "a local header with another name",
    "an encrypted entry",
    "text",
    "an empty file",
  ];
  const archives = hostileArchives().filter(({ name }) => chosen.includes(name));
  assert.equal(archives.length, chosen.length);
  const objects = () =>
    readdirSync(join(cluster.directory, "central", "objects"), { recursive: true }).length;
  const before = objects();
  for (const { name, bytes, code, reason, proof } of archives) {
    assert.ok(proof(bytes), name);
    const refused = account.client.createProject({
      fields: { language: "node", command: "true" },
      file: new File([new Uint8Array(bytes)], "x.zip"),
    });
    await assert.rejects(refused, (error: { code?: string; extra?: { reason?: string } }) => {
      assert.equal(error.code, code, name);
      if (reason !== undefined) assert.equal(error.extra?.reason, reason, name);
      return true;
    });
  }
  assert.equal(objects(), before);
});

test("projects are placed on both hosts, and each survives the removal of the other host", async () => {
  const source = `require("http").createServer((_, response) => response.end(process.env.NAME ?? "here")).listen(process.env.PORT, process.env.HOST, () => console.log("up"));`;
  const names = ["site-a", "site-b", "site-c", "site-d"];
  const projects = await Promise.all(
    names.map((subdomain) => deploy(nodeProgram(source, { type: "site", subdomain }))),
  );
  for (const project of projects) await project.prints("up");
  const [first, second] = cluster.hosts as [RealHost, RealHost];
  const on = (host: RealHost) => projects.filter(({ id }) => host.pidsOf(id).length > 0);
  assert.deepEqual([on(first).length, on(second).length], [2, 2]);
  for (const name of names) assert.equal((await visit(cluster.gatewayPort, name)).text, "here");

  const staying = on(first);
  const leaving = on(second);
  const pids = staying.map(({ id }) => first.pidsOf(id));
  const tables = () =>
    findTraces([first.name]).filter(({ kind }) => kind === "nftables table" || kind === "interface").length;
  const kernel = tables();
  const revoked = (await cluster.operator.hosts()).find(({ name }) => name === second.name);
  await cluster.operator.client().revokeHost({ host: revoked?.id ?? "" });
  await second.wipe();
  await until(() => findTraces([second.name]).every(({ kind }) => kind === "file"));

  assert.deepEqual(
    staying.map(({ id }) => first.pidsOf(id)),
    pids,
  );
  assert.equal(tables(), kernel);
  for (const project of staying) {
    const { subdomain } = await project.is("running");
    assert.equal((await visit(cluster.gatewayPort, subdomain ?? "")).text, "here");
    await account.client.restartProject({ id: project.id });
    await project.is("running");
  }
  for (const { id } of leaving) {
    await until(
      () =>
        account.client.stopProject({ id }).then(
          () => false,
          (error: { code?: string }) => error.code === "server_unavailable",
        ),
      { everyMs: 50 },
    );
  }
});
