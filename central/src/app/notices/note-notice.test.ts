import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { insertAccount } from "../../store/tables/accounts/account.ts";
import { saveNoticeChannel } from "../../store/tables/notices/notice-channel.ts";
import { countDeliveries } from "../../store/tables/notices/notice-delivery.ts";
import { listNotices } from "../../store/tables/notices/notice.ts";
import { insertPerson } from "../../store/tables/people/person.ts";
import { openDatabase } from "../../store/sqlite/open-database.ts";
import { transact } from "../../store/store.ts";
import { noteNotice, noticesKept, type NewNotice } from "./note-notice.ts";

const minuteMs = 60_000;
const project = { id: "01J0000000000000000000000A", name: "bot" };
const loop = { kind: "crash_loop", project, exitCode: 1 } as const;
const of = (changes: Partial<NewNotice> = {}): NewNotice => ({
  accountId: "a",
  subject: project.id,
  content: loop,
  ...changes,
});

async function bench({ hasMail = false } = {}) {
  const opened = await openDatabase(":memory:");
  const { db } = opened;
  const time = { ms: Date.UTC(2026, 0, 1) };
  const mail = { isConfigured: hasMail, post: () => {}, deliver: () => Promise.resolve() };
  const app = { clock: { now: () => time.ms }, random: (count: number) => randomBytes(count), mail };
  const standing = {
    plan: "Free",
    suspendedAt: null,
    stopsAt: null,
    betaEndsAt: null,
    createdAt: 0,
  } as const;
  await transact(db, async (tx) => {
    for (const id of ["a", "b"]) await insertAccount(tx, { id, name: id, ...standing });
  });
  return {
    db,
    time,
    note: (notice: NewNotice) => transact(db, (tx) => noteNotice(app, tx, notice)),
    list: (accountId = "a") =>
      listNotices(db, accountId, { before: undefined, limit: 1_000, isUnread: false }),
    deliveries: () => db.selectFrom("notice_delivery").selectAll().orderBy("channel").execute(),
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  };
}

test("the same within an hour is one notice with a count, and another one after it", async () => {
  await using app = await bench();
  const first = await app.note(of());
  app.time.ms += 59 * minuteMs;
  const newer = { ...loop, exitCode: 2 };
  assert.deepEqual(await app.note(of({ content: newer })), {
    ...first,
    content: newer,
    lastAt: app.time.ms,
    count: 2,
  });
  app.time.ms += minuteMs;
  const second = await app.note(of());
  assert.notEqual(second.id, first.id);
  assert.deepEqual(
    (await app.list()).map(({ id, count }) => [id, count]),
    [
      [second.id, 1],
      [first.id, 2],
    ],
  );
});

test("another kind, subject or account is another notice; a clock that was set back is not", async () => {
  await using app = await bench();
  const first = await app.note(of());
  await app.note(of({ subject: "other" }));
  await app.note(of({ content: { kind: "out_of_memory", project, memoryMb: 1 } }));
  await app.note(of({ accountId: "b" }));
  app.time.ms -= 10 * minuteMs;
  assert.equal((await app.note(of())).id, first.id);
  assert.deepEqual([(await app.list()).length, (await app.list("b")).length], [3, 1]);
});

test("an account has the newest notices only, and as many deliveries as fit", async () => {
  await using app = await bench();
  const sealed = { keyId: "k", ciphertext: "c" };
  await transact(app.db, (tx) =>
    saveNoticeChannel(tx, { accountId: "a", channel: "webhook", kinds: ["crash_loop"], sealed }),
  );
  for (let index = 0; index < noticesKept + 5; index++) {
    app.time.ms += 1;
    await app.note(of({ subject: String(index) }));
  }
  const all = await app.list();
  assert.deepEqual([all.length, all.at(-1)?.subject], [noticesKept, "5"]);
  assert.ok((await countDeliveries(app.db, "a")) <= 200);
});

test("a new notice is queued for the channels that carry its kind, a repeated one is not", async () => {
  await using app = await bench();
  const sealed = { keyId: "k", ciphertext: "c" };
  await transact(app.db, async (tx) => {
    await saveNoticeChannel(tx, { accountId: "a", channel: "webhook", kinds: ["crash_loop"], sealed });
    await saveNoticeChannel(tx, { accountId: "a", channel: "discord", kinds: ["limit"], sealed });
  });
  await app.note(of());
  await app.note(of());
  assert.deepEqual(
    (await app.deliveries()).map(({ channel }) => channel),
    ["webhook"],
  );
  const since = new Date(app.time.ms).toISOString();
  await app.note(of({ content: { kind: "channel_failing", channel: "webhook", since } }));
  assert.equal((await app.deliveries()).length, 1, "what fails does not carry its own failure");
  await app.note(of({ content: { kind: "test" } }));
  assert.equal((await app.deliveries()).length, 3, "a test goes everywhere");
});

test("mail is queued by default, for an account with a person, of a service that sends mail", async () => {
  for (const [hasMail, hasPerson, expected] of [
    [true, true, 1],
    [true, false, 0],
    [false, true, 0],
  ] as const) {
    await using app = await bench({ hasMail });
    if (hasPerson)
      await transact(app.db, (tx) =>
        insertPerson(tx, { id: "p", accountId: "a", name: "Ana", email: "ana@example.com", now: 0 }),
      );
    await app.note(of());
    await app.note(of({ content: { kind: "limit", project, resource: "disk", percent: 75, limitMb: 1 } }));
    assert.equal((await app.deliveries()).length, expected, "limits are not mailed unless asked for");
  }
});
