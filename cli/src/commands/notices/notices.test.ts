import assert from "node:assert/strict";
import { test } from "node:test";
import type { Notice, NoticeChannels } from "@tijolo/protocol";
import type { CommandLine } from "../../../../test/support/commands/command-line.ts";
import { createRunner } from "../../../../test/support/commands/command-runner.ts";

const notice: Notice = {
  id: "01J0000000000000000000000A",
  kind: "crash_loop",
  projectId: null,
  title: "bot\u001b[2J parou",
  message: "Veja os logs.",
  at: "2026-01-31T12:00:00.000Z",
  lastAt: "2026-01-31T12:10:00.000Z",
  count: 3,
  isRead: false,
  data: {},
};
const state = { lastSentAt: null, lastError: null, failingSince: null, isFailing: false };
const channels: NoticeChannels = {
  email: { address: null, kinds: ["crash_loop"], ...state },
  discord: null,
  webhook: {
    url: "https://example.com/hook",
    kinds: ["limit"],
    lastSentAt: null,
    lastError: { code: "status", status: 500, at: "2026-01-31T12:00:00.000Z" },
    failingSince: "2026-01-30T12:00:00.000Z",
    isFailing: true,
  },
};

/** Creates a runner that is signed in when a command asks for it; `sent` receives the bodies of changes. */
async function createNoticeRunner(): Promise<{ runner: CommandLine; sent: [string, unknown][] }> {
  const runner = await createRunner();
  const sent: [string, unknown][] = [];
  runner.environment = {
    TIJOLO_URL: "http://central",
    TIJOLO_KEY: "svc_key",
    TIJOLO_EMAIL: "ana@example.org",
    TIJOLO_OPERATOR_TOKEN: "tjo_token",
  };
  runner.input = "a password\n";
  runner.answer = async (request) => {
    const { pathname, search } = new URL(request.url);
    if (pathname.endsWith("/sign-in")) return Response.json({ isTwoFactorRequired: false });
    if (pathname.endsWith("/session")) return new Response(null, { status: 204 });
    if (request.method !== "GET") sent.push([pathname, await request.json().catch(() => null)]);
    else if (pathname.endsWith("/notices")) sent.push([pathname + search, null]);
    if (pathname.endsWith("/read-all")) return Response.json({ read: 2 });
    if (pathname.endsWith("/read") || pathname.endsWith("/test")) return Response.json({ notice });
    if (pathname.endsWith("/channels")) return Response.json({ channels, signingKey: null });
    if (pathname.endsWith("/announcements"))
      return Response.json({ announcement: { id: "01K" }, announcements: [] });
    return Response.json({ notices: [notice], unread: 1, nextCursor: null });
  };
  return { runner, sent };
}

test("notices are listed with how often and whether they are new, and steer no terminal", async () => {
  const { runner, sent } = await createNoticeRunner();
  await using _ = runner;
  const { code, stdout, stderr } = await runner.run(["notices", "--unread"]);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^● .*bot\\x1b\[2J parou \(3×\)\n {2}Veja os logs\.\n.*crash_loop {2}01J0{22}A\n$/);
  assert.match(stderr, /1 não lido/);
  assert.match(sent[0]?.[0] ?? "", /notices\?.*unread=true/);
  const json = JSON.parse((await runner.run(["notices", "--json"])).stdout) as { notices: Notice[] };
  assert.deepEqual(json.notices, [notice]);
});

test("one notice is marked as read, or all; neither and both are refused", async () => {
  const { runner, sent } = await createNoticeRunner();
  await using _ = runner;
  assert.match((await runner.run(["notices", "read", "--all"])).stdout, /^2 aviso/);
  assert.equal((await runner.run(["notices", "read", notice.id.toLowerCase()])).code, 0);
  assert.deepEqual(
    sent.map(([path]) => path),
    ["/api/notices/read-all", `/api/notices/${notice.id}/read`],
  );
  assert.equal((await runner.run(["notices", "read"])).code, 2);
  assert.equal((await runner.run(["notices", "read", notice.id, "--all"])).code, 2);
});

test("the channels are shown with their state, and changed one at a time", async () => {
  const { runner, sent } = await createNoticeRunner();
  await using _ = runner;
  const channelsOf = (...words: string[]) =>
    runner.run(["notices", "channels", ...words, "--password-stdin"]);
  const { stdout } = await channelsOf();
  assert.match(
    stdout,
    /webhook +https:\/\/example\.com\/hook +limit +só falhas desde .*; falhou em .*respondeu 500/,
  );
  assert.match(stdout, /discord +desligado/);
  assert.equal((await channelsOf("set", "--mail", "none")).code, 0);
  assert.equal((await channelsOf("set", "--webhook-kinds", "crash_loop,limit")).code, 0);
  assert.equal((await channelsOf("set", "--webhook", "none")).code, 0);
  assert.equal((await channelsOf("set", "--discord-kinds", "limit")).code, 2, "there is no Discord");
  assert.equal((await channelsOf("set", "--mail", "nothing")).code, 2);
  assert.equal((await channelsOf("set")).code, 2);
  const url = "https://example.com/hook";
  const email = { kinds: ["crash_loop"] };
  assert.deepEqual(
    sent.filter(([path]) => path === "/api/notices/channels").map(([, body]) => body),
    [
      { email: { kinds: [] }, discord: null, webhook: { url, kinds: ["limit"] } },
      { email, discord: null, webhook: { url, kinds: ["crash_loop", "limit"] } },
      { email, discord: null, webhook: null },
    ],
  );
  assert.equal((await channelsOf("test")).code, 0);
});

test("an operator announces to all, or to a machine's accounts", async () => {
  const { runner, sent } = await createNoticeRunner();
  await using _ = runner;
  assert.equal((await runner.run(["cluster", "announce", "Hoje às 22h."])).code, 0);
  assert.equal((await runner.run(["cluster", "announce", "--host", "host-2", "Disco."])).code, 0);
  for (const words of [[], [""]]) assert.equal((await runner.run(["cluster", "announce", ...words])).code, 2);
  assert.deepEqual(
    sent.map(([, body]) => body),
    [{ text: "Hoje às 22h." }, { text: "Disco.", host: "host-2" }],
  );
  assert.match((await runner.run(["cluster", "announcements"])).stdout, /Nenhum anúncio/);
});
