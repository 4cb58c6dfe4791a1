/** Notices on their way out: to a receiver that hangs, refuses or redirects, by mail, and across a central's end. */

import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test } from "node:test";
import type { NewNoticeChannels, NoticeChannels } from "@tijolo/protocol";
import { noteFailingChannels } from "../../central/src/app/notices/failing-channels.ts";
import { sealAddress } from "../../central/src/app/notices/channel-address.ts";
import { saveNoticeChannel } from "../../central/src/store/tables/notice-channel.ts";
import { transact } from "../../central/src/store/store.ts";
import { Mailbox } from "../support/mailbox.ts";
import { makeNotice } from "../support/make-notice.ts";
import { PanelSession } from "../support/panel.ts";
import { Receiver } from "../support/receiver.ts";
import { TestCluster, type TestClusterOptions } from "../support/test-cluster.ts";
import { until } from "../support/until.ts";

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** A cluster with a person whose webhook goes to a receiver. */
async function bench(options: TestClusterOptions = {}) {
  const receiver = await Receiver.open();
  const cluster = await TestCluster.create({
    hosts: 0,
    ...options,
    centralSettings: { TIJOLO_WEBHOOKS_TO_PRIVATE_ADDRESSES: "yes", ...options.centralSettings },
  });
  const ana = await PanelSession.signUp(cluster);
  const channels: NewNoticeChannels = {
    email: { kinds: [] },
    discord: null,
    webhook: { url: receiver.url(), kinds: ["announcement"] },
  };
  const { signingKey } = await ana.client.setNoticeChannels({ body: channels });
  return {
    receiver,
    cluster,
    ana,
    signingKey: signingKey ?? "",
    webhook: async () => (await ana.client.getNoticeChannels()).channels.webhook,
    note: () => makeNotice(cluster, ana.accountId),
    waiting: async () =>
      (await cluster.central.app.db.selectFrom("notice_delivery").selectAll().execute()).length,
    async [Symbol.asyncDispose]() {
      await cluster[Symbol.asyncDispose]();
      await receiver[Symbol.asyncDispose]();
    },
  };
}

const when = (
  webhook: () => Promise<NoticeChannels["webhook"]>,
  isReached: (state: NonNullable<NoticeChannels["webhook"]>) => boolean,
) =>
  until(
    async () => {
      const state = await webhook();
      return state !== null && isReached(state) ? state : undefined;
    },
    { timeoutMs: 30_000 },
  );

test("a webhook gets a signed document; what is not of its kinds stays in the list", async () => {
  await using app = await bench();
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
  const [, seconds = "", signature] = /^t=(\d+),v1=(\w+)$/.exec(String(hook.headers["tijolo-signature"])) ?? [];
  assert.equal(signature, createHmac("sha256", app.signingKey).update(`${seconds}.${hook.body}`).digest("hex"));
  await when(app.webhook, ({ lastSentAt, lastError }) => lastSentAt !== null && lastError === null);
  assert.equal(await app.waiting(), 0);
  assert.equal(app.receiver.hooks.length, 1);
});

test("a receiver that answers 500 gets the same again after a minute, and then it is over", async () => {
  await using app = await bench();
  app.receiver.answer = (response) => response.writeHead(app.receiver.hooks.length === 1 ? 500 : 200).end();
  const id = await app.note();
  const { lastError } = await when(app.webhook, ({ lastError }) => lastError !== null);
  assert.deepEqual([lastError?.code, lastError?.status], ["status", 500]);
  assert.equal(await app.waiting(), 1);
  app.cluster.clock.advance(minuteMs);
  const [, again] = await app.receiver.received(2);
  assert.deepEqual([again?.json["id"], again?.headers["tijolo-notice-id"]], [id, id]);
  const state = await when(app.webhook, ({ lastSentAt }) => lastSentAt !== null);
  assert.deepEqual([state.lastError, state.failingSince, await app.waiting()], [null, null, 0]);
});

