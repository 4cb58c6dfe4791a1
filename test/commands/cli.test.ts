/** Tests the command `tijolo` as a person uses it, against a whole cluster. */

import assert from "node:assert/strict";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Project } from "@tijolo/protocol";
import fc from "fast-check";
import { authenticatorCode } from "../support/people/authenticator.ts";
import { CommandLine } from "../support/commands/command-line.ts";
import { PanelSession } from "../support/people/panel.ts";
import { TestCluster, type TestAccount } from "../support/cluster/test-cluster.ts";
import { until } from "../support/until.ts";

let cluster: TestCluster;
before(async () => {
  cluster = await TestCluster.create();
});
after(() => cluster[Symbol.asyncDispose]());

/** Sets up a computer with a key, in a folder with a program. */
async function atFolder(account: TestAccount, command = "sim print hello; run"): Promise<CommandLine> {
  const line = await CommandLine.create();
  line.environment = { TIJOLO_URL: cluster.central.url, TIJOLO_KEY: account.key };
  line.now = () => cluster.clock.now();
  await writeFile(
    join(line.folder, "svc.json"),
    JSON.stringify({ language: "node", command, name: "meu-bot" }),
  );
  await writeFile(join(line.folder, "index.js"), "");
  return line;
}

/** Sets up a computer that knows no key. */
async function atNewComputer(): Promise<CommandLine> {
  const line = await CommandLine.create();
  line.isInteractive = true;
  return line;
}

async function up(line: CommandLine): Promise<Project> {
  const { code, stdout, stderr } = await line.run(["up", "--json"]);
  assert.equal(code, 0, stdout + stderr);
  return (JSON.parse(stdout) as { project: Project }).project;
}

async function run(line: CommandLine, words: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await line.run(words);
  assert.equal(code, 0, `${words.join(" ")}: ${stdout}${stderr}`);
  return stdout;
}

test("variables are set, listed without their values, removed, and take effect with --restart", async () => {
  await using line = await atFolder(await cluster.createAccount());
  const project = await up(line);
  const set = await line.run(["env", "set", "TOKEN=s3cret", "LEVEL=a=b", "EMPTY="]);
  assert.equal(set.code, 0, set.stderr);
  assert.match(set.stdout, new RegExp(`tijolo restart ${project.id}`));
  const hidden = await run(line, ["env", "list"]);
  assert.match(hidden, /^TOKEN=•+$/m);
  assert.doesNotMatch(hidden, /s3cret|a=b/);
  assert.deepEqual(JSON.parse(await run(line, ["env", "list", "--json"])), {
    variables: { EMPTY: null, LEVEL: null, TOKEN: null },
  });
  assert.equal(await run(line, ["env", "list", "meu-bot", "--show"]), "EMPTY=\nLEVEL=a=b\nTOKEN=s3cret\n");

  const startedAt = project.startedAt;
  const unset = JSON.parse(await run(line, ["env", "unset", "EMPTY", "--restart", "--json"])) as Record<
    string,
    unknown
  >;
  assert.deepEqual([unset["removed"], unset["isRestartRequired"]], [["EMPTY"], false]);
  assert.notEqual((unset["project"] as Project).startedAt, startedAt);
  const twice = await line.run(["env", "unset", "EMPTY"]);
  assert.deepEqual([twice.code, /EMPTY/.test(twice.stderr)], [1, true]);
});

test("up starts what it installed once, also on a host whose clock is a minute behind", async () => {
  await using late = await TestCluster.create();
  late.host.clockBehindMs = 60_000;
  const account = await late.createAccount();
  await using line = await CommandLine.create();
  line.environment = { TIJOLO_URL: late.central.url, TIJOLO_KEY: account.key };
  const starts = () => line.requests.filter(({ url }) => url.endsWith("/start")).length;
  await writeFile(join(line.folder, "svc.json"), JSON.stringify({ language: "node", command: "sim exit 0" }));
  await writeFile(join(line.folder, "index.js"), "");
  for (const startsSoFar of [0, 1, 2]) {
    const { code, stdout, stderr } = await line.run(["up", "--json"]);
    assert.equal(code, 0, stdout + stderr);
    const { project } = JSON.parse(stdout) as { project: Project };
    const behindMs = Date.parse(project.updatedAt) - Date.parse(project.lastExit?.exitedAt ?? "");
    assert.ok(behindMs > 30_000, "the host's clock is behind");
    assert.deepEqual([project.status, starts()], ["stopped", startsSoFar]);
  }
});

