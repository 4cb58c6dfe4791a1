import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import {
  bot,
  busy,
  createRunner,
  projectId,
  tooMany,
  versionsAnswer,
} from "../../../../test/support/commands/command-runner.ts";

test("up creates a project, follows its log, keeps its id, and ends with 0 when it runs", async () => {
  await using runner = await createRunner();
  await writeFile(join(runner.folder, "index.js"), "console.log(1)");
  const fields: Record<string, unknown> = {};
  runner.answer = async (request) => {
    if (request.url.endsWith("/versions")) return versionsAnswer("live");
    if (request.url.includes("/logs")) {
      const line = {
        at: bot.updatedAt,
        section: "install",
        stream: "stdout",
        version: 1,
        text: "added 1 package",
      };
      return new Response(
        `id: 1\nevent: log\ndata: ${JSON.stringify(line)}\n\nevent: status\ndata: {"status":"running"}\n\n`,
      );
    }
    if (request.method !== "POST") return Response.json({ project: bot });
    for (const [name, value] of await request.formData())
      fields[name] = value instanceof File ? value.size > 0 : value;
    return Response.json({ project: { ...bot, status: "creating" } }, { status: 201 });
  };
  const first = await runner.run(["up", "--language", "node", "--command", "npm start", "--memory", "512"]);
  assert.equal(first.code, 0, first.stderr);
  assert.deepEqual(fields, {
    language: "node",
    command: "npm start",
    memoryMb: "512",
    start: "true",
    file: true,
  });
  assert.match(first.stderr, /added 1 package/);
  assert.match(first.stdout, /no ar/);
  assert.equal((await runner.run(["up"])).code, 0);
  assert.ok(runner.requests.some((request) => request.url.endsWith(`/projects/${projectId}/code`)));
});

test("up ends with 1, the reason and the last lines when the project does not come up", async () => {
  await using runner = await createRunner();
  await writeFile(join(runner.folder, "index.js"), "");
  const failed = {
    ...bot,
    status: "error",
    error: { code: "install_failed", message: "A instalação terminou com erro." },
  };
  runner.answer = (request) => {
    if (request.url.endsWith("/versions")) return versionsAnswer("failed");
    if (request.url.includes("/logs"))
      return Response.json({ status: "error", code: "server_unavailable", message: "" }, { status: 503 });
    return Response.json(
      { project: request.method === "POST" ? { ...bot, status: "creating" } : failed },
      { status: 200 },
    );
  };
  const { code, stdout } = await runner.run(["up", "--yes"]);
  assert.equal(code, 1);
  assert.match(stdout, /install_failed/);
});

test("up refuses an empty folder before it asks the server", async () => {
  await using runner = await createRunner();
  assert.equal((await runner.run(["up"])).code, 1);
  assert.equal((await runner.run(["up", "nowhere"])).code, 1);
  assert.equal(runner.requests.length, 0);
});

test("an upload that came too early, or whose connection broke, is sent whole once more with the same key", async () => {
  await using runner = await createRunner();
  await writeFile(join(runner.folder, "index.js"), "console.log(1)");
  for (const [turn, refuse] of [
    () => tooMany(0),
    () => Promise.reject(new TypeError("fetch failed")),
  ].entries()) {
    const uploads: [key: string | null, bytes: number][] = [];
    runner.answer = async (request) => {
      if (request.url.endsWith("/versions")) return versionsAnswer("live");
      if (request.method !== "POST") return Response.json({ project: bot });
      const file = (await request.formData()).get("file");
      uploads.push([request.headers.get("idempotency-key"), file instanceof File ? file.size : 0]);
      return uploads.length === 1 ? await refuse() : Response.json({ project: bot }, { status: 201 });
    };
    const { code, stderr } = await runner.run(["up", "--new", "--yes"]);
    assert.equal(code, 0, stderr);
    assert.equal(uploads.length, 2, String(turn));
    assert.deepEqual(uploads[0], uploads[1]);
    assert.match(uploads[0]?.[0] ?? "", /^[0-9a-f-]{36}$/);
  }
});

test("while another action of the project is in progress an upload waits, saying so, and is sent again", async () => {
  await using runner = await createRunner();
  await writeFile(join(runner.folder, "index.js"), "console.log(1)");
  const sizes: number[] = [];
  runner.answer = async (request) => {
    if (request.url.includes("/logs")) return Response.json({ lines: [], nextCursor: null });
    if (request.url.endsWith("/versions")) return versionsAnswer("live");
    if (request.method !== "POST") return Response.json({ project: bot });
    const file = (await request.formData()).get("file");
    sizes.push(file instanceof File ? file.size : 0);
    return sizes.length === 1 ? busy() : Response.json({ project: bot });
  };
  const { code, stderr } = await runner.run(["up", "-p", projectId]);
  assert.equal(code, 0, stderr);
  assert.match(stderr, /espero terminar/);
  assert.ok(sizes.length === 2 && sizes[0] === sizes[1] && sizes[0] !== 0, String(sizes));
});
