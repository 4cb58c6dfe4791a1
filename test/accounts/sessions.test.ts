/** Tests signing in and out; what the cookie looks like and what it is good for, how long, and from where. */

import assert from "node:assert/strict";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, test } from "node:test";
import { loggedLines } from "../support/logged-lines.ts";
import { PanelSession } from "../support/people/panel.ts";
import { projectWhen, simulatedBot, TestCluster } from "../support/cluster/test-cluster.ts";
import { until } from "../support/until.ts";

const dayMs = 24 * 60 * 60 * 1000;

let cluster: TestCluster;
before(async () => {
  cluster = await TestCluster.create({ hosts: 0, centralSettings: { TIJOLO_TRUSTED_PROXIES: "127.0.0.1" } });
});
after(() => cluster[Symbol.asyncDispose]());

test("the cookie is for this host, for HTTP only, and its secret is stored as a hash", async () => {
  const ana = await PanelSession.signUp(cluster);
  const answer = await ana.call("POST", "/sign-in", { json: { email: ana.email, password: ana.password } });
  const [cookie = "", ...others] = answer.headers.getSetCookie();
  assert.deepEqual(others, []);
  assert.match(cookie, /^tijolo-session=tjs_[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=2592000$/);
  const secret = ana.cookies.get("tijolo-session") ?? "";
  for (const table of ["session", "credential", "person", "activity"] as const) {
    const rows = JSON.stringify(await cluster.central.app.db.selectFrom(table).selectAll().execute());
    assert.ok(rows.length > 2, `${table} has rows`);
    for (const text of [secret, secret.slice(4), ana.password]) assert.ok(!rows.includes(text), table);
  }
  assert.ok(!answer.text.includes(secret.slice(4)), "the answer's body does not carry it");
});

test("behind TLS the cookie is Secure and bound to the host by its name", async () => {
  await using secure = await TestCluster.create({
    hosts: 0,
    centralSettings: { TIJOLO_PANEL_URL: "https://painel.example" },
  });
  const ana = await PanelSession.signUp(secure);
  const answer = await ana.call("POST", "/sign-in", { json: { email: ana.email, password: ana.password } });
  assert.match(
    answer.headers.getSetCookie().join(),
    /^__Host-tijolo-session=.*; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+; Secure$/,
  );
  assert.equal((await ana.client.getSession()).person.email, ana.email);
  const { url } = (await secure.operator.client().createInvitation({ body: {} })).invitation;
  assert.match(url, /^https:\/\/painel\.example\/sign-up\?invitation=tjl_/);
});

test("signing out ends the session with the next request, and takes the cookie back", async () => {
  const ana = await PanelSession.signUp(cluster);
  const kept = new Map(ana.cookies);
  await ana.client.signOut();
  assert.equal(ana.cookies.size, 0);
  const thief = new PanelSession(cluster.central.url);
  for (const [name, value] of kept) thief.cookies.set(name, value);
  assert.equal((await thief.call("GET", "/session")).code, "not_authenticated");
});

test("a person sees and ends the own sessions only", async () => {
  const ana = await PanelSession.signUp(cluster);
  const phone = await ana.elsewhere({ "user-agent": "Phone/1", "x-forwarded-for": "203.0.113.7" });
  const bia = await PanelSession.signUp(cluster);
  const { sessions } = await ana.client.listSessions();
  assert.equal(sessions.length, 2);
  const other = sessions.find(({ isCurrent }) => !isCurrent);
  assert.equal(other?.userAgent, "Phone/1");
  assert.equal(other?.address, "203.0.113.7");
  assert.equal((await bia.call("DELETE", `/account/sessions/${other?.id}`)).code, "not_found");
  assert.equal((await phone.call("GET", "/session")).status, 200);
  await ana.client.endSession({ sessionId: other?.id ?? "" });
  assert.equal((await phone.call("GET", "/session")).code, "not_authenticated");
  assert.equal((await ana.call("DELETE", `/account/sessions/${other?.id}`)).code, "not_found");
});

test("a session that is used lives on, up to 30 days; one that is not ends after 7", async () => {
  await using aging = await TestCluster.create({ hosts: 0 });
  const used = await PanelSession.signUp(aging);
  const unused = await used.elsewhere();
  for (let day = 0; day < 29; day++) {
    aging.clock.advance(dayMs);
    assert.equal((await used.call("GET", "/session")).status, 200, `day ${day}`);
    if (day === 7) assert.equal((await unused.call("GET", "/session")).code, "not_authenticated");
  }
  aging.clock.advance(dayMs + 1000);
  assert.equal((await used.call("GET", "/session")).code, "not_authenticated");
});

test("a cookie that somebody else chose never becomes a session", async () => {
  const ana = await PanelSession.signUp(cluster);
  const planted = `tjs_${"A".repeat(43)}`;
  const browser = new PanelSession(cluster.central.url);
  browser.cookies.set("tijolo-session", planted);
  await browser.client.signIn({ body: { email: ana.email, password: ana.password } });
  assert.notEqual(browser.cookies.get("tijolo-session"), planted);
  const attacker = new PanelSession(cluster.central.url);
  attacker.cookies.set("tijolo-session", planted);
  assert.equal((await attacker.call("GET", "/session")).code, "not_authenticated");
});

test("two cookies of the same name are nobody's", async () => {
  const ana = await PanelSession.signUp(cluster);
  const own = `tijolo-session=${ana.cookies.get("tijolo-session")}`;
  const stranger = new PanelSession(cluster.central.url);
  assert.equal((await stranger.call("GET", "/session", { headers: { cookie: own } })).status, 200);
  assert.equal(
    (await stranger.call("GET", "/session", { headers: { cookie: `${own}; tijolo-session=x` } })).code,
    "not_authenticated",
  );
});

test("a request with a key never uses the cookie", async () => {
  const ana = await PanelSession.signUp(cluster);
  assert.equal((await ana.call("GET", "/projects")).status, 200);
  assert.equal(
    (await ana.call("GET", "/projects", { token: `svc_${"x".repeat(43)}` })).code,
    "invalid_api_key",
  );
  assert.equal(
    (await ana.call("GET", "/session", { headers: { authorization: "Basic YQ==" } })).code,
    "invalid_api_key",
  );
});

test("changes that a browser sends from another site are refused, and take no effect", async () => {
  const ana = await PanelSession.signUp(cluster);
  const origin = new URL(cluster.central.url).origin;
  const refused: Record<string, string>[] = [
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
    { "sec-fetch-site": "none" },
    { "sec-fetch-site": "same-origin", origin: "https://evil.example" },
    { "sec-fetch-site": "cross-site", origin },
    { origin: "https://evil.example" },
    { origin: `${origin}.evil.example` },
    { origin: "null" },
    { origin: "" },
    { referer: "https://evil.example/" },
    { "user-agent": "Mozilla/5.0 (X11; Linux x86_64)" },
    { "sec-fetch-dest": "document" },
    { "upgrade-insecure-requests": "1" },
  ];
  for (const headers of refused) {
    const browser = new PanelSession(cluster.central.url, {});
    for (const [name, value] of ana.cookies) browser.cookies.set(name, value);
    const what = JSON.stringify(headers);
    assert.equal((await browser.call("DELETE", "/session", { headers })).code, "not_authenticated", what);
    assert.equal(
      (await browser.call("POST", "/account/not-me", { headers })).code,
      "not_authenticated",
      what,
    );
    const signIn = await browser.call("POST", "/sign-in", {
      json: { email: ana.email, password: ana.password },
      headers,
    });
    assert.equal(signIn.code, "not_authenticated", what);
    assert.deepEqual(signIn.headers.getSetCookie(), [], what);
    assert.equal(
      (await browser.call("POST", "/password/forgot", { json: { email: ana.email }, headers })).code,
      "not_authenticated",
      what,
    );
  }
  assert.equal((await ana.call("GET", "/session")).status, 200, "still signed in");
  const accepted: Record<string, string>[] = [
    { "sec-fetch-site": "same-origin" },
    { origin },
    { "sec-fetch-site": "same-origin", origin },
    {},
  ];
  for (const headers of accepted) {
    const browser = new PanelSession(cluster.central.url, {});
    const signIn = await browser.call("POST", "/sign-in", {
      json: { email: ana.email, password: ana.password },
      headers,
    });
    assert.equal(signIn.status, 200, JSON.stringify(headers));
    assert.equal(
      (await browser.call("DELETE", "/session", { headers })).status,
      204,
      JSON.stringify(headers),
    );
  }
});

test("a wrong password and an unknown e-mail get the same answer", async () => {
  const ana = await PanelSession.signUp(cluster);
  const stranger = new PanelSession(cluster.central.url);
  const wrong = await stranger.call("POST", "/sign-in", {
    json: { email: ana.email, password: "uma senha errada" },
  });
  const unknown = await stranger.call("POST", "/sign-in", {
    json: { email: "ninguem@example.com", password: "uma senha errada" },
  });
  assert.equal(wrong.code, "invalid_credentials");
  assert.equal(wrong.status, unknown.status);
  assert.equal(wrong.text, unknown.text);
  assert.deepEqual(headerNames(wrong.headers), headerNames(unknown.headers));
});

test("what a session holds open ends with it", async () => {
  await using running = await TestCluster.create();
  const ana = await PanelSession.signUp(running);
  const other = await ana.elsewhere();
  const { project } = await ana.client.createProject({ fields: {}, file: await simulatedBot("sim run") });
  await projectWhen(ana.client, project.id, ({ status }) => status === "stopped");
  await ana.client.startProject({ id: project.id });
  await projectWhen(ana.client, project.id, ({ status }) => status === "running");
  let isOpen = false;
  let isOver = false;
  const follow = async () => {
    for await (const event of other.client.streamLogs({ id: project.id })) isOpen ||= event !== undefined;
    isOver = true;
  };
  const stream = follow();
  await until(() => isOpen);
  assert.equal(isOver, false, "the project runs, and its log goes on");
  await ana.client.changePassword({
    body: { currentPassword: ana.password, newPassword: "outra senha bem comprida" },
  });
  await stream;
  assert.equal((await ana.client.getProject({ id: project.id })).project.status, "running");
});

test("a suspended account's person still signs in", async () => {
  const ana = await PanelSession.signUp(cluster);
  await cluster.operator.client().suspendAccount({ accountId: ana.accountId, body: {} });
  const again = await ana.elsewhere();
  assert.equal((await again.client.getAccount()).account.suspendedAt === null, false);
});

test("what a person does is in the account's activity, without secrets", async () => {
  const ana = await PanelSession.signUp(cluster);
  const other = await ana.elsewhere({ "user-agent": "Phone/1" });
  const { sessions } = await ana.client.listSessions();
  await ana.client.endSession({ sessionId: sessions.find(({ isCurrent }) => !isCurrent)?.id ?? "" });
  const { activity } = await ana.client.listActivity();
  assert.deepEqual(activity.map(({ action }) => action).toSorted(), [
    "account.session_end",
    "account.sign_in",
    "account.sign_up",
  ]);
  for (const { actor, address } of activity)
    assert.deepEqual([actor, address], [{ kind: "session", name: "Ana" }, "127.0.0.1"]);
  const text = JSON.stringify(activity);
  for (const secret of [ana.password, ...ana.cookies.values(), ...other.cookies.values()])
    assert.ok(!text.includes(secret));
});

test("a session whose last use cannot be written is still good, and the operator is told", async () => {
  const { lines, logger } = loggedLines("warn");
  await using full = await TestCluster.create({ hosts: 0, logger });
  const ana = await PanelSession.signUp(full);
  const file = new DatabaseSync(join(full.directory, "central", "central.sqlite"));
  file.exec(
    "create trigger disk_full before update on session begin select raise(abort, 'disk is full'); end",
  );
  file.close();
  full.clock.advance(10 * 60 * 1000);
  assert.equal((await ana.client.getSession()).person.email, ana.email);
  const told = lines.filter((entry) => entry.includes("the last use of a session could not be written"));
  assert.deepEqual([told.length, told[0]?.includes("disk is full")], [1, true]);
});

test("the secret of the installation is its owner's alone", async () => {
  const file = join(cluster.directory, "central", "auth-secret");
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  assert.ok((await readFile(file, "utf8")).trim().length >= 43);
});

test("sessions live on when central starts again", async () => {
  await using restarted = await TestCluster.create({ hosts: 0 });
  const ana = await PanelSession.signUp(restarted);
  await restarted.stopCentral();
  await restarted.startCentral();
  assert.equal((await ana.client.getSession()).person.email, ana.email);
});

function headerNames(headers: Headers): string[] {
  return [...headers.keys()].sort();
}