test("a secret comes from a hidden question or from stdin, and stands in no command line", async () => {
  await using line = await atFolder(await cluster.createAccount());
  await up(line);
  line.input = "line 1\nline 2\n";
  await run(line, ["env", "set", "FILE=-"]);
  line.isInteractive = true;
  line.typed = ["typed"];
  const { code, asked } = await line.run(["env", "set", "ASKED=-", "PLAIN=x"]);
  assert.deepEqual([code, asked], [0, ["[Valor de ASKED]"]]);
  line.input = "from stdin";
  await run(line, ["env", "set", "STDIN", "--from-stdin"]);
  assert.deepEqual(JSON.parse(await run(line, ["env", "list", "--show", "--json"])) as object, {
    variables: { ASKED: "typed", FILE: "line 1\nline 2", PLAIN: "x", STDIN: "from stdin" },
  });
  assert.equal((await line.run(["env", "set", "A=-", "B=-", "--from-stdin"])).code, 2);
  assert.equal((await line.run(["env", "set", "PORT=1"])).code, 2);
  assert.equal((await line.run(["env", "set", "1A=1"])).code, 2);
});

test("what one project's variables are, pulled and pushed, another's become, whatever the values", async () => {
  const account = await cluster.createAccount();
  await using from = await atFolder(account);
  await using to = await atFolder(account);
  const source = (await up(from)).id;
  const target = (await up(to)).id;
  const name = fc.stringMatching(/^[A-OQ-Z_][A-Z0-9_]{0,8}$/).filter((text) => !/^(SVC_|HOST$)/.test(text));
  const part = fc.oneof(
    fc.constantFrom("'", '"', "`", "#", "$HOME", "\\n", "\n", "\r\n", " ", "="),
    fc.string({ unit: "grapheme", maxLength: 4 }),
  );
  const value = fc.array(part, { maxLength: 8 }).map((parts) => parts.join("").replaceAll("\0", ""));
  await fc.assert(
    fc.asyncProperty(fc.dictionary(name, value, { minKeys: 1, maxKeys: 10 }), async (variables) => {
      await account.client.setVariables({ id: source, body: { variables } });
      await run(from, ["env", "pull", join(to.folder, "x.env"), "--force"]);
      await run(to, ["env", "push", "x.env", "--replace", "--yes"]);
      const pushed = (await account.client.listVariables({ id: target })).variables;
      assert.deepEqual({ ...pushed }, { ...variables });
    }),
    { numRuns: 15 },
  );
  assert.equal((await stat(join(to.folder, "x.env"))).mode & 0o777, 0o600);
});

test("a file is not replaced, and variables are not removed, unless somebody says so", async () => {
  await using line = await atFolder(await cluster.createAccount());
  await up(line);
  await run(line, ["env", "set", "OLD=1", "SAME=1", "OTHER=1"]);
  await writeFile(join(line.folder, ".env"), "SAME=1\nOTHER=2\nNEW='3'\nPORT=8080\n");
  const pull = await line.run(["env", "pull"]);
  assert.deepEqual([pull.code, /--force/.test(pull.stderr)], [1, true]);
  assert.match(await readFile(join(line.folder, ".env"), "utf8"), /PORT/);

  const refused = await line.run(["env", "push", "--replace"]);
  assert.deepEqual([refused.code, /OLD.*--yes/.test(refused.stderr)], [1, true]);
  line.isInteractive = true;
  line.typed = ["n"];
  assert.equal((await line.run(["env", "push", "--replace"])).code, 1);
  assert.match(await run(line, ["env", "list", "--show"]), /OTHER=1/);

  const merged = await line.run(["env", "push"]);
  assert.equal(merged.code, 0);
  assert.match(merged.stdout, /\+ NEW\n~ OTHER\n1 nova\(s\), 1 alterada\(s\), 0 removida\(s\)/);
  assert.match(merged.stderr, /PORT/);
  line.typed = ["s"];
  assert.match(await run(line, ["env", "push", "--replace"]), /- OLD/);
  assert.match(await run(line, ["env", "push", "--replace"]), /Nada muda/);
  assert.equal(await run(line, ["env", "list", "--show"]), "NEW=3\nOTHER=2\nSAME=1\n");
});

