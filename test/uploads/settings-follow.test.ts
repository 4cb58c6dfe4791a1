/** Tests that a project's settings follow its svc.json, and what an upload decides by the files beside it. */

import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { ApiError, type Project } from "@tijolo/protocol";
import { apiRequest } from "../support/requests/api-request.ts";
import { heldAssignment } from "../support/ledger/held-assignment.ts";
import { SimulatedProject } from "../support/projects/simulated-project.ts";
import { TestCluster, type TestAccount } from "../support/cluster/test-cluster.ts";
import { until } from "../support/until.ts";
import { zipOf } from "../support/archives/zip-of.ts";

let cluster: TestCluster;
let account: TestAccount;
before(async () => {
  cluster = await TestCluster.create({ centralSettings: { TIJOLO_MORE_SYSTEM_PACKAGES: "ffmpeg" } });
  account = await cluster.createAccount({
    plan: "Empresas",
    scopes: ["projects:settings", "versions:rollback"],
  });
});
after(() => cluster[Symbol.asyncDispose]());

type Files = Record<string, string>;

const fileOf = async (svcJson: object | string | null, files: Files = {}): Promise<File> => {
  const text = typeof svcJson === "string" ? svcJson : JSON.stringify(svcJson);
  return new File([await zipOf({ ...files, ...(svcJson === null ? {} : { "svc.json": text }) })], "bot.zip");
};

const create = async (svcJson: object | string, files: Files = { "index.js": "" }): Promise<Project> =>
  (await account.client.createProject({ fields: {}, file: await fileOf(svcJson, files) })).project;

/** Sends new code to a project that is at rest. */
const upload = async (
  { id }: Pick<Project, "id">,
  svcJson: object | null,
  { fields = {}, files = { "index.js": "" } }: { fields?: object; files?: Files } = {},
): Promise<Project> => {
  await new SimulatedProject(account.client, id).is("stopped");
  return (await account.client.uploadCode({ id, fields, file: await fileOf(svcJson, files) })).project;
};

const patch = async ({ id }: Pick<Project, "id">, body: object): Promise<Project> => {
  await new SimulatedProject(account.client, id).is("stopped");
  return (await account.client.updateProject({ id, body })).project;
};

/** Returns the field and the text of the refusal. */
const refusal = async (asked: Promise<unknown>): Promise<[field: unknown, message: string]> => {
  const error: unknown = await asked.then(
    () => undefined,
    (cause: unknown) => cause,
  );
  assert.ok(error instanceof ApiError && error.code === "invalid_config", String(error));
  return [error.extra["field"], error.message];
};

const node = { language: "node", command: "sim run" };

