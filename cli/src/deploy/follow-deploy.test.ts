import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type { LogLine, Project, VersionStatus } from "@tijolo/protocol";
import { CommandLine, type CommandRun } from "../../../test/support/commands/command-line.ts";
import { bot as anyBot, tooMany, versionsAnswer } from "../../../test/support/commands/command-runner.ts";
import { keepProjectId } from "../project/project-folder.ts";

/** Time on a host whose clock is a minute behind. */
const beforeUpload = "2026-01-01T11:59:00.000Z";
const exit = { code: 0, isOutOfMemory: false, exitedAt: beforeUpload };
const olderExit = { ...exit, exitedAt: "2025-12-31T00:00:00.000Z" };
const bot = { ...anyBot, status: "installing", startedAt: beforeUpload } as unknown as Project;

const line = (version: number, text: string, stream: LogLine["stream"] = "stdout"): LogLine => ({
  at: beforeUpload,
  section: "app",
  stream,
  version,
  text,
});

/** State that the server answers one request with; the last one is repeated. */
interface State {
  project: Partial<Project>;
  /** Statuses of the versions, the newest first. Default: live, and an earlier one. */
  versions?: VersionStatus[];
  lines?: LogLine[];
}

interface Answers {
  states: State[];
  uploaded?: Partial<Project>;
  /** Answers a stream of the log. Default: the lines of the state, and the end. */
  stream?: (lines: readonly LogLine[]) => Response;
}

/** A server of one project that goes from state to state, each time it is asked for the project. */
class ScriptedServer {
  readonly starts: string[] = [];
  readonly #answers: Answers;
  #turn = -1;

  constructor(answers: Answers) {
    this.#answers = answers;
  }