test("settings are shown as an svc.json that makes the same project, and are changed by name", async () => {
  const account = await cluster.createAccount({ plan: "Empresas", scopes: ["projects:settings"] });
  await using line = await atFolder(account);
  const project = await up(line);
  const svcJson = await run(line, ["config", "get", "--json"]);
  await using copy = await atFolder(account);
  await writeFile(join(copy.folder, "svc.json"), svcJson);
  const same = await up(copy);
  for (const name of [
    "name",
    "type",
    "language",
    "version",
    "command",
    "memoryMb",
    "installCommand",
    "systemPackages",
  ] as const) {
    assert.deepEqual(same[name], project[name], name);
  }

  const changed = await line.run([
    "config",
    "set",
    "memoryMb=512",
    "command=sim run",
    "systemPackages=git, curl",
    "description=a b",
  ]);
  assert.equal(changed.code, 0, changed.stderr);
  assert.match(changed.stdout, /tijolo restart/);
  assert.equal(await run(line, ["config", "get", "memoryMb"]), "512\n");
  assert.equal(await run(line, ["config", "get", "systemPackages"]), "curl,git\n");
  const restarted = JSON.parse(
    await run(line, ["config", "set", "installCommand=null", "--restart", "--json"]),
  ) as {
    settings: { installCommand: unknown; memoryMb: unknown };
  };
  assert.deepEqual([restarted.settings.installCommand, restarted.settings.memoryMb], [null, 512]);

  const wrong = await line.run(["config", "set", "memoryMb=1"]);
  assert.deepEqual([wrong.code, /campo: memoryMb/.test(wrong.stderr)], [1, true], wrong.stderr);
  const notNumber = await line.run(["config", "set", "memoryMb=much"]);
  assert.deepEqual([notNumber.code, /campo: memoryMb/.test(notNumber.stderr)], [1, true], notNumber.stderr);
  const unknown = await line.run(["config", "set", "memory=1"]);
  assert.deepEqual([unknown.code, /memoryMb/.test(unknown.stderr)], [2, true]);
});

test("an upload whose answer is lost is sent once more and makes one project", async () => {
  const account = await cluster.createAccount();
  await using line = await atFolder(account);
  let uploads = 0;
  line.answer = async (request) => {
    const response = await fetch(request);
    if (request.method !== "POST" || ++uploads > 1) return response;
    assert.equal(response.status, 201);
    throw new TypeError("fetch failed");
  };
  const { code, stderr, stdout } = await line.run(["up"]);
  assert.equal(code, 0, stderr + stdout);
  assert.equal(uploads, 2);
  assert.match(stderr, /mais uma vez/);
  assert.equal((await account.client.listProjects()).projects.length, 1);
});

test("logs are searched by text, time, stream and section, as text and as a JSON document per line", async () => {
  await using line = await atFolder(await cluster.createAccount(), "sim print hello; warn broken; run");
  await up(line);
  await until(async () => /broken/.test(await run(line, ["logs"])));
  assert.match(
    await run(line, ["logs", "-q", "hel", "--since", "1h", "--stream", "stdout", "--section", "app"]),
    /hello\n$/,
  );
  assert.equal(await run(line, ["logs", "-q", "hello", "--until", "1h"]), "");
  const [first] = (await run(line, ["logs", "--stream", "stderr", "--json"])).split("\n");
  const { event, data } = JSON.parse(first ?? "") as { event: string; data: { text: string } };
  assert.deepEqual([event, data.text], ["log", "broken"]);
  assert.equal((await line.run(["logs", "--since", "yesterday"])).code, 2);
});

test("metrics, events, activity and the account are shown as text and as JSON", async () => {
  const account = await cluster.createAccount({ scopes: ["account:read", "activity:read"] });
  await using line = await atFolder(account);
  await up(line);
  assert.match(await run(line, ["events"]), /criado/);
  assert.match(await run(line, ["activity"]), /criou o projeto +meu-bot/);
  assert.match(
    await run(line, ["account"]),
    /Plano: +Stack[^]*Sites: +0 de 6\n *Domínios próprios: +0 de 10\n/,
  );
  assert.equal(
    (JSON.parse(await run(line, ["account", "--json"])) as { account: { id: string } }).account.id,
    account.id,
  );
  const metrics = JSON.parse(await run(line, ["metrics", "--json"])) as { stepSeconds: number };
  assert.ok(metrics.stepSeconds > 0);
  assert.notEqual(await run(line, ["metrics", "--range", "6h"]), "");
  await using other = await atFolder(await cluster.createAccount());
  const refused = await other.run(["account"]);
  assert.deepEqual(
    [refused.code, /account:read/.test(refused.stderr), /tijolo keys create/.test(refused.stderr)],
    [1, true, true],
  );
});

