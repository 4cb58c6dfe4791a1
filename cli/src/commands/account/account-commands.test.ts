import assert from "node:assert/strict";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { createRunner } from "../../../../test/support/commands/command-runner.ts";

test("without a login the error says what to run", async () => {
  await using runner = await createRunner();
  runner.environment = {};
  const { code, stderr } = await runner.run(["list"]);
  assert.equal(code, 1);
  assert.match(stderr, /tijolo login/);
  for (const words of [["list"], ["cluster", "plans"]])
    assert.equal(JSON.parse((await runner.run([...words, "--json"])).stdout).error.code, "not_logged_in");
});

test("login keeps a key that the server takes, for its owner's eyes only, and later commands use it", async () => {
  await using runner = await createRunner();
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
  await using runner = await createRunner();
  runner.environment = {};
  runner.typed = ["http://central", "svc_typed"];
  await runner.run(["login"]);
  const asked = runner.requests.length;
  runner.environment = { TIJOLO_URL: "http://elsewhere" };
  assert.equal((await runner.run(["list"])).code, 1);
  assert.equal(runner.requests.length, asked);
});

test("login keeps nothing when the server refuses the key", async () => {
  await using runner = await createRunner();
  runner.answer = () =>
    Response.json({ status: "error", code: "invalid_api_key", message: "Chave errada." }, { status: 401 });
  const { code, stderr } = await runner.run(["login"]);
  assert.equal(code, 1);
  assert.match(stderr, /Chave errada.*invalid_api_key/);
  await assert.rejects(stat(join(runner.folder, "config")), { code: "ENOENT" });
});

test("the link of a mail says that a sign-in was somebody else's, without a login", async () => {
  await using runner = await createRunner();
  runner.environment = {};
  const sent: unknown[] = [];
  runner.answer = async (request) => {
    sent.push([request.method, request.url, await request.json(), request.headers.get("authorization")]);
    return new Response(null, { status: 204 });
  };
  const { code, stdout, stderr } = await runner.run(["not-me", "http://central/not-me?token=tjl_x"]);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /as chaves de API foram revogadas/);
  assert.deepEqual(sent, [["POST", "http://central/api/not-me", { token: "tjl_x" }, null]]);
  assert.equal((await runner.run(["not-me"])).code, 2);
});

test("a sign-up that a mail confirms says so, and the mail's link makes the account", async () => {
  await using runner = await createRunner();
  runner.environment = { TIJOLO_URL: "http://central" };
  const sent: string[] = [];
  runner.answer = (request) => {
    const { pathname } = new URL(request.url);
    sent.push(`${request.method} ${pathname}`);
    if (pathname === "/api/sign-up") return Response.json({ isConfirmationRequired: true }, { status: 201 });
    if (pathname === "/api/session") return new Response(null, { status: 204 });
    const account = { id: "0".repeat(26), name: "Ana" };
    const person = { name: "Ana", email: "ana@example.com", hasTwoFactor: false };
    const at = "2026-01-01T00:00:00.000Z";
    const session = {
      id: "s",
      isCurrent: true,
      address: null,
      userAgent: null,
      createdAt: at,
      expiresAt: at,
    };
    return Response.json({ account, person, session }, { status: 201 });
  };
  runner.input = "uma senha bem comprida\n";
  const asked = await runner.run([
    "sign-up",
    "--name",
    "Ana",
    "--email",
    "ana@example.com",
    "--password-stdin",
  ]);
  assert.equal(asked.code, 0, asked.stderr);
  assert.match(asked.stdout, /Se ana@example\.com ainda não tem conta.*tijolo confirm/);
  const made = await runner.run(["confirm", "http://central/sign-up/confirm?token=tjl_x"]);
  assert.equal(made.code, 0, made.stderr);
  assert.match(made.stdout, /Conta criada: Ana/);
  assert.deepEqual(sent, ["POST /api/sign-up", "POST /api/sign-up/confirm", "DELETE /api/session"]);
});

test("a link for a new password is asked for by e-mail", async () => {
  await using runner = await createRunner();
  const bodies: unknown[] = [];
  runner.answer = async (request) => {
    bodies.push([request.url, await request.json()]);
    return new Response(null, { status: 204 });
  };
  const { code, stdout } = await runner.run(["password", "forgot", "--email", "ana@example.com"]);
  assert.equal(code, 0);
  assert.match(stdout, /ana@example\.com.*tijolo password reset/);
  assert.deepEqual(bodies, [["http://central/api/password/forgot", { email: "ana@example.com" }]]);
  assert.equal((await runner.run(["password", "forgot"])).code, 2);
});

test("keys are handled in a session that ends with the command, whatever happens in it", async () => {
  await using runner = await createRunner();
  runner.environment = { TIJOLO_URL: "http://central", TIJOLO_EMAIL: "ana@example.org" };
  runner.input = "a password\n";
  const seen: string[] = [];
  runner.answer = (request) => {
    seen.push(`${request.method} ${new URL(request.url).pathname} ${request.headers.get("cookie") ?? "-"}`);
    assert.equal(request.headers.get("origin"), "http://central");
    if (request.url.endsWith("/sign-in")) {
      const headers = { "set-cookie": "tijolo-session=abc; Path=/; HttpOnly" };
      return Response.json({ isTwoFactorRequired: false }, { headers });
    }
    if (request.method === "DELETE") return new Response(null, { status: 204 });
    return Response.json({ status: "error", code: "internal_error", message: "Falhou." }, { status: 500 });
  };
  assert.equal((await runner.run(["keys", "list", "--password-stdin"])).code, 1);
  assert.deepEqual(seen, [
    "POST /api/sign-in -",
    "GET /api/account/keys tijolo-session=abc",
    "DELETE /api/session tijolo-session=abc",
  ]);
  await assert.rejects(stat(runner.configurationFile), { code: "ENOENT" });
});

test("the activity says which key was revoked and what a setting was, on one line each", async () => {
  await using runner = await createRunner();
  const entry = {
    id: "01K",
    at: "2026-01-31T12:00:00.000Z",
    actor: { kind: "session", name: "Ana" },
    project: null,
    address: null,
  };
  const activity = [
    {
      ...entry,
      action: "key.revoke",
      before: { name: "notebook", prefix: "svc_ab", level: "read" },
      after: null,
    },
    {
      ...entry,
      action: "project.settings",
      before: { installCommand: "npm\ni" },
      after: { installCommand: null },
    },
  ];
  runner.answer = () => Response.json({ activity, nextCursor: null });
  const [revoked = "", changed = "", end] = (await runner.run(["activity"])).stdout.split("\n");
  assert.match(revoked, /revogou uma chave .* nome: notebook; começo: svc_ab; nível: leitura$/);
  assert.match(changed, /alterou a configuração .* comando de instalação: npm i → \(vazio\)$/);
  assert.equal(end, "");
  assert.deepEqual(JSON.parse((await runner.run(["activity", "--json"])).stdout), {
    activity,
    nextCursor: null,
  });
});
