import assert from "node:assert/strict";
import { before, test } from "node:test";
import { createRunner, projectId, tooMany } from "../../test/support/commands/command-runner.ts";
import { commands } from "./commands.ts";
import { loadMessages, type MessageLanguage, type Messages } from "./messages.ts";

let messagesOf: Record<MessageLanguage, Messages>;
before(async () => {
  messagesOf = { pt: await loadMessages("pt"), en: await loadMessages("en") };
});

test("every command has a help with its summary, its options and examples that begin with it, in both languages", async () => {
  await using runner = await createRunner();
  for (const language of ["pt", "en"] as const) {
    for (const command of commands) {
      const { code, stdout } = await runner.run([...command.name.split(" "), "--help"], language);
      assert.equal(code, 0, command.name);
      assert.ok(stdout.startsWith(messagesOf[language].commands[command.name]), command.name);
      for (const word of command.argument?.split(" ") ?? [])
        assert.ok(word in messagesOf[language].help.placeholders, word);
      for (const name of [...Object.keys(command.options), "json", "lang", "help"])
        assert.match(stdout, new RegExp(`--${name}\\b`));
      for (const example of command.examples) {
        assert.ok(example.startsWith(`tijolo ${command.name}`), example);
        assert.ok(stdout.includes(example), example);
      }
    }
  }
});

test("the help of a command with several operands names each, and a word too many is refused before anything is asked", async () => {
  await using runner = await createRunner();
  const usage = async (words: string[], language: "pt" | "en") =>
    (await runner.run([...words, "--help"], language)).stdout.split("\n")[2];
  assert.match(
    (await usage(["cluster", "image", "set"], "pt")) ?? "",
    /tijolo cluster image set <linguagem> <versão> <imagem> /,
  );
  assert.match(
    (await usage(["cluster", "image", "pull"], "en")) ?? "",
    /tijolo cluster image pull <language> <version> /,
  );
  assert.match(
    (await usage(["cluster", "account", "plan"], "en")) ?? "",
    /tijolo cluster account plan <account> <plan> /,
  );
  const { code, stderr } = await runner.run(["cluster", "image", "unset", "ruby", "4.0", "more"]);
  assert.equal(code, 2);
  assert.match(stderr, /more.*\n.*tijolo cluster image unset --help/);
});

test("a command that lacks its operand says which, and where its help is", async () => {
  await using runner = await createRunner();
  const { code, stderr } = await runner.run(["cluster", "operator", "add"]);
  assert.equal(code, 2);
  assert.match(stderr, /o e-mail da pessoa, ou o nome do token.*\n.*tijolo cluster operator add --help/);
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
  assert.match(
    (await runner.run(["logs", "--folow"], "en")).stderr,
    /There is no option --folow\. Did you mean: --follow \?/,
  );
});

test("options may stand before the command", async () => {
  await using runner = await createRunner();
  assert.deepEqual(JSON.parse((await runner.run(["--json", "list"])).stdout), { projects: [] });
});

