import assert from "node:assert/strict";
import { test } from "node:test";
import { createRunner, projectId, tooMany } from "../../test/support/command-runner.ts";
import { commands } from "./commands.ts";
import { messagesOf } from "./messages.ts";

test("every command has a help with its summary, its options and examples that begin with it, in both languages", async () => {
  await using runner = await createRunner();
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

test("the help of a command with several operands names each, and a word too many is refused before anything is asked", async () => {
  await using runner = await createRunner();
  const usage = async (words: string[], language: "pt" | "en") => (await runner.run([...words, "--help"], language)).stdout.split("\n")[2];
  assert.match((await usage(["cluster", "image", "set"], "pt")) ?? "", /tijolo cluster image set <linguagem> <versão> <imagem> /);
  assert.match((await usage(["cluster", "image", "pull"], "en")) ?? "", /tijolo cluster image pull <language> <version> /);
  assert.match((await usage(["cluster", "account", "plan"], "en")) ?? "", /tijolo cluster account plan <account> <plan> /);
  const { code, stderr } = await runner.run(["cluster", "image", "unset", "ruby", "4.0", "more"]);
  assert.equal(code, 2);
  assert.match(stderr, /more.*\n.*tijolo cluster image unset --help/);
});

test("the general help names every command", async () => {
  await using runner = await createRunner();
  const { stdout } = await runner.run(["help"]);
  for (const { name } of commands) assert.ok(stdout.includes(name), name);
});

test("an unknown option, a wrong value and a word too many end with 2 and ask the server nothing", async () => {
  await using runner = await createRunner();
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

test("what is wrong with an option is said in the person's language, with the nearest one", async () => {
  await using runner = await createRunner();
  for (const [words, expected] of [
    ["logs --folow", /Não existe a opção --folow\. Você quis dizer: --follow \?/],
    ["logs -z", /Não existe a opção -z\.\nVeja: tijolo logs --help/],
    ["logs --section", /Falta o valor de --section\./],
    ["logs --section --follow", /Falta o valor de --section\./],
    ["logs --follow=1", /--follow não leva valor\./],
  ] as const) {
    const { code, stderr } = await runner.run(words.split(" "));
    assert.equal(code, 2);
    assert.match(stderr, expected, words);
  }
  assert.match((await runner.run(["logs", "--folow"], "en")).stderr, /There is no option --folow\. Did you mean: --follow \?/);
});

test("options may stand before the command", async () => {
  await using runner = await createRunner();
  assert.deepEqual(JSON.parse((await runner.run(["--json", "list"])).stdout), { projects: [] });
});

test("an error is one JSON document with --json", async () => {
  await using runner = await createRunner();
  runner.answer = () => Response.json({ status: "error", code: "not_found", message: "Não há." }, { status: 404 });
  const { code, stdout, stderr } = await runner.run(["status", projectId, "--json"]);
  assert.equal(code, 1);
  assert.equal(JSON.parse(stdout).error.code, "not_found");
  assert.equal(stderr, "");
});

test("a short pause that the server asks for is waited for once, and said", async () => {
  await using runner = await createRunner();
  runner.answer = () => (runner.requests.length === 1 ? tooMany(0) : Response.json({ projects: [] }));
  const { code, stderr } = await runner.run(["list"]);
  assert.equal(code, 0);
  assert.match(stderr, /tento de novo em 0 s/);
  runner.answer = () => tooMany(0);
  const asked = runner.requests.length;
  assert.equal((await runner.run(["list"])).code, 1);
  assert.equal(runner.requests.length, asked + 2);
});

test("a long pause is told, not waited for", async () => {
  await using runner = await createRunner();
  runner.answer = () => tooMany(42);
  const { code, stderr } = await runner.run(["list"]);
  assert.deepEqual([code, runner.requests.length], [1, 1]);
  assert.match(stderr, /Tente de novo em 42 s/);
  assert.equal(JSON.parse((await runner.run(["list", "--json"])).stdout).error.retryAfterSeconds, 42);
});

test("the server is asked to speak the person's language", async () => {
  await using runner = await createRunner();
  await runner.run(["list"], "en");
  await runner.run(["list"]);
  assert.deepEqual(
    runner.requests.map((request) => request.headers.get("accept-language")),
    ["en", "pt-BR"],
  );
});
