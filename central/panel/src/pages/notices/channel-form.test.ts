import assert from "node:assert/strict";
import { test } from "node:test";
import { channelsOf, formOf, isSameForm, noticeKinds, withKind } from "./channel-form.ts";

const state = { lastSentAt: null, lastError: null, failingSince: null, isFailing: false };
const channels = {
  email: { address: "ana@example.com", kinds: ["limit" as const, "crash_loop" as const], ...state },
  discord: null,
  webhook: { url: "https://example.com/x", kinds: ["limit" as const], ...state },
};

test("what is stored comes back as it was, and an untouched form has changed nothing", () => {
  const form = formOf(channels);
  assert.deepEqual(channelsOf(form), {
    email: { kinds: ["crash_loop", "limit"] },
    discord: null,
    webhook: { url: "https://example.com/x", kinds: ["limit"] },
  });
  assert.ok(isSameForm(form, formOf(channels)));
});

test("a channel that is turned on begins with all kinds; one that is off keeps what was typed", () => {
  const form = formOf(channels);
  assert.deepEqual(form.discord, { isOn: false, url: "", kinds: noticeKinds });
  const typed = { ...form, discord: { ...form.discord, url: "https://discord.com/…" } };
  assert.ok(isSameForm(form, typed));
  assert.ok(!isSameForm(form, { ...typed, discord: { ...typed.discord, isOn: true } }));
});

test("the order in which kinds are ticked is no change", () => {
  const form = formOf(channels);
  const email = withKind(withKind(form.email, "crash_loop", false), "crash_loop", true);
  assert.ok(isSameForm(form, { ...form, email }));
});
