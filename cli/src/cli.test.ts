import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { test } from "node:test";
import type { CommandContext } from "./command-context.ts";
import { runCommandLine } from "./cli.ts";
import { commands } from "./commands.ts";
import { Configuration } from "./configuration.ts";
import { connectAccount, connectOperator } from "./connect.ts";
import { messagesOf, type MessageLanguage } from "./messages.ts";
import { Output } from "./output.ts";

const projectId = "01J0000000000000000000000A";
const bot = {
  id: projectId,
  name: "meu-bot",
  type: "bot",
  language: "node",
  version: "24",
  memoryMb: 256,
  status: "running",
  error: null,
  url: null,
  internalHost: "svc-0000000a",
  usage: null,
  lastExit: null,
  startedAt: null,
  consecutiveCrashes: 0,
  updatedAt: "2026-01-01T00:00:00.000Z",
};

interface Run {
  code: number;
  stdout: string;
  stderr: string;
}

/** A command line against a server of one function, in a folder of its own. */
class CommandRunner implements AsyncDisposable {
  readonly folder: string;
  readonly requests: Request[] = [];
  answer: (request: Request) => Response | Promise<Response> = () => Response.json({ projects: [] });
  environment: Record<string, string> = { TIJOLO_URL: "http://central", TIJOLO_KEY: "svc_key" };
  typed: string[] = [];

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async create(): Promise<CommandRunner> {
    return new CommandRunner(await mkdtemp(join(tmpdir(), "tijolo-cli-")));
  }

