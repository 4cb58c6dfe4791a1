/**
 * A client that others generate from the API description: its types are checked by the compiler with this
 * file, its calls go to a live cluster, and every operation is called.
 */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import createClient, { type Middleware } from "openapi-fetch";
import { operationNames, operations } from "@tijolo/protocol";
import type { components, paths } from "../generated/api.d.ts";
import { authenticatorCode } from "../support/people/authenticator.ts";
import { DescribedAnswers } from "../support/requests/described-answers.ts";
import { generateClientTypes } from "../support/requests/generate-client-types.ts";
import { PanelSession } from "../support/people/panel.ts";
import { atLocalhost, SoftPasskey } from "../support/people/soft-passkey.ts";
import { TestCluster } from "../support/cluster/test-cluster.ts";
import { until } from "../support/until.ts";
import { zipOf } from "../support/archives/zip-of.ts";

type Project = components["schemas"]["Project"];

test("the generated types are fresh", async () => {
  const written = await readFile(join(import.meta.dirname, "../generated/api.d.ts"), "utf8");
  assert.ok(written === (await generateClientTypes()), "run: node test/generated/write.ts");
});

test("a generated client makes, runs, changes and removes a project", async () => {
  await using cluster = await TestCluster.create();
  const baseUrl = `${cluster.centralUrl}/api`;
  const anybody = createClient<paths>({ baseUrl });
  const { data: description } = await anybody.GET("/openapi.json");
  const calls = new Calls(new DescribedAnswers(description ?? {}));
  const person = new PanelSession(cluster.centralUrl);
  const clientOf = (fetch: (request: Request) => Promise<Response>, url = baseUrl) => {
    const client = createClient<paths>({ baseUrl: url, fetch });
    client.use(calls.middleware);
    return client;
  };
  const panelOf = (session: PanelSession) =>
    clientOf(async (request) => {
      for (const [name, value] of Object.entries(session.headers)) request.headers.set(name, value);
      request.headers.set(
        "cookie",
        [...session.cookies].map(([name, value]) => `${name}=${value}`).join("; "),
      );
      const response = await fetch(request);
      for (const text of response.headers.getSetCookie()) {
        const [name = "", value = ""] = text.split(";", 1)[0]?.split("=") ?? [];
        session.cookies.set(name, value);
      }
      return response;
    }, `${session.centralUrl}/api`);

  const panel = panelOf(person);
  assert.equal(good(await panel.GET("/service")).signUp, "invitation");
  const email = "ana@example.com";
  const password = "uma senha bem comprida";
  const { token: invitation } = (
    await cluster.operator.client().createInvitation({ body: { plan: "Empresas" } })
  ).invitation;
  const signedIn = good(await panel.POST("/sign-up", { body: { name: "Ana", email, password, invitation } }));
  assert.ok(!signedIn.isConfirmationRequired);
  const unconfirmed = await panel.POST("/sign-up/confirm", { body: { token: "wrong" } });
  assert.equal(unconfirmed.error?.code, "sign_up_closed");
  const created = good(
    await panel.POST("/account/keys", {
      body: {
        name: "gerado",
        level: "write",
        scopes: [
          "projects:settings",
          "versions:rollback",
          "account:read",
          "activity:read",
          "notices:write",
          "domains:write",
        ],
        password,
      },
    }),
  );
  const api = clientOf((request) => {
    request.headers.set("authorization", `Bearer ${created.secret}`);
    return fetch(request);
  });

  const zip = await zipOf({
    "svc.json": JSON.stringify({ language: "node", command: "sim print hello; run" }),
    "index.js": "",
  });
  const form = (fields: { file: string; name?: string; start?: boolean }) => {
    const data = new FormData();
    for (const [name, value] of Object.entries(fields)) if (name !== "file") data.append(name, String(value));
    data.append("file", new Blob([zip]), fields.file);
    return data;
  };
  const upload = { bodySerializer: form } as const;
  const idempotency = { header: { "Idempotency-Key": "first" } };
  const { project } = good(
    await api.POST("/projects", {
      ...upload,
      body: { file: "bot.zip", name: "gerado", start: true },
      params: idempotency,
    }),
  );
  const params = { path: { id: project.id } };
  const when = (status: Project["status"]) =>
    until(async () => good(await api.GET("/projects/{id}", { params })).project.status === status, {
      everyMs: 20,
    });
  await when("running");
  const named = { path: { ...params.path, hostname: "www.loja.com.br" } };
  assert.deepEqual(good(await api.GET("/projects/{id}/domains", { params })).domains, []);
  const domain = await api.POST("/projects/{id}/domains", { params, body: { hostname: "www.loja.com.br" } });
  assert.equal(domain.error?.code, "invalid_domain", "it is a bot");
  const verified = await api.POST("/projects/{id}/domains/{hostname}/verify", { params: named });
  assert.equal(verified.error?.code, "not_found");
  const settings = "/projects/{id}/site-settings";
  assert.equal(good(await api.GET(settings, { params })).siteSettings.maintenance, false);
  const changed = await api.PUT(settings, { params, body: { maintenance: true } });
  assert.deepEqual(good(changed).siteSettings, {
    maintenance: true,
    hsts: true,
    compression: true,
    healthPath: null,
    drainSeconds: null,
    deploy: "hold",
    protocol: "http1",
    accessLog: "off",
  });
  const onePage = { path: { ...params.path, status: "503" } } as const;
  const pages = "/projects/{id}/pages/{status}";
  const html = "<p>Voltamos já.";
  assert.equal(good(await api.PUT(pages, { params: onePage, body: { html } })).page.sizeBytes, 16);
  assert.equal(good(await api.GET(pages, { params: onePage })).page.html, html);
  assert.equal((await api.DELETE(pages, { params: onePage })).response.status, 204);
  assert.deepEqual(good(await api.GET("/projects/{id}/pages", { params })).pages, []);
  const certificate = "/projects/{id}/domains/{hostname}/certificate";
  const brought = await api.PUT(certificate, { params: named, body: { certificate: "", privateKey: "" } });
  assert.equal(brought.error?.code, "not_found");
  const taken = await api.DELETE(certificate, { params: named });
  assert.equal(taken.error?.code, "not_found");
  const removed = await api.DELETE("/projects/{id}/domains/{hostname}", { params: named });
  assert.equal(removed.error?.code, "not_found");
  assert.deepEqual(
    good(await api.GET("/projects")).projects.map(({ name }) => name),
    ["gerado"],
  );

  const logs = { params: { ...params, query: { lines: 10, follow: false } } };
  await until(async () => {
    const { data } = await api.GET("/projects/{id}/logs", logs);
    return typeof data === "object" && data.lines.some(({ text }) => text === "hello");
  });
  const file = await api.GET("/projects/{id}/logs/download", {
    params: { ...params, query: { section: "app" } },
    parseAs: "text",
  });
  assert.match(good(file), /^\S+ app stdout v1 hello$/m);
  const metrics = good(
    await api.GET("/projects/{id}/metrics", { params: { ...params, query: { range: "1h" } } }),
  );
  assert.ok(metrics.stepSeconds > 0);
  const sparklines = good(await api.GET("/account/metrics", { params: { query: { range: "24h" } } }));
  assert.deepEqual(
    sparklines.projects.map(({ id, memoryMb }) => [id, memoryMb.length]),
    [[project.id, 24]],
  );
  const { analytics } = good(await api.GET("/projects/{id}/analytics", { params }));
  assert.deepEqual([analytics.totals.visits, analytics.top.paths], [0, []]);
  const variables = good(
    await api.PUT("/projects/{id}/variables", { params, body: { variables: { A: "1", B: "2" } } }),
  );
  assert.equal(variables.isRestartRequired, true);
  good(await api.PATCH("/projects/{id}/variables", { params, body: { variables: { A: null } } }));
  assert.deepEqual(good(await api.GET("/projects/{id}/variables", { params })).variables, { B: "2" });
  const patched = good(await api.PATCH("/projects/{id}", { params, body: { name: "novo", memoryMb: 512 } }));
  assert.deepEqual(
    [patched.project.name, patched.project.memoryMb, patched.isRestartRequired],
    ["novo", 512, true],
  );
  good(await api.POST("/projects/{id}/restart", { params }));
  await when("running");
  good(await api.POST("/projects/{id}/code", { ...upload, params, body: { file: "novo.zip" } }));
  await until(async () => good(await api.GET("/projects/{id}", { params })).project.status === "running", {
    everyMs: 20,
  });
  good(await api.POST("/projects/{id}/stop", { params }));
  await when("stopped");
  good(await api.POST("/projects/{id}/start", { params }));
  await when("running");
  assert.equal(good(await api.GET("/account")).account.id, signedIn.account.id);
  assert.ok(
    good(await api.GET("/account/activity", { params: { query: { limit: 5 } } })).activity.length > 0,
  );
  assert.ok(good(await api.GET("/projects/{id}/events", { params })).events.length > 0);
  good(await panel.POST("/notices/channels/test"));
  const [notice] = good(await api.GET("/notices", { params: { query: { unread: true } } })).notices;
  assert.equal(notice?.kind, "test");
  const noticeId = notice?.id ?? "";
  assert.ok(
    good(await api.POST("/notices/{noticeId}/read", { params: { path: { noticeId } } })).notice.isRead,
  );
  assert.equal(good(await api.POST("/notices/read-all")).read, 0);
  const { channels } = good(await panel.GET("/notices/channels"));
  assert.equal(channels.webhook, null);
  const webhook = { url: "https://example.com/tijolo", kinds: ["limit" as const] };
  const body = { email: { kinds: channels.email.kinds }, discord: null, webhook };
  assert.match(good(await panel.PUT("/notices/channels", { body })).signingKey ?? "", /^[\w-]{43}$/);
  const [newest] = good(await api.GET("/projects/{id}/versions", { params })).versions;
  assert.deepEqual([newest?.isCurrent, newest?.isServing], [true, true]);
  const first = { path: { ...params.path, number: 1 } };
  const archive = await api.GET("/projects/{id}/versions/{number}/archive", {
    params: first,
    parseAs: "arrayBuffer",
  });
  assert.deepEqual(Buffer.from(good(archive)), Buffer.from(zip));
  const rolledBack = await api.POST("/projects/{id}/versions/{number}/rollback", { params: first });
  assert.equal(rolledBack.response.status, 202);
  await when("running");

  assert.deepEqual(good(await api.GET("/projects/{id}/replaced", { params })).replaced, []);
  const ofVersion = { path: { ...params.path, version: "1" } };
  const restored = await api.POST("/projects/{id}/replaced/{version}/restore", {
    params: ofVersion,
    body: { path: "data.db" },
  });
  assert.equal(restored.error?.code, "not_found");

  const { data: live } = await panel.GET("/events", { params: { query: { follow: false } } });
  assert.ok(typeof live === "object");
  assert.deepEqual(
    live.projects.map(({ project }) => project.id),
    [params.path.id],
  );

  const refused = await api.GET("/projects/{id}", { params: { path: { id: "0".repeat(26) } } });
  assert.equal(refused.error?.code, "not_found");
  const tooSmall = await api.PATCH("/projects/{id}", { params, body: { memoryMb: 1 } });
  assert.equal(tooSmall.error?.code === "invalid_config" && tooSmall.error.field, "memoryMb");

  assert.equal((await panel.DELETE("/projects/{id}", { params })).response.status, 204);
  assert.equal((await api.GET("/projects/{id}", { params })).error?.code, "not_found");

  assert.equal(good(await panel.GET("/account/keys")).keys.length, 1);
  assert.equal(
    (await panel.DELETE("/account/keys/{keyId}", { params: { path: { keyId: created.key.id } } })).response
      .status,
    204,
  );
  assert.equal(good(await panel.GET("/session")).person.email, email);
  const { uri } = good(await panel.POST("/account/two-factor", { body: { password } }));
  const codeAt = (offsetMs: number) => authenticatorCode(uri, cluster.clock.now() + offsetMs);
  assert.equal(
    (await panel.POST("/account/two-factor/confirm", { body: { code: codeAt(0) } })).response.status,
    204,
  );
  const { recoveryCodes } = good(
    await panel.POST("/account/two-factor/recovery-codes", { body: { password } }),
  );
  const other = panelOf(new PanelSession(cluster.centralUrl));
  assert.equal(good(await other.POST("/sign-in", { body: { email, password } })).isTwoFactorRequired, true);
  good(await other.POST("/sign-in/two-factor", { body: { recoveryCode: recoveryCodes[0] ?? "" } }));
  const { sessions } = good(await panel.GET("/account/sessions"));
  const sessionId = sessions.find(({ isCurrent }) => !isCurrent)?.id ?? "";
  assert.equal(
    (await panel.DELETE("/account/sessions/{sessionId}", { params: { path: { sessionId } } })).response
      .status,
    204,
  );
  assert.equal(
    (await panel.POST("/account/two-factor/disable", { body: { password } })).response.status,
    204,
  );
  const local = atLocalhost(person);
  const atHome = panelOf(local);
  const phone = new SoftPasskey();
  const begun = good(await atHome.POST("/account/passkeys/begin", { body: { password } }));
  const credential = phone.create(begun.options, { origin: local.centralUrl });
  const { passkey } = good(await atHome.POST("/account/passkeys", { body: { name: "Celular", credential } }));
  const ofPasskey = { params: { path: { passkeyId: passkey.id } } };
  good(await atHome.PATCH("/account/passkeys/{passkeyId}", { ...ofPasskey, body: { name: "Novo" } }));
  assert.deepEqual(
    good(await atHome.GET("/account/passkeys")).passkeys.map(({ name }) => name),
    ["Novo"],
  );
  const { options } = good(await atHome.POST("/sign-in/passkey/begin"));
  const used = phone.use(options, { origin: local.centralUrl });
  good(await atHome.POST("/sign-in/passkey", { body: { credential: used } }));
  const confirming = good(await atHome.POST("/session/confirm/passkey/begin")).options;
  const again = phone.use(confirming, { origin: local.centralUrl });
  const confirmed = await atHome.POST("/session/confirm/passkey", { body: { credential: again } });
  assert.equal(confirmed.response.status, 204);
  assert.equal(
    (await atHome.POST("/account/passkeys/{passkeyId}/remove", { ...ofPasskey, body: { password } })).response
      .status,
    204,
  );
  const newPassword = "outra senha bem comprida";
  const change = { body: { currentPassword: password, newPassword } };
  assert.equal((await panel.POST("/account/password", change)).response.status, 204);
  assert.equal((await panel.POST("/password/forgot", { body: { email } })).response.status, 204);
  const link = (await cluster.operator.client().createPasswordLink({ body: { email } })).link;
  assert.equal(
    (await panel.POST("/password/reset", { body: { token: link.token, password } })).response.status,
    204,
  );
  good(await panel.POST("/sign-in", { body: { email, password } }));
  assert.equal((await panel.DELETE("/session")).response.status, 204);
  good(await panel.POST("/sign-in", { body: { email, password } }));
  assert.equal((await panel.POST("/session/confirm", { body: { password } })).response.status, 204);
  assert.equal((await panel.POST("/account/not-me")).response.status, 204);
  assert.equal((await panel.POST("/not-me", { body: { token: "wrong" } })).error?.code, "invalid_link");

  const start = { token: "wrong", email, password };
  assert.equal((await panel.POST("/start", { body: start })).error?.code, "invalid_start_link");

  const health = good(await api.GET("/status")).health;
  assert.equal(health.state, "operational");
  await api.GET("/openapi.json");
  await api.GET("/svc.schema.json");
  await api.GET("/docs", { parseAs: "text" });
  assert.deepEqual(calls.missing(), [], "these operations were never called");
});