test("five tries are made, no more; after a day of failures the list says so, once", async () => {
  await using app = await bench();
  app.receiver.answer = (response) => response.writeHead(302, { location: app.receiver.url("/inside") }).end();
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
    seenAt = (await when(app.webhook, ({ lastError }) => (lastError?.at ?? failedAt) !== failedAt)).lastError?.at;
    app.cluster.clock.advance(pauseMs);
  }
  await app.receiver.received(5);
  await until(async () => (await app.waiting()) === 0, { timeoutMs: 30_000 });
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
  await using app = await bench();
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
  const { lastError } = await when(app.webhook, ({ lastError }) => lastError !== null);
  assert.equal(lastError?.code, "timeout");
  app.receiver.answer = (response) => {
    response.writeHead(429, { "retry-after": "3600" }).end("x".repeat(1_000_000));
  };
  await when(app.webhook, ({ lastError }) => lastError?.status === 429);
  const seen = app.receiver.hooks.length;
  app.cluster.clock.advance(30 * minuteMs);
  app.receiver.answer = (response) => response.writeHead(204).end();
  await makeNotice(app.cluster, bea.accountId);
  await other.received(2);
  assert.equal(app.receiver.hooks.length, seen, "nothing goes through the channel before the pause is over");
  app.cluster.clock.advance(31 * minuteMs);
  await until(async () => (await app.waiting()) === 0, { timeoutMs: 30_000 });
});

