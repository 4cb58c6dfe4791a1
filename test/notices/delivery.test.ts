/**
 * Tests the delivery of notices: to a receiver that hangs, refuses or redirects, by mail, and when central
 * ends.
 */

import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { test } from "node:test";
import { noteFailingChannels } from "../../central/src/app/notices/failing-channels.ts";
import { transact } from "../../central/src/store/store.ts";
import { insertAccount } from "../../central/src/store/tables/accounts/account.ts";
import { insertPerson } from "../../central/src/store/tables/people/person.ts";
import { Mailbox } from "../support/people/mailbox.ts";
import { makeNotice } from "../support/notices/make-notice.ts";
import { noticedPerson, webhookWhen } from "../support/notices/noticed-person.ts";
import { PanelSession } from "../support/people/panel.ts";
import { Receiver } from "../support/notices/receiver.ts";
import { until } from "../support/until.ts";

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

test("a webhook gets a signed document; what is not of its kinds stays in the list", async () => {
  await using app = await noticedPerson();
  await makeNotice(app.cluster, app.ana.accountId, {
    kind: "limit",
    project: { id: "01J0000000000000000000000A", name: "bot" },
    resource: "disk",
    percent: 75,
    limitMb: 1,
  });
  const id = await app.note();
  const [hook] = await app.receiver.received(1);
  assert.ok(hook !== undefined);
  assert.deepEqual([hook.json["id"], hook.json["kind"]], [id, "announcement"]);
  const [, seconds = "", signature] =
    /^t=(\d+),v1=(\w+)$/.exec(String(hook.headers["tijolo-signature"])) ?? [];
  assert.equal(
    signature,
    createHmac("sha256", app.signingKey).update(`${seconds}.${hook.body}`).digest("hex"),
  );
  await webhookWhen(app, ({ lastSentAt, lastError }) => lastSentAt !== null && lastError === null);
  assert.equal(await app.waiting(), 0);
  assert.equal(app.receiver.hooks.length, 1);
});

test("a receiver that answers 500 gets the same again after a minute, and then it is over", async () => {
  await using app = await noticedPerson();
  app.receiver.answer = (response) => response.writeHead(app.receiver.hooks.length === 1 ? 500 : 200).end();
  const id = await app.note();
  const { lastError } = await webhookWhen(app, ({ lastError }) => lastError !== null);
  assert.deepEqual([lastError?.code, lastError?.status], ["status", 500]);
  assert.equal(await app.waiting(), 1);
  app.cluster.clock.advance(minuteMs);
  const [, again] = await app.receiver.received(2);
  assert.deepEqual([again?.json["id"], again?.headers["tijolo-notice-id"]], [id, id]);
  const state = await webhookWhen(app, ({ lastSentAt }) => lastSentAt !== null);
  assert.deepEqual([state.lastError, state.failingSince, await app.waiting()], [null, null, 0]);
});

test("five tries are made, no more; after a day of failures the list says so, once", async () => {
  await using app = await noticedPerson();
  app.receiver.answer = (response) =>
    response.writeHead(302, { location: app.receiver.url("/inside") }).end();
  await app.note();
  let seenAt: string | undefined;
  for (const [tries, pauseMs] of [
    [1, minuteMs],
    [2, 10 * minuteMs],
    [3, 120 * minuteMs],
    [4, 1_200 * minuteMs],
  ] as const) {
    await app.receiver.received(tries);
    const failedAt: string | undefined = seenAt;
    seenAt = (await webhookWhen(app, ({ lastError }) => (lastError?.at ?? failedAt) !== failedAt)).lastError
      ?.at;
    app.cluster.clock.advance(pauseMs);
  }
  await app.receiver.received(5);
  await until(async () => (await app.waiting()) === 0);
  assert.deepEqual(new Set(app.receiver.hooks.map(({ path }) => path)), new Set(["/hook"]));
  assert.equal((await app.webhook())?.isFailing, false);
  app.cluster.clock.advance(dayMs);
  await noteFailingChannels(app.cluster.central.app);
  await noteFailingChannels(app.cluster.central.app);
  const ana = await app.ana.elsewhere();
  const { channels } = await ana.client.getNoticeChannels();
  assert.deepEqual([channels.webhook?.isFailing, channels.webhook?.lastError?.code], [true, "redirect"]);
  const { notices } = await ana.client.listNotices();
  assert.equal(notices.filter(({ kind }) => kind === "channel_failing").length, 1);
  assert.equal(await app.waiting(), 0, "it is in the list only");
});