test("an error is one JSON document with --json", async () => {
  await using runner = await createRunner();
  runner.answer = () =>
    Response.json({ status: "error", code: "not_found", message: "Não há." }, { status: 404 });
  const { code, stdout, stderr } = await runner.run(["status", projectId, "--json"]);
  assert.equal(code, 1);
  assert.deepEqual(JSON.parse(stdout).error, { code: "not_found", message: "Não há.", status: 404 });
  assert.equal(stderr, "");
  assert.match((await runner.run(["status", projectId])).stderr, /^✗ Não há\. \(not_found\)\n/);
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

test("the version is printed, as text and as JSON, and an option of a command that has that name stays its own", async () => {
  await using runner = await createRunner();
  for (const word of ["--version", "-v"])
    assert.match((await runner.run([word])).stdout, /^tijolo \d+\.\d+\.\d+\n$/);
  assert.match((await runner.run(["--version", "--json"])).stdout, /^\{"version":"\d+\.\d+\.\d+"\}\n$/);
  const { code, stderr } = await runner.run(["up", "--version"]);
  assert.deepEqual([code, /Falta o valor de --version/.test(stderr)], [2, true]);
});

test("options without a command say what is missing or unknown", async () => {
  await using runner = await createRunner();
  assert.match((await runner.run(["--nope"])).stderr, /Não existe a opção --nope\. Veja: tijolo --help/);
  const alone = await runner.run(["--lang", "pt"]);
  assert.deepEqual([alone.code, alone.stderr], [2, "✗ Falta o comando. Veja: tijolo --help\n"]);
});

test("a language that there is none of is refused by the name of what asked for it", async () => {
  await using runner = await createRunner();
  for (const words of [
    ["list", "--lang", "de"],
    ["--lang=xx", "list"],
    ["list", "--lang", ""],
    ["list", "--help", "--lang", "english"],
  ]) {
    const { code, stderr } = await runner.run(words);
    assert.deepEqual([code, stderr], [2, "✗ --lang deve ser um destes: pt, en\n"], words.join(" "));
  }
  runner.environment["TIJOLO_LANG"] = "xx";
  assert.match((await runner.run(["list"], "en")).stderr, /TIJOLO_LANG must be one of: pt, en/);
  assert.equal(runner.requests.length, 0);
  for (const words of [
    ["list", "--lang", "en"],
    ["list", "--lang=pt_BR.UTF-8"],
  ])
    assert.equal((await runner.run(words)).code, 0);
  for (const text of ["", "pt", "en_US.UTF-8"]) {
    runner.environment["TIJOLO_LANG"] = text;
    assert.equal((await runner.run(["list"])).code, 0, text);
  }
});

test("an operator's command without an answer names the address, in the person's language", async () => {
  await using runner = await createRunner();
  runner.environment = { TIJOLO_URL: "http://central", TIJOLO_OPERATOR_TOKEN: "tjo_token" };
  runner.answer = () => Promise.reject(new TypeError("fetch failed"));
  for (const words of ["cluster plans", "cluster image pull --all"]) {
    const { code, stderr } = await runner.run(words.split(" "));
    assert.deepEqual(
      [code, stderr],
      [1, "✗ http://central não respondeu. Confira o endereço, a rede, e se o Tijolo está no ar.\n"],
      words,
    );
    assert.equal(
      JSON.parse((await runner.run([...words.split(" "), "--json"])).stdout).error.code,
      "no_answer",
    );
  }
  runner.answer = () => new Response("<html>", { status: 502 });
  assert.match((await runner.run(["cluster", "plans"])).stderr, /não é a de um central do Tijolo/);
});

test("what is no id of a project is called so", async () => {
  await using runner = await createRunner();
  const { code, stderr } = await runner.run("cluster master-key forget-variables jbot --yes".split(" "));
  assert.deepEqual([code, /"jbot" não é o id de um projeto/.test(stderr)], [2, true], stderr);
  assert.match(
    (await runner.run("cluster master-key forget-variables --yes".split(" "))).stderr,
    /Falta o id do projeto/,
  );
});

test("without a terminal, what only a person can be asked for names where else it comes from", async () => {
  await using runner = await createRunner();
  runner.environment = {};
  for (const [words, expected] of [
    ["keys list", /^✗ O endereço do Tijolo ainda não é conhecido: rode tijolo login, ou use --url\.\n/],
    ["keys list --url http://central", /^✗ Sem terminal, o e-mail vem de --email ou de TIJOLO_EMAIL\.\n/],
    ["notices read", /^✗ Falta o id do aviso \(ou --all\)\.\n/],
    ["notices channels set", /^✗ Diga o que muda: --mail, --discord ou --webhook\.\n/],
  ] as const) {
    const { code, stderr } = await runner.run(words.split(" "));
    assert.equal(code, 2, words);
    assert.match(stderr, expected);
  }
  assert.equal(runner.requests.length, 0);
});

test("what may be chosen is a list, and what is missing has its article", async () => {
  await using runner = await createRunner();
  for (const [words, language, expected] of [
    ["up --type cat", "pt", /^✗ --type deve ser um destes: bot, site\n/],
    ["cluster account plan ana", "pt", /^✗ Falta o plano\.\n/],
    ["cluster account plan ana", "en", /^✗ The plan is missing\.\n/],
    ["cluster account plan ana Gold", "pt", /^✗ O plano deve ser um destes: /],
    ["cluster image set ruby 9 x/y:1", "pt", /^✗ A versão de ruby deve ser um destes: /],
    ["cluster image set ruby 4.0 :::", "pt", /^✗ ":::" não é o nome de uma imagem/],
  ] as const) {
    const { code, stderr } = await runner.run(words.split(" "), language);
    assert.equal(code, 2, words);
    assert.match(stderr, expected);
  }
  assert.match((await runner.run("cluster key create --help".split(" "))).stdout, /--scope PERMISSÃO/);
  runner.environment = { TIJOLO_URL: "http://central" };
  assert.match((await runner.run(["login"])).stderr, /^✗ Falta --key\.\n/);
});