test("a central that ends between claim and answer has it sent again, with the same id", async () => {
  await using app = await bench();
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

test("without the setting, an address inside is refused when it is stored, and a name when something is sent", async () => {
  await using receiver = await Receiver.open();
  await using cluster = await TestCluster.create({ hosts: 0 });
  const ana = await PanelSession.signUp(cluster);
  const set = (url: string) =>
    ana.call("PUT", "/notices/channels", {
      json: { email: { kinds: [] }, discord: null, webhook: { url, kinds: ["announcement"] } },
    });
  for (const host of ["127.0.0.1", "0x7f.1", "[::1]", "[::ffff:127.0.0.1]", "169.254.169.254", "10.1.2.3"]) {
    const { code, json } = await set(receiver.url("/hook", host));
    assert.deepEqual([host, code, (json as { field?: string }).field], [host, "invalid_request", "webhook"]);
  }
  for (const url of ["ftp://example.com/", "http://ana@example.com/", "https://example.com/#x", "x"])
    assert.equal((await set(url)).code, "invalid_request", url);
  assert.equal((await set(receiver.url("/hook", "localhost"))).status, 200);
  await makeNotice(cluster, ana.accountId);
  const { channels } = await until(async () => {
    const answer = await ana.client.getNoticeChannels();
    return answer.channels.webhook?.lastError == null ? undefined : answer;
  });
  assert.equal(channels.webhook?.lastError?.code, "private_address");
  assert.equal(receiver.hooks.length, 0);
});

test("Discord gets an embed that notifies nobody, and only addresses of Discord are stored", async () => {
  await using app = await bench();
  const { ana, cluster, receiver } = app;
  for (const url of [
    "https://example.com/api/webhooks/123456/abcdefghijklmnopqrstuvwxyz",
    "http://discord.com/api/webhooks/123456/abcdefghijklmnopqrstuvwxyz",
    "https://discord.com.example.com/api/webhooks/123456/abcdefghijklmnopqrstuvwxyz",
    "https://discord.com/api/webhooks/../channels/123456/abcdefghijklmnopqrstuvwxyz",
  ]) {
    const json = { email: { kinds: [] }, discord: { url, kinds: [] }, webhook: null };
    const { code, json: body } = await ana.call("PUT", "/notices/channels", { json });
    assert.deepEqual([code, (body as { field?: string }).field], ["invalid_request", "discord"], url);
  }
  const url = "https://discord.com/api/webhooks/123456/abcdefghijklmnopqrstuvwxyz";
  const kinds = ["announcement" as const];
  const { channels } = await ana.client.setNoticeChannels({
    body: { email: { kinds: [] }, discord: { url, kinds }, webhook: null },
  });
  assert.deepEqual([channels.discord?.url, channels.webhook], [url, null]);
  // The real address is not reached in a test: the stored one is replaced.
  const owner = { accountId: ana.accountId, channel: "discord" } as const;
  const sealed = sealAddress(cluster.central.app, owner, { url: receiver.url(), signingKey: null });
  await transact(cluster.central.app.db, (tx) => saveNoticeChannel(tx, { ...owner, kinds, sealed }));
  await makeNotice(cluster, ana.accountId);
  const [hook] = await receiver.received(1);
  assert.deepEqual(hook?.json["allowed_mentions"], { parse: [] });
  assert.equal((hook?.json["embeds"] as { title: string }[])[0]?.title, "Anúncio do serviço");
});

test("mail goes to the account's person, without the project's name, and again when the server put it off", async () => {
  await using mailbox = await Mailbox.open();
  mailbox.putOff = 1;
  await using app = await bench({ centralSettings: mailbox.settings });
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
  const mail = await until(() => mailbox.mails.find(({ to }) => to.includes(ana.email)), { timeoutMs: 30_000 });
  assert.match(mail.text, /5 quedas seguidas[^]*5 crashes in a row/);
  assert.ok(mail.text.includes(project.id) && !mail.text.includes(project.name));
  assert.equal((await ana.client.getNoticeChannels()).channels.email.address, ana.email);
});

test("a test goes to every channel at once, and not again within seconds; the key stays when nothing is said", async () => {
  await using app = await bench();
  const { notice } = await app.ana.client.testNoticeChannels();
  const [hook] = await app.receiver.received(1);
  assert.deepEqual([hook?.json["kind"], hook?.json["id"]], ["test", notice.id]);
  await assert.rejects(app.ana.client.testNoticeChannels(), { code: "too_many_requests" });
  const put = (signingKey?: string) =>
    app.ana.client.setNoticeChannels({
      body: {
        email: { kinds: [] },
        discord: null,
        webhook: {
          url: app.receiver.url("/new"),
          kinds: ["announcement"],
          ...(signingKey === undefined ? {} : { signingKey }),
        },
      },
    });
  assert.equal((await put()).signingKey, null);
  await app.note();
  const [, second] = await app.receiver.received(2);
  const signed = (key: string, hook = second) => {
    const [, seconds = "", signature] = /^t=(\d+),v1=(\w+)$/.exec(String(hook?.headers["tijolo-signature"])) ?? [];
    return signature === createHmac("sha256", key).update(`${seconds}.${hook?.body}`).digest("hex");
  };
  assert.ok(signed(app.signingKey));
  await put("a key of my own choice".replaceAll(" ", "-"));
  await app.note();
  const [, , third] = await app.receiver.received(3);
  assert.ok(signed("a-key-of-my-own-choice", third));
});

test("what is stored is sealed; a rotation of the master key keeps it, and a lost key says so", async () => {
  await using app = await bench();
  const { cluster, ana, receiver } = app;
  const stored = async () =>
    JSON.stringify(await cluster.central.app.db.selectFrom("notice_channel").selectAll().execute());
  assert.ok(!(await stored()).includes("127.0.0.1") && !(await stored()).includes(app.signingKey));
  const before = await cluster.admin.getMasterKeys();
  assert.equal(before.keys[0]?.documents, 1);
  const rotated = await cluster.admin.rotateMasterKey();
  assert.deepEqual([rotated.resealed, rotated.unreadable, rotated.keys.length], [1, 0, 1]);
  assert.notEqual(rotated.currentKeyId, before.currentKeyId);
  await app.note();
  await receiver.received(1);
  await cluster.central.app.db.updateTable("notice_channel").set({ key_id: "lost" }).where("channel", "=", "webhook").execute();
  await app.note();
  const { url, lastError } = await when(app.webhook, ({ lastError }) => lastError !== null);
  assert.deepEqual([url, lastError?.code], [null, "unreadable"]);
  const webhook = { url: receiver.url("/again"), kinds: ["announcement" as const] };
  const answer = await ana.client.setNoticeChannels({ body: { email: { kinds: [] }, discord: null, webhook } });
  assert.match(answer.signingKey ?? "", /^[\w-]{43}$/);
});