  answer(request: Request): Response {
    const { pathname, searchParams } = new URL(request.url);
    const { states, uploaded, stream } = this.#answers;
    if (pathname.endsWith("/code")) return Response.json({ project: { ...bot, ...uploaded } });
    if (pathname.endsWith("/start")) {
      this.starts.push(pathname);
      return Response.json({ project: bot });
    }
    const state = states[Math.min(Math.max(this.#turn, 0), states.length - 1)];
    if (pathname.endsWith("/versions")) return versionsAnswer(...(state?.versions ?? ["live", "superseded"]));
    if (!pathname.endsWith("/logs")) {
      this.#turn++;
      const now = states[Math.min(this.#turn, states.length - 1)];
      return Response.json({ project: { ...bot, ...now?.project } });
    }
    const lines = states.slice(0, this.#turn + 1).flatMap((each) => each.lines ?? []);
    if (searchParams.get("follow") !== "false") return stream?.(lines) ?? new Response("");
    const after = Number(searchParams.get("cursor") ?? 0);
    return Response.json({ lines: lines.slice(after), gaps: [], nextCursor: String(lines.length) });
  }
}

async function up(
  answers: Answers,
  words: string[] = [],
  type = "bot",
): Promise<CommandRun & { starts: number }> {
  await using runner = await CommandLine.create();
  runner.environment = { TIJOLO_URL: "http://central", TIJOLO_KEY: "svc_key" };
  await writeFile(join(runner.folder, "index.js"), "");
  await keepProjectId(runner.folder, "http://central", bot.id);
  const states = answers.states.map((state) => ({
    ...state,
    project: { type, ...state.project } as Partial<Project>,
  }));
  const server = new ScriptedServer({ ...answers, states });
  runner.answer = (request) => server.answer(request);
  return { ...(await runner.run(["up", ...words])), starts: server.starts.length };
}

const running: Partial<Project> = { status: "running" };

test("the new version's lines are shown, each once, and no others, also where no stream was to be had", async () => {
  const states: State[] = [
    { project: {}, lines: [line(1, "of the code before"), line(2, "installing")] },
    { project: running, lines: [line(2, "of the new code"), line(1, "late of the code before")] },
  ];
  for (const stream of [() => tooMany(11), undefined]) {
    const { code, stderr } = await up({ states, ...(stream === undefined ? {} : { stream }) });
    assert.equal(code, 0, stderr);
    assert.equal(stderr.match(/installing/g)?.length, 1);
    assert.equal(stderr.match(/of the new code/g)?.length, 1);
    assert.doesNotMatch(stderr, /of the code before/);
  }
});

test("a stream goes on after the page that was read before it", async () => {
  const cursors: (string | null)[] = [];
  const states: State[] = [
    { project: {}, lines: [line(2, "of the page")] },
    { project: running, lines: [line(2, "of the stream")] },
  ];
  await using runner = await CommandLine.create();
  runner.environment = { TIJOLO_URL: "http://central", TIJOLO_KEY: "svc_key" };
  await writeFile(join(runner.folder, "index.js"), "");
  await keepProjectId(runner.folder, "http://central", bot.id);
  const server = new ScriptedServer({
    states,
    stream: (lines) =>
      new Response(
        lines
          .map((data, at) => `id: ${at + 1}\nevent: log\ndata: ${JSON.stringify(data)}\n\n`)
          .slice(1)
          .join(""),
      ),
  });
  runner.answer = (request) => {
    const url = new URL(request.url);
    if (url.pathname.endsWith("/logs")) cursors.push(url.searchParams.get("cursor"));
    return server.answer(request);
  };
  const { stderr } = await runner.run(["up"]);
  assert.equal(stderr.match(/of the page/g)?.length, 1);
  assert.equal(stderr.match(/of the stream/g)?.length, 1);
  assert.ok(
    cursors.slice(2).every((cursor) => cursor !== null),
    cursors.join(),
  );
});

test("what ran and ended after the upload is not started again, however late the host's clock is", async () => {
  for (const lastExit of [null, olderExit]) {
    const ended: Partial<Project> = { status: "stopped", lastExit: exit };
    const { code, starts, stdout } = await up({ uploaded: { lastExit }, states: [{ project: ended }] });
    assert.deepEqual([code, starts, /terminou com código 0/.test(stdout)], [0, 0, true], stdout);
  }
});

test("what has not run since the upload is started, unless it is not to be: then it says how", async () => {
  for (const lastExit of [null, olderExit]) {
    const stopped: State = { project: { status: "stopped", lastExit } };
    // The project is read twice once its version is ready.
    const states: State[] = [stopped, stopped, { project: { ...running, lastExit } }];
    const { code, starts, stderr } = await up({ uploaded: { lastExit }, states });
    assert.deepEqual([code, starts, /estava parado/.test(stderr)], [0, 1, true], stderr);
    const off = await up({ uploaded: { lastExit }, states: states.slice(0, 1) }, ["--no-start"]);
    assert.deepEqual([off.code, off.starts], [0, 0]);
    assert.match(off.stdout, /está parado\n.*tijolo start/);
  }
});

test("an update that did not come up ends with 1, its reason, its lines, and the version that is still up", async () => {
  const states: State[] = [
    { project: { status: "running" }, versions: ["installing", "live"], lines: [line(2, "boom", "stderr")] },
    { project: { status: "restarting" }, versions: ["failed", "live"] },
    { project: { status: "running" }, versions: ["failed", "live"], lines: [line(1, "old again")] },
  ];
  const { code, stdout } = await up({ states });
  assert.equal(code, 1);
  assert.match(
    stdout,
    /A versão 2 não subiu: O processo caiu\. \(process_exited\)\nA versão 1 continua no ar\./,
  );
  assert.match(stdout, /Últimas linhas:\n.*boom/);
  assert.doesNotMatch(stdout, /old again/);
  const json = JSON.parse((await up({ states }, ["--json"])).stdout) as Record<string, unknown>;
  assert.deepEqual(
    [json["result"], json["version"], json["servingVersion"], json["status"], json["error"]],
    ["failed", 2, 1, "running", { code: "process_exited", message: "O processo caiu." }],
  );
  assert.deepEqual(json["lastLines"], [line(2, "boom", "stderr")]);
});

test("what ends between two requests is told as it ended: no part of the answer is from before", async () => {
  const error = { code: "process_exited" as const, message: "O processo caiu." };
  const down: Partial<Project> = { status: "error", error, startedAt: null, lastExit: exit };
  // The project is read while it runs; its run has crashed when the versions are read.
  const crashed = await up({
    states: [
      { project: running, versions: ["failed"] },
      { project: down, versions: ["failed"] },
    ],
  });
  assert.equal(crashed.code, 1);
  assert.match(crashed.stdout, /não subiu[^]*Situação: +com erro/);
  assert.doesNotMatch(crashed.stdout, /no ar/);
  // The versions are read while the one before serves; it has ended when the project is read after them.
  const bothEnded = await up({
    states: [
      { project: running, versions: ["failed", "live"] },
      { project: down, versions: ["failed", "superseded"] },
    ],
  });
  assert.equal(bothEnded.code, 1);
  assert.match(bothEnded.stdout, /A versão 2 não subiu[^]*Nenhuma versão está no ar[^]*Situação: +com erro/);
});

test("a bot that ends between two requests is not told as up", async () => {
  const states: State[] = [
    { project: running, versions: ["live"] },
    { project: { status: "stopped", lastExit: exit }, versions: ["live"] },
  ];
  const { code, stdout } = await up({ states });
  assert.deepEqual([code, /terminou com código 0/.test(stdout)], [0, true], stdout);
});

test("a first version is waited for through one crash, and tells of it; the next one is its end", async () => {
  const crash = (consecutiveCrashes: number): State => ({
    project: { status: "restarting", consecutiveCrashes, lastExit: exit },
    versions: ["installing"],
    lines: [line(1, `crash ${consecutiveCrashes}`)],
  });
  const cameUp = await up({
    states: [crash(1), { project: { ...running, consecutiveCrashes: 1 }, versions: ["live"] }],
  });
  assert.equal(cameUp.code, 0);
  assert.match(cameUp.stdout, /está no ar, depois de cair uma vez/);
  const error = { code: "crash_loop" as const, message: "Caiu 5 vezes." };
  const gaveUp = await up({
    states: [crash(1), { project: { status: "crash_loop", error }, versions: ["failed"] }],
  });
  assert.equal(gaveUp.code, 1);
  assert.match(gaveUp.stdout, /não subiu[^]*Caiu 5 vezes[^]*Últimas linhas:\n.*crash 1/);
  const crashing = await up({ states: [crash(1), crash(2)] });
  assert.equal(crashing.code, 1);
  assert.match(crashing.stdout, /não subiu: caiu 2 vezes seguidas[^]*Últimas linhas:\n.*crash 1\n.*crash 2/);
  assert.doesNotMatch(gaveUp.stdout, /no ar/);
});

test("a site that ends is not up, though its code is 0; a newer upload takes its place", async () => {
  const ended: State = {
    project: { status: "stopped", lastExit: exit, port: 8080 },
    versions: ["installing"],
  };
  const site = await up({ states: [ended] }, [], "site");
  assert.deepEqual([site.code, /precisa continuar rodando/.test(site.stdout)], [1, true], site.stdout);
  const replaced = await up({ states: [{ project: running, versions: ["superseded"] }] });
  assert.deepEqual([replaced.code, /tomou o lugar da versão 1/.test(replaced.stdout)], [1, true]);
});

test("a site that never listens ends with 1 and what is wrong", async () => {
  await using runner = await CommandLine.create();
  runner.environment = { TIJOLO_URL: "http://central", TIJOLO_KEY: "svc_key" };
  await writeFile(join(runner.folder, "index.js"), "");
  await keepProjectId(runner.folder, "http://central", bot.id);
  const project: Partial<Project> = { ...running, type: "site", port: 8080 };
  const lines = [line(1, "Nada ouve a porta 8080", "system")];
  const server = new ScriptedServer({ states: [{ project, versions: ["installing"], lines }] });
  runner.answer = (request) => server.answer(request);
  let now = Date.now();
  runner.now = () => (now += 20_000);
  const { code, stdout } = await runner.run(["up"]);
  assert.equal(code, 1);
  assert.match(stdout, /ainda não atende na porta 8080[^]*Últimas linhas:\n.*Nada ouve a porta 8080/);
});

test("Ctrl-C says that the deploy goes on", async () => {
  await using runner = await CommandLine.create();
  runner.environment = { TIJOLO_URL: "http://central", TIJOLO_KEY: "svc_key" };
  await writeFile(join(runner.folder, "index.js"), "");
  await keepProjectId(runner.folder, "http://central", bot.id);
  const server = new ScriptedServer({ states: [{ project: { status: "installing" } }] });
  runner.answer = (request) => {
    if (request.method === "GET" && request.url.endsWith(bot.id))
      setImmediate(() => runner.interruption.abort());
    return server.answer(request);
  };
  const { code, stderr } = await runner.run(["up"]);
  assert.equal(code, 130);
  assert.match(stderr, /continua sem este comando/);
});