suite("settings follow svc.json", { concurrency: 4 }, () => {
  test("what it names no more returns to its default, and what a PATCH or the form set stays", async () => {
    const settings = {
      memoryMb: 300,
      description: "text",
      systemPackages: ["git"],
      installCommand: "sim exit 0",
    };
    const project = await create({ ...node, name: "bot", ...settings });
    await patch(project, { memoryMb: 400 });
    const first = await upload(project, { ...node, systemPackages: ["git", "zip"] });
    assert.deepEqual(
      [first.memoryMb, first.description, first.systemPackages, first.installCommand, first.name],
      [400, "", ["git", "zip"], null, "bot"],
    );
    const second = await upload(project, node, { fields: { systemPackages: "curl" } });
    assert.deepEqual(second.systemPackages, ["curl"]);
    const third = await upload(project, node);
    assert.deepEqual([third.systemPackages, third.memoryMb], [["curl"], 400]);
  });

  test("after a rollback, too, what a PATCH had set stays, and what came with the code follows it", async () => {
    const project = await create({ ...node, memoryMb: 300, installCommand: "sim exit 0" });
    await upload(project, { ...node, memoryMb: 300 });
    await patch(project, { memoryMb: 400 });
    await new SimulatedProject(account.client, project.id).is("stopped");
    const { project: back } = await account.client.rollbackProject({ id: project.id, number: 1 });
    assert.deepEqual([back.memoryMb, back.installCommand], [400, "sim exit 0"]);
    const next = await upload(project, node);
    assert.deepEqual([next.memoryMb, next.installCommand], [400, null]);
  });

  test("an upload without an svc.json changes nothing, and the next one with it compares with the last that was", async () => {
    const project = await create({ ...node, memoryMb: 300 });
    assert.equal((await upload(project, null)).memoryMb, 300);
    assert.equal((await upload(project, node)).memoryMb, 256);
  });

  test("a type, a port and a start that it names no more go, where the project has another", async () => {
    const site = await create({ language: "php", type: "site", entry: "a.php", port: 3000 }, { "a.php": "" });
    const files = { "index.php": "" };
    const opened = await upload(site, { language: "php", type: "site" }, { files });
    assert.deepEqual([opened.entry, opened.command, opened.port], [null, "php-server", 8080]);
    const bot = await upload(site, { language: "php", command: "sim run" }, { files });
    assert.deepEqual([bot.type, bot.port, bot.subdomain], ["bot", null, null]);
    const kept = await upload(bot, { language: "php" }, { files });
    assert.equal(kept.command, "sim run", "a bot has no other start");
  });

  test("null resets a field in svc.json, and an empty text in the form", async () => {
    const project = await create({ ...node, memoryMb: 300, version: "22", description: "text" });
    const first = await upload(project, { ...node, memoryMb: null, version: null, description: null });
    assert.deepEqual([first.memoryMb, first.version, first.description], [256, "24", ""]);
    await patch(project, { memoryMb: 400, version: "22", installCommand: "" });
    const fields = { memoryMb: "", version: "", type: "", onFailure: "", port: "" };
    const { key } = account;
    await new SimulatedProject(account.client, project.id).is("stopped");
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    form.append("file", await fileOf(null, { "index.js": "" }));
    const answer = await fetch(`${cluster.centralUrl}/api/projects/${project.id}/code`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}` },
      body: form,
    });
    const body = await answer.text();
    assert.equal(answer.status, 202, body);
    const reset = (JSON.parse(body) as { project: Project }).project;
    assert.deepEqual([reset.memoryMb, reset.version, reset.installCommand], [256, "24", ""]);
    const automatic = await upload(project, { ...node, installCommand: null });
    assert.equal(automatic.installCommand, null);
  });

  test("onFailure reaches the host at once, waits for no restart, and null resets it", async () => {
    const project = await SimulatedProject.create(account, "sim run", { config: { onFailure: "keep" } });
    await project.is("running");
    const held = () => heldAssignment(cluster.host, project.id)?.settings.onFailure;
    assert.equal(held(), "keep");
    for (const [onFailure, expected] of [
      ["return", "return"],
      ["keep", "keep"],
      [null, "return"],
    ] as const) {
      const { isRestartRequired } = await account.client.updateProject({
        id: project.id,
        body: { onFailure },
      });
      assert.equal(isRestartRequired, false);
      await until(() => held() === expected);
    }
    await project.upload("sim run", { onFailure: "keep" });
    await until(() => held() === "keep");
    await project.is("running");
    await project.upload("sim run");
    await until(() => held() === "return");
  });
});

suite("the files of an upload", { concurrency: 4 }, () => {
  test("choose the version that nobody names, and the install log says so", async () => {
    const project = await create(node, { "index.js": "", ".nvmrc": "v22.3.0\n" });
    assert.equal(project.version, "22");
    const log = await until(async () => {
      const { lines } = await account.client.streamLogs.page({
        id: project.id,
        query: { section: "install", q: ".nvmrc" },
      });
      return lines.length > 0 && lines.map(({ text }) => text).join("\n");
    });
    assert.match(log, /node 22.*\.nvmrc: v22\.3\.0/);
    const engines = (range: string) => ({
      files: { "index.js": "", "package.json": JSON.stringify({ engines: { node: range } }) },
    });
    assert.equal((await upload(project, node, engines(">=20 <22"))).version, "20");
    assert.equal((await upload(project, node, engines("12.x"))).version, "24");
    assert.equal((await upload(project, { ...node, version: "26" }, engines("20"))).version, "26");
    assert.equal((await upload(project, null, engines("20"))).version, "26", "the last svc.json names it");
    assert.equal((await upload(project, node, engines("20"))).version, "20");
    await patch(project, { version: "22" });
    assert.equal((await upload(project, node, engines("20"))).version, "22");
    const python = await create(
      { language: "python", entry: "a.py" },
      { "a.py": "", "runtime.txt": "python-3.11.4" },
    );
    assert.equal(python.version, "3.11");
  });

  test("must have the entry or the root, unless the install may make it", async () => {
    const entry = { language: "node", entry: "index.js" };
    const [field, message] = await refusal(create(entry, { "src/index.js": "" }));
    assert.equal(field, "entry");
    assert.match(message, /index\.js não está no \.zip; há src\/index\.js\./);
    assert.equal((await refusal(create({ language: "node", command: "node a.js" }, {})))[0], "entry");
    const [root, said] = await refusal(
      create({ language: "static", root: "public" }, { "dist/index.html": "" }),
    );
    assert.equal(root, "root");
    assert.match(said, /public não está no \.zip; há dist\./);
    const built = { "package.json": JSON.stringify({ scripts: { build: "tsc" } }) };
    assert.equal(
      (await create({ language: "node", entry: "dist/a.js", installCommand: "sim exit 0" }, {})).entry,
      "dist/a.js",
    );
    assert.equal((await create({ language: "node", entry: "dist/a.js" }, built)).entry, "dist/a.js");
  });

  test("of new code too, also without settings; a file that the program may have written is not asked for", async () => {
    const project = await create({ language: "node", entry: "index.js" });
    for (const svcJson of [
      null,
      { language: "node", entry: "index.js" },
      { language: "node", entry: "b.js" },
    ])
      assert.equal((await refusal(upload(project, svcJson, { files: { "main.js": "" } })))[0], "entry");
    assert.equal((await patch(project, { entry: "written.js" })).entry, "written.js");
    const updated = await upload(project, null, { files: { "main.js": "" } });
    assert.equal(updated.entry, "written.js");
    assert.equal((await upload(project, null, { files: { "written.js": "" } })).entry, "written.js");
    assert.equal((await refusal(upload(project, null, { files: { "main.js": "" } })))[0], "entry");
  });
});

test("an svc.json that is not JSON is refused with the place and what is probably wrong", async () => {
  for (const [text, expected] of [
    ['{\n  "language": "node",\n}', /linha 3, coluna 1\. .*vírgula/],
    ['{\n  // bot\n  "language": "node"}', /linha 2, coluna 3\. .*comentários/],
    ["{language: 'node'}", /linha 1, coluna 2\. .*aspas/],
    ['{"language": "node"', /linha 1, coluna 20\. .*acaba/],
  ] as const) {
    const [field, message] = await refusal(create(text));
    assert.deepEqual([text, field], [text, undefined]);
    assert.match(message, expected);
  }
  assert.equal(
    (await create(`\uFEFF${JSON.stringify(node)}`)).language,
    "node",
    "a byte order mark is no fault",
  );
});

test("an operator's system packages may be asked for, beside those of all; the documents list them", async () => {
  const project = await create({ ...node, systemPackages: ["zip", "ffmpeg", "git"] });
  assert.deepEqual(project.systemPackages, ["git", "zip", "ffmpeg"]);
  await until(() => heldAssignment(cluster.host, project.id)?.settings.systemPackages.includes("ffmpeg"));
  const [field, message] = await refusal(create({ ...node, systemPackages: ["chromium"] }));
  assert.equal(field, "systemPackages");
  assert.match(message, /zip, ffmpeg\)/);
  await new SimulatedProject(account.client, project.id).is("stopped");
  await assert.rejects(patch(project, { systemPackages: ["chromium"] }), { code: "invalid_request" });
  assert.deepEqual((await patch(project, { systemPackages: ["ffmpeg"] })).systemPackages, ["ffmpeg"]);
  const operator = cluster.client(cluster.operatorToken);
  const pull = { images: [{ language: "node" as const, version: "24" }], systemPackages: ["chromium"] };
  await assert.rejects(operator.pullImages.page({ body: pull }), { code: "invalid_request" });
  for (const path of ["/api/svc.schema.json", "/api/openapi.json"]) {
    const { text } = await apiRequest(cluster.centralUrl, { method: "GET", path });
    assert.match(text, /"zip","ffmpeg"\]/, path);
  }
});
