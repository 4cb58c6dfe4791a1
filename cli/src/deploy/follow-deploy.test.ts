import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { CommandLine } from "../../../test/support/command-line.ts";
import { keepProjectId } from "../project/project-folder.ts";

const uploadedAt = "2026-01-01T12:00:00.000Z";
/** Time on a host whose clock is a minute behind. */
const beforeUpload = "2026-01-01T11:59:00.000Z";
const bot = {
  id: "01J0000000000000000000000A",
  name: "meu-bot",
  type: "bot",
  status: "installing",
  error: null,
  url: null,
  usage: null,
  lastExit: null as { code: number; isOutOfMemory: boolean; exitedAt: string } | null,
  startedAt: null,
  consecutiveCrashes: 0,
  updatedAt: uploadedAt,
};
const exit = { code: 0, isOutOfMemory: false, exitedAt: beforeUpload };
const olderExit = { ...exit, exitedAt: "2025-12-31T00:00:00.000Z" };
const line = (version: number, text: string) => ({
  at: beforeUpload,
  section: "app",
  stream: "stdout",
  version,
  text,
});

/** A project at version 4 that gets new code, and is stopped once its log was read. */
async function upAgain(lastExits: { uploaded: typeof bot.lastExit; stopped: typeof bot.lastExit }) {
  await using runner = await CommandLine.create();
  runner.environment = { TIJOLO_URL: "http://central", TIJOLO_KEY: "svc_key" };
  await writeFile(join(runner.folder, "index.js"), "");
  await keepProjectId(runner.folder, "http://central", bot.id);
  let streams = 0;
  let starts = 0;
  runner.answer = (request) => {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname.endsWith("/logs") && searchParams.get("follow") === "false") {
      return Response.json({ lines: [line(4, "of the code before")], nextCursor: "c1" });
    }
    if (pathname.endsWith("/logs")) {
      streams++;
      assert.equal(searchParams.get("since"), null);
      const events = [line(4, "of the code before"), line(5, "of the new code")];
      const text = events
        .map((data, index) => `id: c${index}\nevent: log\ndata: ${JSON.stringify(data)}\n\n`)
        .join("");
      return new Response(streams === 1 ? text : "");
    }
    if (pathname.endsWith("/code"))
      return Response.json({ project: { ...bot, lastExit: lastExits.uploaded } });
    if (pathname.endsWith("/start")) starts++;
    // The stream is opened again when all of it was read.
    const status = starts > 0 ? "running" : streams > 1 ? "stopped" : "installing";
    return Response.json({ project: { ...bot, status, lastExit: lastExits.stopped } });
  };
  const { code, stderr } = await runner.run(["up"]);
  assert.equal(code, 0, stderr);
  return { stderr, starts };
}

test("the new code's lines are shown, and no others, however late the host's clock is", async () => {
  const { stderr } = await upAgain({ uploaded: olderExit, stopped: exit });
  assert.match(stderr, /of the new code/);
  assert.doesNotMatch(stderr, /of the code before/);
});

test("what ran and ended after the upload is not started again, however late the host's clock is", async () => {
  for (const uploaded of [null, olderExit])
    assert.equal((await upAgain({ uploaded, stopped: exit })).starts, 0);
});

test("what has not run since the upload is started", async () => {
  for (const lastExit of [null, olderExit])
    assert.equal((await upAgain({ uploaded: lastExit, stopped: lastExit })).starts, 1);
});
