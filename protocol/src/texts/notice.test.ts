import assert from "node:assert/strict";
import { test } from "node:test";
import { noticeContent, noticeKinds, type NoticeContent } from "../nouns/notice-content.ts";
import { anonymousNoticeText, noticeText } from "./notice.ts";

const project = { id: "01J0000000000000000000000A", name: "my-bot" };
const error = { code: "install_failed", details: [{ code: "entry_missing", entry: "secret.js" }] };
const failed = { project, versionNumber: 4, error };
const samples = [
  { kind: "out_of_memory", project, memoryMb: 256 },
  { kind: "crash_loop", project, exitCode: 3 },
  { kind: "crash_loop", project, exitCode: null },
  { kind: "install_failed", ...failed, servingVersion: 3 },
  { kind: "start_failed", ...failed, servingVersion: null },
  { kind: "limit", project, resource: "memory", percent: 75, limitMb: 512 },
  { kind: "limit", project, resource: "memory", percent: 100, limitMb: 512 },
  { kind: "limit", project, resource: "disk", percent: 90, limitMb: 1024 },
  { kind: "limit", project, resource: "disk", percent: 100, limitMb: 1024 },
  { kind: "domain_proof_gone", project, hostname: "loja.dev", since: "2026-01-01T00:00:00.000Z" },
  { kind: "domain_failed", project, hostname: "loja.dev", reason: "not_proven" },
  { kind: "domain_failed", project, hostname: "loja.dev", reason: "proof_gone" },
  { kind: "domain_failed", project, hostname: "loja.dev", reason: "taken_over" },
  { kind: "certificate_ending", names: "loja.dev", endsAt: "2026-01-01T00:00:00.000Z" },
  { kind: "host_maintenance", text: null, since: "2026-01-01T00:00:00.000Z", projects: 1 },
  { kind: "host_maintenance", text: "At ten.", since: null, projects: 2 },
  { kind: "announcement", text: "At ten." },
  { kind: "channel_failing", channel: "webhook", since: "2026-01-01T00:00:00.000Z" },
  { kind: "test" },
].map((content): NoticeContent => noticeContent.parse(content));

test("every kind has a title and whole sentences in both languages", () => {
  assert.deepEqual(
    noticeKinds.filter((kind) => !samples.some((sample) => sample.kind === kind)),
    [],
  );
  for (const sample of samples) {
    const [pt, en] = [noticeText(sample, "pt"), noticeText(sample, "en")];
    for (const { title, message } of [pt, en]) {
      assert.match(message, /^\p{Lu}[^]*\.$/u, message);
      assert.doesNotMatch(title + message, /undefined|null|NaN|\[object/, title);
      assert.ok(title.length > 5 && title.length < 120);
    }
    assert.ok(pt.title !== en.title);
  }
});

test("a version that failed says why, and which one goes on", () => {
  const { message } = noticeText(samples[3] ?? { kind: "test" }, "en");
  assert.match(message, /The install ended with an error.*secret\.js.*Version 3 goes on\.$/);
});

test("what a mail says has neither the project's name nor what it printed", () => {
  for (const sample of samples) {
    for (const language of ["pt", "en"] as const) {
      const { title, message } = anonymousNoticeText(sample, language);
      assert.doesNotMatch(title + message, /my-bot|secret/, sample.kind);
    }
  }
  assert.match(anonymousNoticeText(samples[0] ?? { kind: "test" }, "en").title, /01J0000000000000000000000A/);
});