test("a receiver that hangs or floods holds up nobody else, and one that asks for a pause gets it", async () => {
  await using app = await noticedPerson();
  const bea = await PanelSession.signUp(app.cluster);
  await using other = await Receiver.open();
  const webhook = { url: other.url(), kinds: ["announcement" as const] };
  await bea.client.setNoticeChannels({ body: { email: { kinds: [] }, discord: null, webhook } });
  app.receiver.answer = () => {};
  await app.note();
  await app.note();
  await app.receiver.received(1);
  await makeNotice(app.cluster, bea.accountId);
  await other.received(1);
  const { lastError } = await webhookWhen(app, ({ lastError }) => lastError !== null);
  assert.equal(lastError?.code, "timeout");
  app.receiver.answer = (response) => {
    response.writeHead(429, { "retry-after": "3600" }).end("x".repeat(1_000_000));
  };
  await webhookWhen(app, ({ lastError }) => lastError?.status === 429);
  const seen = app.receiver.hooks.length;
  app.cluster.clock.advance(30 * minuteMs);
  app.receiver.answer = (response) => response.writeHead(204).end();
  await makeNotice(app.cluster, bea.accountId);
  await other.received(2);
  assert.equal(app.receiver.hooks.length, seen, "nothing goes through the channel before the pause is over");
  app.cluster.clock.advance(31 * minuteMs);
  await until(async () => (await app.waiting()) === 0);
});

test("a central that ends between claim and answer has it sent again, with the same id", async () => {
  await using app = await noticedPerson();
  app.receiver.answer = () => {};
  const id = await app.note();
  await app.receiver.received(1);
  await app.cluster.stopCentral();
  await app.cluster.startCentral();
  app.receiver.answer = (response) => response.writeHead(204).end();
  app.cluster.clock.advance(2 * minuteMs);
  const hooks = await app.receiver.received(2);
  assert.deepEqual(
    hooks.map(({ json }) => json["id"]),
    [id, id],
  );
  await until(async () => (await app.waiting()) === 0);
});

test("mail goes to the account's person, without the project's name, and again when the server put it off", async () => {
  await using mailbox = await Mailbox.open();
  mailbox.putOff = 1;
  await using app = await noticedPerson({ centralSettings: mailbox.settings });
  const { ana, cluster } = app;
  const project = { id: "01J0000000000000000000000A", name: "visit-evil-example" };
  await ana.client.setNoticeChannels({
    body: { email: { kinds: ["crash_loop"] }, discord: null, webhook: null },
  });
  await makeNotice(cluster, ana.accountId, { kind: "crash_loop", project, exitCode: 1 });
  const failed = await until(
    async () => (await ana.client.getNoticeChannels()).channels.email.lastError ?? undefined,
    { timeoutMs: 30_000 },
  );
  assert.equal(failed.code, "mail_refused");
  cluster.clock.advance(minuteMs);
  const mail = await until(() => mailbox.mails.find(({ to }) => to.includes(ana.email)), {
    timeoutMs: 30_000,
  });
  assert.match(mail.text, /5 quedas seguidas[^]*5 crashes in a row/);
  assert.ok(mail.text.includes(project.id) && !mail.text.includes(project.name));
  assert.equal((await ana.client.getNoticeChannels()).channels.email.address, ana.email);
});

test("a mail server that hangs holds up no webhook", async () => {
  await using silent = await silentServer();
  await using app = await noticedPerson({
    centralSettings: {
      TIJOLO_SMTP_URL: `smtp://127.0.0.1:${silent.port}`,
      TIJOLO_MAIL_FROM: "tijolo@example.com",
    },
  });
  const standing = {
    plan: "Free",
    suspendedAt: null,
    stopsAt: null,
    betaEndsAt: null,
    createdAt: 0,
  } as const;
  for (let index = 0; index < 24; index++) {
    const accountId = `account-${index}`;
    await transact(app.cluster.central.app.db, async (tx) => {
      await insertAccount(tx, { id: accountId, name: accountId, ...standing });
      const email = `${accountId}@example.com`;
      await insertPerson(tx, { id: accountId, accountId, name: accountId, email, now: 0 });
    });
    await makeNotice(app.cluster, accountId);
  }
  await until(() => silent.connections > 0);
  await app.note();
  await app.receiver.received(1);
});

test("what waited for more than a day is not sent any more", async () => {
  await using app = await noticedPerson();
  app.receiver.answer = (response) => response.writeHead(500).end();
  await app.note();
  await webhookWhen(app, ({ lastError }) => lastError !== null);
  await app.cluster.stopCentral();
  app.cluster.clock.advance(dayMs + minuteMs);
  await app.cluster.startCentral();
  await until(async () => (await app.waiting()) === 0);
  assert.equal(app.receiver.hooks.length, 1);
});

/** Returns a server that accepts connections and never answers. */
async function silentServer() {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    get connections() {
      return sockets.size;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