  async run(words: readonly string[], language: MessageLanguage = "pt"): Promise<Run> {
    const written = { stdout: "", stderr: "" };
    const stream = (name: "stdout" | "stderr") =>
      new Writable({
        write(chunk, _encoding, done) {
          written[name] += String(chunk);
          done();
        },
      });
    const messages = messagesOf[language];
    const configuration = new Configuration(join(this.folder, "config", "config.json"));
    const fetch: typeof globalThis.fetch = async (url, init) => {
      const request = new Request(url, init);
      this.requests.push(request);
      return await this.answer(request);
    };
    const connector = { configuration, environment: this.environment, messages, fetch };
    const context: CommandContext = {
      messages,
      output: new Output({ stdout: stream("stdout"), stderr: stream("stderr") }, { isJson: words.includes("--json") }),
      environment: this.environment,
      configuration,
      workingDirectory: this.folder,
      signal: new AbortController().signal,
      fetch,
      clock: { now: () => Date.now() },
      random: () => 0,
      ask: async () => this.typed.shift() ?? null,
      openBrowser: async () => false,
      connect: () => connectAccount(connector),
      connectAdmin: () => connectOperator(connector),
    };
    return { code: await runCommandLine(words, context), ...written };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}

test("every command has a help with its summary, its options and examples that begin with it, in both languages", async () => {
  await using runner = await CommandRunner.create();
  for (const language of ["pt", "en"] as const) {
    for (const command of commands) {
      const { code, stdout } = await runner.run([...command.name.split(" "), "--help"], language);
      assert.equal(code, 0, command.name);
      assert.ok(stdout.startsWith(messagesOf[language].commands[command.name]), command.name);
      for (const name of [...Object.keys(command.options), "json", "lang", "help"]) assert.match(stdout, new RegExp(`--${name}\\b`));
      for (const example of command.examples) {
        assert.ok(example.startsWith(`tijolo ${command.name}`), example);
        assert.ok(stdout.includes(example), example);
      }
    }
  }
});

test("the general help names every command", async () => {
  await using runner = await CommandRunner.create();
  const { stdout } = await runner.run(["help"]);
  for (const { name } of commands) assert.ok(stdout.includes(name), name);
});

test("an unknown command suggests the nearest and ends with 2", async () => {
  await using runner = await CommandRunner.create();
  const { code, stderr } = await runner.run(["staus"]);
  assert.equal(code, 2);
  assert.match(stderr, /tijolo status/);
  assert.match((await runner.run(["cluster", "host", "lst"])).stderr, /tijolo cluster host list/);
});

test("an unknown option, a wrong value and a word too many end with 2 and ask the server nothing", async () => {
  await using runner = await CommandRunner.create();
  for (const words of [
    ["list", "--nope"],
    ["logs", "-n", "many"],
    ["logs", "-n", "1001"],
    ["list", "extra"],
    ["up", "--type", "cat"],
  ]) {
    const { code, stderr } = await runner.run(words);
    assert.equal(code, 2, words.join(" "));
    assert.notEqual(stderr, "");
  }
  assert.equal(runner.requests.length, 0);
});

test("options may stand before the command", async () => {
  await using runner = await CommandRunner.create();
  assert.deepEqual(JSON.parse((await runner.run(["--json", "list"])).stdout), { projects: [] });
});

test("without a login the error says what to run", async () => {
  await using runner = await CommandRunner.create();
  runner.environment = {};
  const { code, stderr } = await runner.run(["list"]);
  assert.equal(code, 1);
  assert.match(stderr, /tijolo login/);
});

test("login keeps a key that the server takes, for its owner's eyes only, and later commands use it", async () => {
  await using runner = await CommandRunner.create();
  runner.environment = {};
  runner.typed = ["central:8080/api/", "svc_typed"];
  assert.equal((await runner.run(["login"])).code, 0);
  const file = join(runner.folder, "config", "config.json");
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  assert.match(await readFile(file, "utf8"), /svc_typed/);
  assert.equal((await runner.run(["list"])).code, 0);
  assert.equal(runner.requests.at(-1)?.url, "http://central:8080/api/projects");
  assert.equal(runner.requests.at(-1)?.headers.get("authorization"), "Bearer svc_typed");
});

test("a key is kept for its server and sent to no other", async () => {
  await using runner = await CommandRunner.create();
  runner.environment = {};
  runner.typed = ["http://central", "svc_typed"];
  await runner.run(["login"]);
  const asked = runner.requests.length;
  runner.environment = { TIJOLO_URL: "http://elsewhere" };
  assert.equal((await runner.run(["list"])).code, 1);
  assert.equal(runner.requests.length, asked);
});

test("login keeps nothing when the server refuses the key", async () => {
  await using runner = await CommandRunner.create();
  runner.answer = () => Response.json({ status: "error", code: "invalid_api_key", message: "Chave errada." }, { status: 401 });
  const { code, stderr } = await runner.run(["login"]);
  assert.equal(code, 1);
  assert.match(stderr, /Chave errada.*invalid_api_key/);
  await assert.rejects(stat(join(runner.folder, "config")), { code: "ENOENT" });
});

test("an error is one JSON document with --json", async () => {
  await using runner = await CommandRunner.create();
  runner.answer = () => Response.json({ status: "error", code: "not_found", message: "Não há." }, { status: 404 });
  const { code, stdout, stderr } = await runner.run(["status", projectId, "--json"]);
  assert.equal(code, 1);
  assert.equal(JSON.parse(stdout).error.code, "not_found");
  assert.equal(stderr, "");
});

test("a project is found by its name", async () => {
  await using runner = await CommandRunner.create();
  runner.answer = (request) => Response.json(request.url.endsWith("/projects") ? { projects: [bot] } : { project: bot });
  const { code, stdout } = await runner.run(["status", "meu-bot"]);
  assert.equal(code, 0);
  assert.match(stdout, /no ar/);
  assert.equal((await runner.run(["status", "outro"])).code, 1);
});

test("a stop waits until the project has stopped", async () => {
  await using runner = await CommandRunner.create();
  let questions = 0;
  runner.answer = () => Response.json({ project: { ...bot, status: ++questions > 3 ? "stopped" : "running" } });
  const { code, stdout } = await runner.run(["stop", projectId]);
  assert.equal(code, 0);
  assert.match(stdout, /meu-bot está parado/);
  assert.equal(questions, 4);
});

test("up creates a project, follows its log, keeps its id, and ends with 0 when it runs", async () => {
  await using runner = await CommandRunner.create();
  await writeFile(join(runner.folder, "index.js"), "console.log(1)");
  const fields: Record<string, unknown> = {};
  runner.answer = async (request) => {
    if (request.url.includes("/logs")) {
      const line = { at: bot.updatedAt, section: "install", stream: "stdout", version: 1, text: "added 1 package" };
      return new Response(`id: 1\nevent: log\ndata: ${JSON.stringify(line)}\n\nevent: status\ndata: {"status":"running"}\n\n`);
    }
    if (request.method !== "POST") return Response.json({ project: bot });
    for (const [name, value] of await request.formData()) fields[name] = value instanceof File ? value.size > 0 : value;
    return Response.json({ project: { ...bot, status: "creating" } }, { status: 201 });
  };
  const first = await runner.run(["up", "--language", "node", "--command", "npm start", "--memory", "512"]);
  assert.equal(first.code, 0, first.stderr);
  assert.deepEqual(fields, { language: "node", command: "npm start", memoryMb: "512", start: "true", file: true });
  assert.match(first.stderr, /added 1 package/);
  assert.match(first.stdout, /no ar/);
  assert.equal((await runner.run(["up"])).code, 0);
  assert.ok(runner.requests.some((request) => request.url.endsWith(`/projects/${projectId}/code`)));
});

test("up ends with 1, the reason and the last lines when the project does not come up", async () => {
  await using runner = await CommandRunner.create();
  await writeFile(join(runner.folder, "index.js"), "");
  const failed = { ...bot, status: "error", error: { code: "install_failed", message: "A instalação terminou com erro." } };
  runner.answer = (request) => {
    if (request.url.includes("/logs")) return Response.json({ status: "error", code: "server_unavailable", message: "" }, { status: 503 });
    return Response.json({ project: request.method === "POST" ? { ...bot, status: "creating" } : failed }, { status: 200 });
  };
  const { code, stdout } = await runner.run(["up"]);
  assert.equal(code, 1);
  assert.match(stdout, /install_failed/);
});

test("up refuses an empty folder before it asks the server", async () => {
  await using runner = await CommandRunner.create();
  assert.equal((await runner.run(["up"])).code, 1);
  assert.equal((await runner.run(["up", "nowhere"])).code, 1);
  assert.equal(runner.requests.length, 0);
});

test("logs without -f are one page, with -f a line per event", async () => {
  await using runner = await CommandRunner.create();
  const line = { at: bot.updatedAt, section: "app", stream: "stderr", version: 1, text: "oi \u001b]0;title\u0007" };
  runner.answer = (request) =>
    new URL(request.url).searchParams.get("follow") === "false"
      ? Response.json({ lines: [line], nextCursor: null })
      : Response.json({ status: "error", code: "not_found", message: "Acabou." }, { status: 404 });
  const page = await runner.run(["logs", projectId, "-n", "5"]);
  assert.equal(page.code, 0);
  assert.match(page.stdout, /oi \\x1b\]0;title\\x07/);
  assert.equal((await runner.run(["logs", projectId, "-f"])).code, 1);
});