/** The answer's body; throws for an error answer. */
function good<Data>({ data, error, response }: { data?: Data; error?: unknown; response: Response }): Data {
  assert.ok(data !== undefined, `${response.url} answered ${response.status} ${JSON.stringify(error)}`);
  return data;
}

/** Records which operations were called; each answer is checked against the description. */
class Calls {
  readonly #described: DescribedAnswers;
  readonly #called = new Set<string>();

  constructor(described: DescribedAnswers) {
    this.#described = described;
  }

  readonly middleware: Middleware = {
    onResponse: async ({ request, response, schemaPath }) => {
      const name = operationNames.find(
        (known) => operations[known].path === schemaPath && operations[known].method === request.method,
      );
      assert.ok(name, `${request.method} ${schemaPath}`);
      this.#called.add(name);
      const text = await response.clone().text();
      const json =
        response.headers.get("content-type")?.includes("json") === true
          ? (JSON.parse(text) as unknown)
          : undefined;
      this.#described.assert(name, {
        status: response.status,
        headers: response.headers,
        text,
        json,
        code: undefined,
      });
    },
  };

  missing(): string[] {
    // The operators' are called by `cluster-authorization.test.ts`, and held against the description there.
    const ofAccounts = operationNames.filter((name) => operations[name].access.kind !== "operator");
    return ofAccounts.filter((name) => !this.#called.has(name));
  }
}
