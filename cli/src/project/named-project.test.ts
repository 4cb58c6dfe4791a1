import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type { CommandLine } from "../../../test/support/commands/command-line.ts";
import {
  bot,
  createRunner,
  projectId,
  versionsAnswer,
} from "../../../test/support/commands/command-runner.ts";
import { commands } from "../commands.ts";

const site = {
  ...bot,
  id: "01J0000000000000000000000B",
  name: "site-node",
  description: "",
  entry: null,
  command: "x",
  installCommand: null,
};

/** Creates a runner with an account that has the projects "meu-bot", "site-node" and "TOKEN". */
async function createProjectRunner(): Promise<CommandLine> {
  const runner = await createRunner();
  runner.answer = ({ url, method }) => {
    if (url.endsWith("/projects"))
      return Response.json({
        projects: [bot, site, { ...bot, id: "01J0000000000000000000000C", name: "TOKEN" }],
      });
    if (url.includes("/logs")) return Response.json({ lines: [], gaps: [], nextCursor: null });
    if (url.endsWith("/variables"))
      return Response.json({ variables: { A: "1", B: "2" }, isRestartRequired: false });
    const project = { ...site, systemPackages: [] };
    return Response.json(method === "PATCH" ? { project, isRestartRequired: false } : { project });
  };
  return runner;
}

/** Returns the project that the command's last request was about. */
function projectAsked(runner: CommandLine): string | undefined {
  return /projects\/([^/]+)/.exec(runner.requests.at(-1)?.url ?? "")?.[1];
}

test("the project stands before a command's own words, or after -p, by name or by id", async () => {
  await using runner = await createProjectRunner();
  await writeFile(join(runner.folder, ".env"), "A=2\n");
  for (const [command, own] of [
    ["config get", "memoryMb"],
    ["config get", ""],
    ["config set", "memoryMb=512"],
    ["env list", ""],
    ["env set", "A=1"],
    ["env unset", "A B"],
    ["env push", ""],
    ["env push", ".env"],
    ["env pull", "of-site.env --force"],
    ["status", ""],
    ["stop", ""],
    ["logs", "-n 0"],
  ] as const) {
    for (const name of ["site-node", site.id]) {
      for (const words of [`${command} ${name} ${own}`, `${command} ${own} -p ${name}`]) {
        site.status = command === "stop" ? "stopped" : "running";
        const { code, stderr } = await runner.run(words.split(" ").filter(Boolean));
        assert.equal(code, 0, `${words}: ${stderr}`);
        assert.equal(projectAsked(runner), site.id, words);
      }
    }
  }
  assert.equal(await readFile(join(runner.folder, "of-site.env"), "utf8"), "A=1\nB=2\n");
});

test("every command about a project takes -p, and refuses two projects", async () => {
  await using runner = await createProjectRunner();
  const ofProjects = commands.filter(
    ({ argument, takesProject }) => takesProject === true || argument === "id|name|folder",
  );
  assert.equal(ofProjects.length, 32);
  for (const { name, options, argument } of ofProjects) {
    assert.ok(Object.hasOwn(options, "project"), name);
    if (argument !== "id|name|folder") continue;
    assert.equal((await runner.run([...name.split(" "), "meu-bot", "-p", "site-node"])).code, 2, name);
  }
  assert.equal(runner.requests.length, 0);
});

test("a folder with a project names it, also before words of the command", async () => {
  await using runner = await createProjectRunner();
  const folder = join(runner.folder, "my.site", ".tijolo");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "project.json"), JSON.stringify({ projects: { "http://central": site.id } }));
  for (const words of [
    ["status", "./my.site"],
    ["env", "set", "./my.site", "A=1"],
    ["config", "get", "./my.site", "memoryMb"],
    ["env", "pull", "./my.site"],
  ]) {
    const { code, stderr } = await runner.run(words);
    assert.equal(code, 0, stderr);
    assert.equal(projectAsked(runner), site.id);
  }
});

test("a first word that may be a project and a variable is refused with what to write, and nothing is set", async () => {
  await using runner = await createProjectRunner();
  for (const command of ["set TOKEN A=1", "unset TOKEN A"]) {
    const { code, stderr } = await runner.run(["env", ...command.split(" ")]);
    assert.equal(code, 2);
    assert.match(stderr, /-p TOKEN/);
    assert.match(
      (await runner.run(["env", ...command.split(" ")], "en")).stderr,
      /is a project of yours.*-p TOKEN/,
    );
  }
  assert.ok(runner.requests.every(({ method }) => method === "GET"));
  runner.input = "value";
  assert.equal((await runner.run(["env", "set", "TOKEN", "A=1", "-p", "meu-bot"])).code, 0);
  assert.equal(projectAsked(runner), projectId);
});

test("a first word that is nothing is told as what it could have been", async () => {
  await using runner = await createProjectRunner();
  for (const [words, code, expected] of [
    [
      "config get frobnicate",
      1,
      /Nenhum projeto se chama "frobnicate".*Não existe a configuração "frobnicate"/,
    ],
    ["config get memoryMB", 2, /Você quis dizer: memoryMb/],
    ["config set memoryMb 512", 2, /"memoryMb" não tem a forma nome=valor/],
    ["config set site-node", 2, /Falta campo=valor/],
    ["env set MY-TOKEN A=1", 1, /Nenhum projeto se chama "MY-TOKEN".*não é nome de variável/],
    ["env set MY-TOKEN", 2, /"MY-TOKEN" não é nome de variável/],
    ["env push nowhere.env", 1, /nowhere\.env não existe/],
    ["env pull site-node a.env b.env", 2, /b\.env/],
    ["env pull a.env b.env -p site-node", 2, /b\.env/],
    ["up -p frobnicate", 1, /Nenhum projeto se chama/],
    ["up --new -p meu-bot", 2, /-p/],
  ] as const) {
    await writeFile(join(runner.folder, "index.js"), "");
    const ended = await runner.run(words.split(" "));
    assert.equal(ended.code, code, `${words}: ${ended.stderr}`);
    assert.match(ended.stderr, expected, words);
  }
  assert.ok(runner.requests.every(({ method }) => method === "GET"));
});

test("up with -p sends the folder to the project that it names, and the folder keeps to it", async () => {
  await using runner = await createProjectRunner();
  await writeFile(join(runner.folder, "index.js"), "");
  const uploads: string[] = [];
  const answer = runner.answer;
  runner.answer = async (request) => {
    if (request.url.endsWith("/versions")) return versionsAnswer("live");
    if (request.method !== "POST") return await (answer ?? fetch)(request);
    uploads.push(new URL(request.url).pathname);
    return Response.json({ project: site });
  };
  for (const words of [["up", "-p", "site-node"], ["up"]]) await runner.run(words);
  assert.deepEqual(uploads, Array(2).fill(`/api/projects/${site.id}/code`));
});
