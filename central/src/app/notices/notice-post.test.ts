import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test } from "node:test";
import type { NoticeRow } from "../../store/tables/notices/notice.ts";
import { discordPost, webhookPost } from "./notice-post.ts";

const projectId = "01J0000000000000000000000A";
const notice: NoticeRow = {
  id: "01J0000000000000000000000B",
  accountId: "01J0000000000000000000000C",
  subject: projectId,
  projectId,
  content: { kind: "out_of_memory", project: { id: projectId, name: "@everyone" }, memoryMb: 256 },
  at: Date.UTC(2026, 0, 1),
  lastAt: Date.UTC(2026, 0, 1),
  count: 1,
  readAt: null,
};

test("a webhook's document is signed with its time, as the documents say how to check", () => {
  const now = Date.UTC(2026, 0, 1, 0, 0, 5, 999);
  const { url, headers, body } = webhookPost(notice, { url: "https://example.com/", signingKey: "key" }, now);
  assert.equal(url, "https://example.com/");
  const [, seconds = "", signature] =
    /^t=(\d+),v1=([0-9a-f]{64})$/.exec(headers["tijolo-signature"] ?? "") ?? [];
  assert.equal(Number(seconds), Math.floor(now / 1000));
  assert.equal(signature, createHmac("sha256", "key").update(`${seconds}.${body}`).digest("hex"));
  const document = JSON.parse(body) as Record<string, unknown>;
  assert.deepEqual([document["id"], headers["tijolo-notice-id"]], [notice.id, notice.id]);
  assert.deepEqual(document["data"], { project: { id: projectId, name: "@everyone" }, memoryMb: 256 });
  assert.deepEqual(Object.keys(document["title"] as object), ["pt-BR", "en"]);
});

test("Discord gets an embed that notifies nobody, within its own limits", () => {
  const long: NoticeRow = { ...notice, content: { kind: "announcement", text: "x".repeat(5_000) } };
  for (const row of [notice, long]) {
    const document = JSON.parse(discordPost(row, { url: "", signingKey: null }).body) as {
      content?: string;
      embeds: { title: string; description: string }[];
      allowed_mentions: unknown;
    };
    assert.deepEqual(document.allowed_mentions, { parse: [] });
    assert.equal(document.content, undefined);
    const [embed] = document.embeds;
    assert.ok(embed !== undefined && embed.title.length <= 256 && embed.description.length <= 4_096);
  }
});