test("a person signs up with an invitation, makes a key for this computer, lists it and revokes it; no session stays", async () => {
  await using line = await atNewComputer();
  const { url } = (await cluster.operator.client().createInvitation({ body: { plan: "Stack" } })).invitation;
  const password = "uma senha bem comprida";
  line.typed = ["Bia", "bia@example.com", password, password];
  const signedUp = await line.run(["sign-up", "--invitation", url]);
  assert.equal(signedUp.code, 0, signedUp.stderr);
  assert.deepEqual(signedUp.asked.slice(2), ["[Senha nova (10 caracteres ou mais)]", "[Repita a senha]"]);

  line.environment = { TIJOLO_URL: cluster.central.url, TIJOLO_EMAIL: "bia@example.com" };
  line.typed = [password];
  const created = await line.run(["keys", "create", "--name", "notebook", "--save"]);
  assert.equal(created.code, 0, created.stderr);
  assert.doesNotMatch(created.stdout + created.stderr, /svc_/);
  const kept = await readFile(line.configurationFile, "utf8");
  assert.match(kept, /svc_/);
  assert.doesNotMatch(kept, /session|uma senha/);
  assert.equal(await run(line, ["list", "--json"]), '{"projects":[]}\n');
  assert.match(await run(line, ["account"]), /Stack/);

  line.isInteractive = false;
  line.input = `${password}\n`;
  assert.match(await run(line, ["keys", "list", "--password-stdin"]), /notebook +svc_/);
  await run(line, ["keys", "revoke", "notebook", "--password-stdin"]);
  assert.equal((await line.run(["list"])).code, 1);
  assert.equal((await line.run(["keys", "list"])).code, 2);

  const browser = new PanelSession(cluster.central.url);
  await browser.client.signIn({ body: { email: "bia@example.com", password } });
  const { sessions } = await browser.client.listSessions();
  assert.deepEqual(
    sessions.map(({ isCurrent }) => isCurrent),
    [true],
  );
});

test("a wrong password, and a second factor, are asked for and told", async () => {
  const person = await PanelSession.signUp(cluster);
  const { uri } = await person.client.beginTwoFactor({ body: { password: person.password } });
  await person.client.confirmTwoFactor({ body: { code: authenticatorCode(uri, cluster.clock.now()) } });
  await using line = await atNewComputer();
  line.environment = { TIJOLO_URL: cluster.central.url, TIJOLO_EMAIL: person.email };
  line.typed = ["wrong password"];
  const wrong = await line.run(["keys", "list"]);
  assert.deepEqual([wrong.code, /invalid_credentials/.test(wrong.stderr)], [1, true]);
  // A code counts once: the next one is of the next half minute.
  cluster.clock.advance(30_000);
  line.typed = [person.password, authenticatorCode(uri, cluster.clock.now())];
  const { code, asked, stderr } = await line.run(["keys", "list"]);
  assert.equal(code, 0, stderr);
  assert.deepEqual(asked, ["[Senha]", "Código do autenticador, ou um código de recuperação"]);
});

test("a link of the operator's sets a new password, once", async () => {
  const person = await PanelSession.signUp(cluster);
  const { url } = (await cluster.operator.client().createPasswordLink({ body: { email: person.email } }))
    .link;
  await using line = await atNewComputer();
  line.typed = ["outra senha comprida", "outra senha diferente"];
  assert.match((await line.run(["password", "reset", url])).stderr, /não são iguais/);
  line.typed = ["outra senha comprida", "outra senha comprida"];
  const { code, stderr } = await line.run(["password", "reset", url]);
  assert.equal(code, 0, stderr);
  await person.client.signIn({ body: { email: person.email, password: "outra senha comprida" } });
  line.typed = ["mais uma senha aqui", "mais uma senha aqui"];
  const again = await line.run(["password", "reset", url]);
  assert.deepEqual([again.code, /invalid_link/.test(again.stderr)], [1, true]);
});

test("a refusal for a while says for how long", async () => {
  await using strict = await TestCluster.create({ hosts: 0, hasRealLimits: true });
  strict.clock.hold();
  await using line = await CommandLine.create();
  line.environment = {
    TIJOLO_URL: strict.central.url,
    TIJOLO_KEY: (await strict.createAccount({ plan: "Free" })).key,
  };
  const refusal = async () => {
    const answer = await line.run(["list"]);
    return answer.code === 1 ? answer : undefined;
  };
  const { stderr } = await until(refusal, { timeoutMs: 300_000 });
  assert.match(stderr, /rate_limit_exceeded[^]*Tente de novo em \d+ s/);
});
