/** Tests who may open a live stream, how many, and when it ends. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ApiError } from "@tijolo/protocol";
import { LiveReader } from "../support/live/live-reader.ts";
import { PanelSession } from "../support/people/panel.ts";
import { SimulatedProject } from "../support/projects/simulated-project.ts";
import { TestCluster } from "../support/cluster/test-cluster.ts";
import { until } from "../support/until.ts";

let cluster: TestCluster;
before(async () => {
  cluster = await TestCluster.create({ apiBounds: { callerCheckMs: 100, pingMs: 50 } });
});
after(() => cluster[Symbol.asyncDispose]());

test("a session that is ended elsewhere is told so, and its stream ends; the others go on", async () => {
  const ana = await PanelSession.signUp(cluster);
  const phone = await ana.elsewhere();
  await using here = await LiveReader.whole(ana);
  await using there = await LiveReader.whole(phone);
  const { sessions } = await ana.client.listSessions();
  await ana.client.endSession({ sessionId: sessions.find(({ isCurrent }) => !isCurrent)?.id ?? "" });
  await until(() => there.isOver);
  assert.equal(there.state.ended, "ended");
  assert.equal(there.events.at(-1)?.event, "session_ended");
  assert.equal(here.isOver, false);

  const tablet = await ana.elsewhere();
  await using third = await LiveReader.whole(tablet);
  const newPassword = "outra senha bem comprida";
  await ana.client.changePassword({ body: { currentPassword: ana.password, newPassword } });
  await until(() => third.isOver);
  assert.equal(third.state.ended, "ended");
  assert.equal(here.isOver, false);
  await ana.client.signOut();
  await until(() => here.isOver);
  assert.equal(here.state.ended, "ended");
});

test("a session whose time is over is told so", async () => {
  const ana = await PanelSession.signUp(cluster);
  await using live = await LiveReader.whole(ana);
  cluster.clock.advance(31 * 24 * 60 * 60 * 1000);
  await until(() => live.isOver);
  assert.equal(live.state.ended, "expired");
});

test("a fourth stream of a session is refused until another one is closed", async () => {
  const ana = await PanelSession.signUp(cluster);
  await using stack = new AsyncDisposableStack();
  const open = [];
  for (let count = 0; count < 3; count++) open.push(stack.use(await LiveReader.whole(ana)));
  await assert.rejects(
    LiveReader.whole(ana),
    (error) => error instanceof ApiError && error.code === "too_many_requests",
  );
  const refused = await ana.call("GET", "/events");
  assert.equal(refused.status, 429);
  assert.ok(Number(refused.headers.get("retry-after")) > 0);
  await using _elsewhere = await LiveReader.whole(await ana.elsewhere());
  await open[0]?.[Symbol.asyncDispose]();
  await until(async () => stack.use(await LiveReader.whole(ana)).state.isComplete);
});

test("keys and operators are refused", async () => {
  const account = await cluster.createAccount();
  const call = (token: string) =>
    fetch(`${cluster.centralUrl}/api/events`, { headers: { authorization: `Bearer ${token}` } });
  for (const [token, code] of [
    [account.key, "api_key_not_allowed"],
    [cluster.operatorToken, "not_authenticated"],
  ] as const) {
    const body = (await (await call(token)).json()) as { code: string };
    assert.equal(body.code, code);
  }
});

test("a silent stream carries comments", async () => {
  const ana = await PanelSession.signUp(cluster);
  const controller = new AbortController();
  const cookie = [...ana.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const answer = await fetch(`${cluster.centralUrl}/api/events`, {
    headers: { cookie },
    signal: controller.signal,
  });
  assert.equal(answer.headers.get("content-type"), "text/event-stream; charset=utf-8");
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of answer.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.includes(": ping\n\n")) break;
  }
  controller.abort();
  assert.match(text, /event: snapshot\n/);
});

test("the error of a project is told in the language of the reader", async () => {
  const ana = await PanelSession.signUp(cluster);
  const english = new PanelSession(ana.centralUrl, { ...ana.headers, "accept-language": "en" });
  for (const [name, value] of ana.cookies) english.cookies.set(name, value);
  await using inPortuguese = await LiveReader.whole(ana);
  await using inEnglish = await LiveReader.whole(english);
  const { id } = await SimulatedProject.create(ana, "sim fail-start no");
  const message = async (live: LiveReader) =>
    (await live.shows(id, ({ project }) => project.error !== null)).project.error?.message;
  const [pt, en] = [await message(inPortuguese), await message(inEnglish)];
  assert.notEqual(pt, en);
  const shown = async (session: PanelSession) =>
    (await session.client.getProject({ id })).project.error?.message;
  assert.deepEqual([await shown(ana), await shown(english)], [pt, en]);
  assert.deepEqual(
    (await english.client.listProjects({})).projects.map(({ error }) => error?.message),
    [en],
  );
  for (const path of ["/projects", `/projects/${id}`, "/projects/unknown"])
    assert.equal((await english.call("GET", path)).headers.get("vary"), "accept-language", path);
});
