/** Tests the channels of notices: which may be stored, how they are stored, and what they send to whom. */

import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test } from "node:test";
import { sealAddress } from "../../central/src/app/notices/channel-address.ts";
import { saveNoticeChannel } from "../../central/src/store/tables/notices/notice-channel.ts";
import { transact } from "../../central/src/store/store.ts";
import { makeNotice } from "../support/notices/make-notice.ts";
import { noticedPerson, webhookWhen } from "../support/notices/noticed-person.ts";
import { PanelSession } from "../support/people/panel.ts";
import { Receiver } from "../support/notices/receiver.ts";
import { certificatesAtStart } from "../support/cluster/certificates-at-start.ts";
import { TestCluster } from "../support/cluster/test-cluster.ts";
import { until } from "../support/until.ts";

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
  await using app = await noticedPerson();
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
  assert.equal((hook?.json["embeds"] as { title: string }[] | undefined)?.[0]?.title, "Anúncio do serviço");
});

test("a test goes to every channel at once, and not again within seconds; the key stays when nothing is said", async () => {
  await using app = await noticedPerson();
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
    const [, seconds = "", signature] =
      /^t=(\d+),v1=(\w+)$/.exec(String(hook?.headers["tijolo-signature"])) ?? [];
    return signature === createHmac("sha256", key).update(`${seconds}.${hook?.body}`).digest("hex");
  };
  assert.ok(signed(app.signingKey));
  await put("a key of my own choice".replaceAll(" ", "-"));
  await app.note();
  const [, , third] = await app.receiver.received(3);
  assert.ok(signed("a-key-of-my-own-choice", third));
});

test("what is stored is sealed; a rotation of the master key keeps it, and a lost key says so", async () => {
  await using app = await noticedPerson();
  const { cluster, ana, receiver } = app;
  const stored = async () =>
    JSON.stringify(await cluster.central.app.db.selectFrom("notice_channel").selectAll().execute());
  assert.ok(!(await stored()).includes("127.0.0.1") && !(await stored()).includes(app.signingKey));
  const before = await cluster.admin.getMasterKeys();
  assert.equal(before.keys[0]?.documents, 1 + certificatesAtStart);
  const rotated = await cluster.admin.rotateMasterKey();
  assert.deepEqual(
    [rotated.resealed, rotated.unreadable, rotated.keys.length],
    [1 + certificatesAtStart, 0, 1],
  );
  assert.notEqual(rotated.currentKeyId, before.currentKeyId);
  await app.note();
  await receiver.received(1);
  await cluster.central.app.db
    .updateTable("notice_channel")
    .set({ key_id: "lost" })
    .where("channel", "=", "webhook")
    .execute();
  await app.note();
  const { url, lastError } = await webhookWhen(app, ({ lastError }) => lastError !== null);
  assert.deepEqual([url, lastError?.code], [null, "unreadable"]);
  const webhook = { url: receiver.url("/again"), kinds: ["announcement" as const] };
  const answer = await ana.client.setNoticeChannels({
    body: { email: { kinds: [] }, discord: null, webhook },
  });
  assert.match(answer.signingKey ?? "", /^[\w-]{43}$/);
});
