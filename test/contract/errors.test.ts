/**
 * Every code of the error table has a case: those of the specification in the conformance suite, those of the
 * panel and of operators here.
 */

import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { after, before, test } from "node:test";
import { errorCodes, errorTable, type ErrorCode } from "@tijolo/protocol";
import { apiRequest, type ApiAnswer } from "../support/requests/api-request.ts";
import { assertErrorBody } from "../support/requests/assert-contract.ts";
import { authenticatorCode } from "../support/people/authenticator.ts";
import { makePasskey } from "../support/people/make-passkey.ts";
import { operatorPerson } from "../support/people/operator-person.ts";
import { PanelSession } from "../support/people/panel.ts";
import { atLocalhost, SoftPasskey } from "../support/people/soft-passkey.ts";
import { StoredArchive } from "../support/archives/stored-archive.ts";
import { zipOf } from "../support/archives/zip-of.ts";
import { TestCluster } from "../support/cluster/test-cluster.ts";
import { rowIds } from "../conformance/spec-rows.ts";

interface Case {
  code: ErrorCode;
  title: string;
  /** Fields beside `status`, `code`, `message`. */
  extra?: Record<string, unknown>;
  provoke(): Promise<ApiAnswer>;
}

let cluster: TestCluster;
before(async () => {
  cluster = await TestCluster.create();
});
after(() => cluster[Symbol.asyncDispose]());

const person = { name: "Ana", email: "someone@example.com", password: "uma senha bem comprida" };
const nobody = () => new PanelSession(cluster.centralUrl);

