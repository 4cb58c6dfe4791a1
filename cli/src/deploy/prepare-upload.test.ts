import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { test } from "node:test";
import type { CommandLine } from "../../../test/support/commands/command-line.ts";
import { bot, createRunner, versionsAnswer } from "../../../test/support/commands/command-runner.ts";

/** Prepares a folder with these files, at a server that takes every upload and runs it. */
async function inFolder(files: Record<string, string>): Promise<CommandLine & { sent: string[] }> {
  const runner = Object.assign(await createRunner(), { sent: [] as string[] });
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(runner.folder, name)), { recursive: true });
    await writeFile(join(runner.folder, name), text);
  }
  runner.answer = async (request) => {
    if (request.url.endsWith("/versions")) return versionsAnswer("live");
    if (request.url.includes("/logs")) return Response.json({ lines: [], gaps: [], nextCursor: null });
    if (request.method !== "POST") return Response.json({ project: bot });
    const file = (await request.formData()).get("file");
    runner.sent.push(file instanceof File ? Buffer.from(await file.arrayBuffer()).toString("latin1") : "");
    return Response.json({ project: bot }, { status: 201 });
  };
  return runner;
}

const discordBot = {
  "package.json": JSON.stringify({ name: "meu-bot", main: "bot.js", dependencies: { "discord.js": "14" } }),
  "bot.js": "client.login()",
};
const svcJsonOf = async (runner: CommandLine) =>
  JSON.parse(await readFile(join(runner.folder, "svc.json"), "utf8")) as Record<string, unknown>;

test("without a person nothing is proposed and written but with --yes; the error shows it and says what to do", async () => {
  await using runner = await inFolder(discordBot);
  const refused = await runner.run(["up"]);
  assert.deepEqual([refused.code, runner.sent.length], [1, 0]);
  assert.match(refused.stderr, /entry +bot\.js +\(main em package\.json\)/);
  assert.match(refused.stderr, /type +bot +\(package\.json usa discord\.js\)/);
  assert.match(refused.stderr, /tijolo up --yes/);
  const { error } = JSON.parse((await runner.run(["up", "--json"])).stdout) as { error: { code: string } };
  assert.equal(error.code, "missing_config");
  await assert.rejects(svcJsonOf(runner), { code: "ENOENT" });
  assert.equal((await runner.run(["up", "--yes"])).code, 0);
  const expected = { name: "meu-bot", type: "bot", language: "node", entry: "bot.js" };
  assert.deepEqual(await svcJsonOf(runner), expected);
  assert.match(runner.sent[0] ?? "", /svc\.json/);
});

test("a person accepts the proposal with Enter, changes a field, removes one, or refuses it", async () => {
  await using runner = await inFolder(discordBot);
  runner.isInteractive = true;
  runner.typed = ["n"];
  const refused = await runner.run(["up"]);
  assert.deepEqual([refused.code, runner.sent.length], [1, 0]);
  assert.match(refused.stderr, /Nada foi gravado/);
  runner.typed = [
    "memoryMb=much",
    "memory=1",
    "nonsense",
    "memoryMb=512",
    "name=",
    "systemPackages=git,curl",
    "",
  ];
  const accepted = await runner.run(["up"]);
  assert.equal(accepted.code, 0, accepted.stderr);
  assert.match(accepted.stderr, /memoryMb não pode ter este valor/);
  assert.deepEqual(await svcJsonOf(runner), {
    type: "bot",
    language: "node",
    entry: "bot.js",
    memoryMb: 512,
    systemPackages: ["curl", "git"],
  });
  assert.equal(accepted.asked.length, 7);
  assert.equal((await runner.run(["up", "--new"])).asked.length, 0, "the folder has its svc.json");
});

test("nothing is proposed for an update, for a language that is given, or for files that show nothing", async () => {
  await using runner = await inFolder(discordBot);
  assert.equal((await runner.run(["up", "--language", "node", "--command", "npm start"])).code, 0);
  assert.equal((await runner.run(["up"])).code, 0);
  await assert.rejects(svcJsonOf(runner), { code: "ENOENT" });
  await using other = await inFolder({ "README.md": "" });
  const { code, stderr } = await other.run(["up", "--yes"]);
  assert.deepEqual([code, /não mostra como o projeto se inicia/.test(stderr)], [1, true], stderr);
});

test("a folder that is served is sent although it is ignored, and the rule is named", async () => {
  const svcJson = JSON.stringify({ language: "static", root: "./dist/" });
  await using runner = await inFolder({
    ".gitignore": "dist\n.env\n",
    "svc.json": svcJson,
    "dist/index.html": "hello",
  });
  const { code, stderr } = await runner.run(["up"]);
  assert.equal(code, 0, stderr);
  assert.match(stderr, /dist vai junto, embora a regra dist o ignore.*\(root\)/);
  assert.match(runner.sent[0] ?? "", /dist\/index\.html/);
  const { warnings } = JSON.parse((await runner.run(["up", "--json"])).stdout) as { warnings: string[] };
  assert.equal(warnings.length, 1);
});

test("an upload without its entry or its root is told before it is sent, unless a build may make it", async () => {
  const node = (more: object) => JSON.stringify({ language: "node", ...more });
  for (const [files, missing] of [
    [{ "svc.json": node({ entry: "dist/bot.js" }) }, "entry do projeto é dist/bot.js"],
    [{ "svc.json": node({ command: "node src/a.js" }) }, "entry do projeto é src/a.js"],
    [
      { "svc.json": JSON.stringify({ language: "static", root: "public" }), "index.html": "" },
      "root do projeto é public",
    ],
  ] as const) {
    await using runner = await inFolder(files);
    const { code, stderr } = await runner.run(["up"]);
    assert.deepEqual([code, runner.sent.length, stderr.includes(missing)], [1, 0, true], stderr);
  }
  for (const files of [
    { "svc.json": node({ entry: "dist/bot.js" }), "package.json": '{"scripts":{"build":"tsc"}}' },
    { "svc.json": node({ entry: "dist/bot.js", installCommand: "make" }) },
    { "svc.json": node({ command: "npm start" }) },
    { "svc.json": JSON.stringify({ language: "go", entry: "cmd/bot" }) },
    { "svc.json": "{broken" },
  ]) {
    await using runner = await inFolder(files);
    const { code, stderr } = await runner.run(["up"]);
    assert.equal(code, 0, stderr);
  }
});

test("a key that may not change settings is told what to do", async () => {
  await using runner = await inFolder({
    "svc.json": JSON.stringify({ language: "node", entry: "a.js" }),
    "a.js": "",
  });
  const refusal = {
    status: "error",
    code: "insufficient_scope",
    message: "Não.",
    requiredScope: "projects:settings",
  };
  runner.answer = () => Response.json(refusal, { status: 403 });
  const { code, stderr } = await runner.run(["up", "-p", bot.id]);
  assert.equal(code, 1);
  assert.match(stderr, /tijolo config get[^]*tijolo keys create --save/);
});
