import assert from "node:assert/strict";
import { test } from "node:test";
import { bot, busy, createRunner, projectId } from "../../../../test/support/commands/command-runner.ts";

test("a project is found by its name", async () => {
  await using runner = await createRunner();
  runner.answer = (request) =>
    Response.json(request.url.endsWith("/projects") ? { projects: [bot] } : { project: bot });
  const { code, stdout } = await runner.run(["status", "meu-bot"]);
  assert.equal(code, 0);
  assert.match(stdout, /no ar/);
  assert.equal((await runner.run(["status", "outro"])).code, 1);
});

test("what a running project uses stands beside its limits; a key that may not read them sees how the project is", async () => {
  await using runner = await createRunner();
  const usage = { memoryMb: 31, cpuPercent: 12.5, networkInBps: 0, networkOutBps: 2_500 };
  const point = {
    at: bot.updatedAt,
    memoryMb: 31,
    cpuPercent: 12.5,
    networkInBps: 0,
    networkOutBps: 2_500,
    diskMb: 3,
  };
  const metrics = {
    stepSeconds: 15,
    memoryLimitMb: 256,
    cpuLimitPercent: 100,
    diskLimitMb: 1_024,
    points: [point],
  };
  const project = { ...bot, usage };
  runner.answer = (request) => Response.json(request.url.includes("/metrics") ? metrics : { project });
  const { stdout } = await runner.run(["status", projectId]);
  assert.match(stdout, /31 MB de 256 MB, 12,5% de 100% CPU, 3 MB de 1\.024 MB de disco, ↓0 B\/s ↑2,5 kB\/s/);
  const limits = { memoryMb: 256, cpuPercent: 100, diskMb: 1_024, diskUsedMb: 3 };
  assert.deepEqual(JSON.parse((await runner.run(["status", projectId, "--json"])).stdout), {
    project,
    limits,
  });

  const refusal = {
    status: "error",
    code: "insufficient_scope",
    message: "Sem permissão.",
    requiredScope: "metrics:read",
  };
  runner.answer = (request) =>
    request.url.includes("/metrics") ? Response.json(refusal, { status: 403 }) : Response.json({ project });
  const refused = await runner.run(["status", projectId]);
  assert.deepEqual(
    [refused.code, /31 MB, 12,5% CPU, ↓0 B\/s/.test(refused.stdout)],
    [0, true],
    refused.stdout,
  );
});

test("a site that does not answer on its port yet is starting, in the visitors' words", async () => {
  await using runner = await createRunner();
  const project = { ...bot, type: "site", port: 8080 };
  runner.answer = () => Response.json({ project, isStarting: true });
  const { stdout } = await runner.run(["status", projectId]);
  assert.match(stdout, /Situação: +iniciando: ainda não atende na porta 8080\n/);
  const shown = JSON.parse((await runner.run(["status", projectId, "--json"])).stdout);
  assert.deepEqual([shown.isStarting, shown.project.status], [true, "running"]);
  runner.answer = () => Response.json({ project });
  assert.match((await runner.run(["status", projectId])).stdout, /Situação: +no ar\n/);
});

test("a start of a site that does not answer on its port yet does not call it up", async () => {
  await using runner = await createRunner();
  const startedAt = bot.updatedAt;
  const project = { ...bot, type: "site", port: 8080, url: "http://meu-bot.localhost/", startedAt };
  runner.answer = ({ method }) =>
    Response.json(method === "POST" ? { project } : { project, isStarting: true });
  const { code, stdout } = await runner.run(["start", projectId]);
  assert.equal(code, 0);
  assert.match(stdout, /^meu-bot está iniciando: ainda não atende na porta 8080\nEndereço: /);
});

test("the list shows a site that does not answer on its port yet as starting, in the words of its status", async () => {
  await using runner = await createRunner();
  const site = { ...bot, name: "meu-site", type: "site", port: 8080, id: "01HX0000000000000000000002" };
  runner.answer = () => Response.json({ projects: [bot, site], startingIds: [site.id] });
  const { stdout } = await runner.run(["list"]);
  assert.match(stdout, /^meu-bot +no ar +256 MB/m);
  assert.match(stdout, /^meu-site +iniciando: ainda não atende na porta 8080 +256 MB/m);
  const shown = JSON.parse((await runner.run(["list", "--json"])).stdout);
  assert.deepEqual(shown, { projects: [bot, site], startingIds: [site.id] });
  runner.answer = () => Response.json({ projects: [bot, site] });
  assert.match((await runner.run(["list"])).stdout, /^meu-site +no ar +256 MB/m);
});

test("a stop waits until the project has stopped", async () => {
  await using runner = await createRunner();
  let questions = 0;
  runner.answer = () =>
    Response.json({ project: { ...bot, status: ++questions > 3 ? "stopped" : "running" } });
  const { code, stdout } = await runner.run(["stop", projectId]);
  assert.equal(code, 0);
  assert.match(stdout, /meu-bot está parado/);
  assert.equal(questions, 4);
});