const asOperator = (token: string, method: string, path: string, body?: object) =>
  apiRequest(cluster.centralUrl, {
    method,
    path: `/api/cluster${path}`,
    token,
    ...(body === undefined
      ? {}
      : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
  });

/** Adds a domain to a site of a new account, `times` times; each time another one where `body` is null. */
async function addDomain(body: object | null, times = 1): Promise<ApiAnswer> {
  const panel = await PanelSession.signUp(cluster, { plan: "Block" });
  const { project } = await panel.client.createProject({ fields: {}, file: await staticSite() });
  const path = `/projects/${project.id}/domains`;
  const add = (index: number) =>
    panel.call("POST", path, { json: body ?? { hostname: `www${index}.loja.com.br` } });
  for (let index = 1; index < times; index++) assert.equal((await add(index)).status, 201);
  return add(times);
}

async function staticSite(): Promise<File> {
  const svcJson = JSON.stringify({ language: "static" });
  return new File([await zipOf({ "svc.json": svcJson, "index.html": "olá" })], "loja.zip");
}

const cases: Case[] = [
  {
    code: "invalid_certificate",
    title: "an operator's certificate that is none",
    extra: { field: "certificate", reason: "not_pem" },
    provoke: () =>
      asOperator(cluster.operatorToken, "PUT", "/certificates", { certificate: "", privateKey: "" }),
  },
  {
    code: "invalid_credentials",
    title: "signing in with a wrong password",
    provoke: async () => {
      const { email } = await PanelSession.signUp(cluster);
      return nobody().call("POST", "/sign-in", { json: { email, password: "wrong" } });
    },
  },
  {
    code: "invalid_code",
    title: "a wrong code of the authenticator",
    provoke: async () => {
      const panel = await PanelSession.signUp(cluster);
      const { uri } = await panel.client.beginTwoFactor({ body: { password: panel.password } });
      const right = [-30_000, 0, 30_000].map((fromNowMs) =>
        authenticatorCode(uri, cluster.clock.now() + fromNowMs),
      );
      const code = ["000000", "111111", "222222", "333333"].find((each) => !right.includes(each));
      return panel.call("POST", "/account/two-factor/confirm", { json: { code } });
    },
  },
  {
    code: "invalid_passkey",
    title: "a passkey that nobody has",
    provoke: async () => {
      const browser = atLocalhost(nobody());
      const { options } = await browser.client.beginPasskeySignIn();
      const credential = new SoftPasskey().use(options, {
        origin: browser.centralUrl,
        userHandle: "AQID",
      });
      return browser.call("POST", "/sign-in/passkey", { json: { credential } });
    },
  },
  {
    code: "passkey_limit_reached",
    title: "a twenty-first passkey",
    extra: { limit: 20 },
    provoke: async () => {
      const panel = atLocalhost(await PanelSession.signUp(cluster));
      for (let count = 0; count < 20; count++) await makePasskey(cluster, panel.email);
      return panel.call("POST", "/account/passkeys/begin", { json: { password: panel.password } });
    },
  },
  {
    code: "passkeys_unavailable",
    title: "a passkey at an IP address",
    provoke: () => nobody().call("POST", "/sign-in/passkey/begin"),
  },
  {
    code: "wrong_password",
    title: "a key confirmed with a wrong password",
    provoke: async () => {
      const panel = await PanelSession.signUp(cluster);
      return panel.call("POST", "/account/keys", { json: { name: "x", level: "read", password: "wrong" } });
    },
  },
  {
    code: "sign_up_closed",
    title: "signing up without the invitation that is needed",
    provoke: () => nobody().call("POST", "/sign-up", { json: person }),
  },
  {
    code: "invalid_link",
    title: "setting a password with a link that nobody was given",
    provoke: () =>
      nobody().call("POST", "/password/reset", {
        json: { token: "x".repeat(43), password: person.password },
      }),
  },
  {
    code: "email_taken",
    title: "signing up with the e-mail of another",
    provoke: async () => {
      const { email } = await PanelSession.signUp(cluster);
      const { token: invitation } = (await cluster.admin.createInvitation({ body: {} })).invitation;
      return nobody().call("POST", "/sign-up", { json: { ...person, email, invitation } });
    },
  },
  {
    code: "invalid_operator_token",
    title: "an account's key where only an operator may call",
    provoke: async () => asOperator((await cluster.createAccount()).key, "GET", "/hosts"),
  },
  {
    code: "insufficient_role",
    title: "a viewer who changes something",
    extra: { requiredRole: "operator" },
    provoke: async () => {
      const { token } = await cluster.admin.addOperator({ body: { name: "viewer", role: "viewer" } });
      return asOperator(token, "DELETE", `/operators/${"0".repeat(26)}`);
    },
  },
  {
    code: "invalid_domain",
    title: "a public suffix as a site's domain",
    extra: { field: "hostname", reason: "public_suffix" },
    provoke: () => addDomain({ hostname: "com.br" }),
  },
  {
    code: "wildcard_not_available",
    title: "a domain with * where DNS cannot be written for certificates",
    provoke: () => addDomain({ hostname: "*.loja.com.br" }),
  },
  {
    code: "domain_taken",
    title: "a domain that the account has already",
    provoke: () => addDomain({ hostname: "www.loja.com.br" }, 2),
  },
  {
    code: "domain_limit_reached",
    title: "a fourth domain on a plan with three",
    extra: { limit: 3 },
    provoke: () => addDomain(null, 4),
  },
  {
    code: "last_owner",
    title: "revoking the only owner",
    provoke: async () => {
      const [first] = (await cluster.admin.listOperators()).operators;
      return asOperator(cluster.operatorToken, "DELETE", `/operators/${first?.id}`);
    },
  },
  {
    code: "two_factor_required",
    title: "a person with a role and without a second factor",
    provoke: async () => {
      const panel = await PanelSession.signUp(cluster);
      await cluster.admin.addOperatorPerson({ body: { email: panel.email, role: "viewer" } });
      return panel.call("GET", "/cluster/hosts");
    },
  },
  {
    code: "confirmation_required",
    title: "a change by a person who was confirmed too long ago",
    provoke: async () => {
      const { ana } = await operatorPerson(cluster, { role: "operator" });
      cluster.clock.advance(15 * 60_000);
      return ana.call("POST", "/cluster/invitations", { json: {} });
    },
  },
  {
    code: "invalid_start_link",
    title: "a start link that nobody made",
    provoke: async () =>
      nobody().call("POST", "/start", {
        json: { token: "x".repeat(43), email: "eva@example.com", password: "uma senha bem comprida" },
      }),
  },
  {
    code: "operator_limit_reached",
    title: "one operator more than a hundred",
    extra: { limit: 100 },
    provoke: async () => {
      const body = { name: "many", role: "viewer" };
      const add = () => asOperator(cluster.operatorToken, "POST", "/operators", body);
      let answer = await add();
      for (let count = 0; count < 100 && answer.status === 201; count++) answer = await add();
      return answer;
    },
  },
  {
    code: "key_limit_reached",
    title: "an eleventh key",
    extra: { limit: 10 },
    provoke: async () => {
      const panel = await PanelSession.signUp(cluster);
      const make = () =>
        panel.call("POST", "/account/keys", { json: { name: "x", level: "read", password: panel.password } });
      for (let count = 0; count < 10; count++) assert.equal((await make()).status, 201);
      return make();
    },
  },
  {
    code: "archive_gone",
    title: "the archive of a version that the store has lost",
    provoke: async () => {
      await using stored = await StoredArchive.create();
      await rm(stored.file);
      return await stored.download();
    },
  },
  {
    code: "range_not_satisfiable",
    title: "a range after the end of an archive",
    provoke: async () => {
      await using stored = await StoredArchive.create();
      return await stored.download({ range: "bytes=100000000-" });
    },
  },
];

for (const { code, title, extra = {}, provoke } of cases) {
  test(`${code}: ${title}`, async () => {
    const answer = await provoke();
    assert.deepEqual([answer.status, answer.code], [errorTable[code].status, code], answer.text);
    assertErrorBody(answer);
    for (const [field, value] of Object.entries(extra))
      assert.deepEqual((answer.json as Record<string, unknown>)[field], value, field);
  });
}

test("the same error in English has the same code", async () => {
  const ask = (language: string) =>
    apiRequest(cluster.centralUrl, {
      method: "GET",
      path: "/api/projects",
      headers: { "accept-language": language },
    });
  for (const language of ["en", "en-US,en;q=0.9", " EN"]) {
    const answer = await ask(language);
    assert.equal(answer.code, "invalid_api_key");
    assertErrorBody(answer, "en");
  }
  for (const language of ["pt-BR", "fr", "*", "enough"]) assertErrorBody(await ask(language), "pt");
});

test("the rows of the specification and the cases here are the whole error table", () => {
  const ofSpec = rowIds
    .filter((row) => row.startsWith("error.") && row !== "error.retry_after")
    .map((row) => row.slice("error.".length));
  const here = cases.map(({ code }) => code);
  assert.deepEqual([...ofSpec, ...here].sort(), errorCodes.toSorted());
});