test("logs without -f are one page, with -f a line per event", async () => {
  await using runner = await createRunner();
  const line = {
    at: bot.updatedAt,
    section: "app",
    stream: "stderr",
    version: 1,
    text: "oi \u001b]0;title\u0007",
  };
  runner.answer = (request) =>
    new URL(request.url).searchParams.get("follow") === "false"
      ? Response.json({ lines: [line], gaps: [], nextCursor: null })
      : Response.json({ status: "error", code: "not_found", message: "Acabou." }, { status: 404 });
  const page = await runner.run(["logs", projectId, "-n", "5"]);
  assert.equal(page.code, 0);
  assert.match(page.stdout, /oi \\x1b\]0;title\\x07/);
  assert.equal((await runner.run(["logs", projectId, "-f"])).code, 1);
});

test("as JSON, logs are a document per line", async () => {
  await using runner = await createRunner();
  const line = { at: bot.updatedAt, section: "app", stream: "stdout", version: 1, text: "oi" };
  runner.answer = () => Response.json({ lines: [line, line], gaps: [], nextCursor: null });
  const { stdout } = await runner.run(["logs", projectId, "--json"]);
  assert.equal(stdout, `${JSON.stringify({ event: "log", data: line })}\n`.repeat(2));
});

test("lines that were lost stand where they were in a page of the log, as text and as JSON", async () => {
  await using runner = await createRunner();
  const at = (second: number) => `2026-01-01T00:00:0${second}.000Z`;
  const lineAt = (second: number) => ({
    at: at(second),
    section: "app",
    stream: "stdout",
    version: 1,
    text: `line ${second}`,
  });
  const gaps = [
    { at: at(1), droppedLines: 3 },
    { at: at(3), droppedLines: 40 },
    { at: at(5), droppedLines: 7 },
  ];
  runner.answer = () => Response.json({ lines: [lineAt(2), lineAt(3), lineAt(4)], gaps, nextCursor: null });
  const { stdout } = await runner.run(["logs", projectId]);
  assert.deepEqual(
    stdout.split("\n").map((text) => text.replace(/^\d\S* /, "")),
    [
      "… 3 linha(s) perdida(s)",
      "line 2",
      "… 40 linha(s) perdida(s)",
      "line 3",
      "line 4",
      "… 7 linha(s) perdida(s)",
      "",
    ],
  );
  const events = (await runner.run(["logs", projectId, "--json"])).stdout.trim().split("\n");
  assert.deepEqual(
    events.map((text) => JSON.parse(text) as unknown),
    [
      { event: "gap", data: gaps[0] },
      { event: "log", data: lineAt(2) },
      { event: "gap", data: gaps[1] },
      { event: "log", data: lineAt(3) },
      { event: "log", data: lineAt(4) },
      { event: "gap", data: gaps[2] },
    ],
  );
});

test("a file that cannot be read or written is named", async () => {
  await using runner = await createRunner();
  runner.answer = () => Response.json({ variables: { A: "1" } });
  const pull = await runner.run(["env", "pull", "nowhere/.env", "-p", projectId]);
  assert.deepEqual([pull.code, /nowhere/.test(pull.stderr)], [1, true]);
  const push = await runner.run(["env", "push", ".", "-p", projectId]);
  assert.deepEqual([push.code, push.stderr.includes(runner.folder)], [1, true]);
});

test("values of metrics, with gaps, stand under their names", async () => {
  await using runner = await createRunner();
  const now = Date.parse("2026-01-01T01:00:00.000Z");
  runner.now = () => now;
  const pointAt = (minute: number, memoryMb: number) => ({
    at: new Date(now - minute * 60_000).toISOString(),
    memoryMb,
    cpuPercent: 12.5,
    networkInBps: 2_500,
    networkOutBps: 0,
    diskMb: null,
  });
  const limits = { memoryLimitMb: 256, cpuLimitPercent: 100, diskLimitMb: 1024 };
  runner.answer = () =>
    Response.json({ stepSeconds: 15, ...limits, points: [pointAt(50, 100), pointAt(1, 200)] });
  const { code, stdout } = await runner.run(["metrics", projectId]);
  assert.equal(code, 0);
  const [, memory = "", cpu = "", networkIn = "", , disk = ""] = stdout.split("\n");
  assert.match(memory, /^Memória +·{10}▅·+█ +100 MB +150 MB +200 MB +256 MB$/);
  assert.match(cpu, /12,5% +12,5% +12,5% +100%$/);
  assert.match(networkIn, /2,5 kB\/s +-$/);
  assert.match(disk, /^Disco +·{60} +- +- +- +1\.024 MB$/);
  runner.answer = () => Response.json({ stepSeconds: 15, ...limits, points: [] });
  assert.match((await runner.run(["metrics", projectId])).stdout, /Nenhuma medida em 1h/);
});

test("while another action of the project is in progress a command waits, saying so, and then does what it was asked to", async () => {
  const commands = [["restart"], ["start"], ["config", "set", "memoryMb=512"], ["env", "set", "TOKEN=x"]];
  for (const words of commands) {
    await using runner = await createRunner();
    const changes: string[] = [];
    runner.answer = async (request) => {
      if (request.method !== "GET") changes.push(await request.text());
      if (changes.length === 1) return busy();
      return Response.json({ project: bot, isRestartRequired: false });
    };
    const { code, stderr } = await runner.run([...words, "-p", projectId]);
    assert.equal(code, 0, `${words.join(" ")}: ${stderr}`);
    assert.match(stderr, /espero terminar/);
    assert.ok(changes.length === 2 && changes[0] === changes[1], "asked again, the same");
  }
});
