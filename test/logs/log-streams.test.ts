/**
 * The log endpoint as a client sees it: events, pages, cursors over restarts, and how a stream ends (api.md:
 * "Logs").
 */

import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { logEvent, type LogEvent } from "@tijolo/protocol";
import { apiRequest, type ApiAnswer } from "../support/requests/api-request.ts";
import { assertContract } from "../support/requests/assert-contract.ts";
import { SimulatedProject } from "../support/projects/simulated-project.ts";
import { TestCluster, type TestAccount } from "../support/cluster/test-cluster.ts";
import { until } from "../support/until.ts";

const pingMs = 100;

let cluster: TestCluster;
let account: TestAccount;
before(async () => {
  cluster = await TestCluster.create({ apiBounds: { pingMs } });
  account = await cluster.createAccount({ plan: "Empresas" });
});
after(() => cluster[Symbol.asyncDispose]());

const path = (id: string, query = "") => `/api/projects/${id}/logs${query}`;
const get = (id: string, query: string, headers: Record<string, string> = {}): Promise<ApiAnswer> =>
  apiRequest(cluster.centralUrl, { method: "GET", path: path(id, query), token: account.key, headers });
const textsOf = (answer: ApiAnswer) =>
  (answer.json as { lines: { text: string }[] }).lines.map(({ text }) => text);

/** An open stream, with all it has sent so far. */
class OpenStream {
  text = "";
  hasEnded: "no" | "well" | "broken" = "no";
  readonly response: Response;
  readonly #abort: AbortController;

  private constructor(response: Response, abort: AbortController) {
    this.response = response;
    this.#abort = abort;
    void this.#read();
  }

  static async open(id: string, query = "", headers: Record<string, string> = {}): Promise<OpenStream> {
    const abort = new AbortController();
    const response = await fetch(cluster.centralUrl + path(id, query), {
      headers: { authorization: `Bearer ${account.key}`, ...headers },
      signal: abort.signal,
    });
    return new OpenStream(response, abort);
  }

  /** The events so far, each held against its schema. */
  get events(): LogEvent[] {
    const frames = this.text
      .split("\n\n")
      .slice(0, -1)
      .filter((frame) => !frame.startsWith(":"));
    return frames.map((frame) => {
      const fields = new Map(
        frame
          .split("\n")
          .map((line) => [line.slice(0, line.indexOf(": ")), line.slice(line.indexOf(": ") + 2)]),
      );
      const id = fields.get("id");
      return logEvent.parse({
        event: fields.get("event"),
        ...(id === undefined ? {} : { id }),
        data: JSON.parse(fields.get("data") ?? "null"),
      });
    });
  }

  get texts(): string[] {
    return this.events.flatMap((event) =>
      event.event === "log" && event.data.stream !== "system" ? [event.data.text] : [],
    );
  }

  close(): void {
    this.#abort.abort();
  }

  async #read(): Promise<void> {
    try {
      const decoder = new TextDecoder();
      for await (const chunk of this.response.body ?? [])
        this.text += decoder.decode(chunk, { stream: true });
      this.hasEnded = "well";
    } catch {
      this.hasEnded = "broken";
    }
  }
}

suite("the log endpoint", { concurrency: 3 }, () => {
  test("streams lines with id, event and data, then follows", async () => {
    const project = await SimulatedProject.create(
      account,
      "sim print one; warn two; wait 500; print three; run",
    );
    await project.is("running");
    const stream = await OpenStream.open(project.id);
    assert.equal(stream.response.status, 200);
    assert.match(stream.response.headers.get("content-type") ?? "", /^text\/event-stream/);
    assert.match(stream.response.headers.get("x-request-id") ?? "", /^[0-9A-Z]{26}$/);
    await until(() => stream.texts.includes("three"));
    const lines = stream.events.flatMap((event) => (event.event === "log" ? [event] : []));
    assert.deepEqual(
      lines
        .filter(({ data }) => data.section === "app" && data.stream !== "system")
        .map(({ data }) => [data.text, data.stream, data.version]),
      [
        ["one", "stdout", 1],
        ["two", "stderr", 1],
        ["three", "stdout", 1],
      ],
    );
    assert.ok(lines.some(({ data }) => data.section === "install" && data.stream === "system"));
    assert.equal(new Set(lines.map(({ id }) => id)).size, lines.length, "each id is its own");
    await until(() => stream.text.includes(": ping\n\n"));
    stream.close();
  });

  test("answers a page for follow=false and for JSON, and takes its parameters", async () => {
    const project = await SimulatedProject.create(account, "sim log 20; warn bad; run");
    await project.is("running");
    await until(async () => textsOf(await get(project.id, "?follow=false")).includes("bad"));
    const page = await get(project.id, "?follow=false&section=app&stream=stdout&lines=5");
    assertContract("streamLogs", page);
    assert.deepEqual(textsOf(page), ["line 16", "line 17", "line 18", "line 19", "line 20"]);
    const json = await get(project.id, "?section=app&stream=stderr", { accept: "application/json" });
    assertContract("streamLogs", json);
    assert.deepEqual(textsOf(json), ["bad"]);
    assert.deepEqual(
      textsOf(await get(project.id, "?follow=false&q=line%201&section=app&stream=stdout")).length,
      11,
    );
    assert.deepEqual(textsOf(await get(project.id, "?follow=false&lines=0")), []);
    const { nextCursor } = page.json as { nextCursor: string };
    assert.deepEqual(
      textsOf(
        await get(
          project.id,
          `?follow=false&section=app&stream=stdout&cursor=${encodeURIComponent(nextCursor)}`,
        ),
      ),
      [],
    );
    await project.stop();
    await project.is("stopped");
    assert.ok(
      textsOf(await get(project.id, "?follow=false")).includes("line 20"),
      "readable while it is stopped",
    );
  });

  test("refuses parameters that are out of format", async () => {
    const project = await SimulatedProject.create(account, "sim run");
    await project.is("running");
    const wrong = [
      "lines=1001",
      "lines=-1",
      "lines=1.5",
      "lines=abc",
      "lines=",
      "section=all2",
      "follow=yes",
      "stream=stdin",
      "since=yesterday",
      "until=1",
      "q=",
      `q=${"x".repeat(201)}`,
      "colour=red",
      "lines=1&lines=2",
      `cursor=${"x".repeat(501)}`,
      "cursor=nonsense",
    ];
    for (const query of wrong) {
      for (const follow of query.startsWith("follow") ? [""] : ["&follow=false", ""]) {
        const answer = await get(project.id, `?${query}${follow}`);
        assert.deepEqual([query, answer.status, answer.code], [query, 400, "invalid_request"]);
        assertContract("streamLogs", answer);
      }
    }
    for (const good of [
      "lines=1000",
      "lines=1",
      "section=install",
      "since=2026-01-01T00:00:00Z",
      "until=2020-01-01T00:00:00.000Z",
    ]) {
      assert.equal((await get(project.id, `?${good}&follow=false`)).status, 200, good);
    }
  });

  test("tells each change of status", async () => {
    const project = await SimulatedProject.create(account, "sim run");
    await project.is("running");
    const stream = await OpenStream.open(project.id, "?lines=0");
    const statuses = () => stream.events.flatMap((event) => (event.event === "status" ? [event.data] : []));
    cluster.host.machine.kill(project.id, new Date(cluster.clock.now()));
    await until(() => statuses().at(-1)?.status === "running" && statuses().at(-1)?.lastExit?.code === 137);
    await project.stop();
    await until(() => statuses().at(-1)?.status === "stopped");
    assert.ok(
      statuses().every((status, index) => JSON.stringify(status) !== JSON.stringify(statuses()[index - 1])),
    );
    stream.close();
  });

  test("ends well when the project is deleted, and breaks nothing else", async () => {
    const project = await SimulatedProject.create(account, "sim print up; run");
    const other = await SimulatedProject.create(account, "sim run");
    for (const each of [project, other]) await each.is("running");
    const [stream, neighbour] = [await OpenStream.open(project.id), await OpenStream.open(other.id)];
    await until(() => stream.texts.includes("up"));
    await cluster.client(cluster.operatorToken).deleteProject({ id: project.id });
    await until(() => stream.hasEnded !== "no");
    assert.equal(stream.hasEnded, "well");
    assert.equal(neighbour.hasEnded, "no");
    assert.equal((await get(project.id, "")).status, 404);
    neighbour.close();
  });
});

test("Last-Event-ID continues without loss or repeat while lines are written and central and agent restart", async () => {
  await using own = await TestCluster.create();
  const { client } = await own.createAccount();
  const numbers = Array.from({ length: 50 }, (_, index) => String(index + 10));
  const project = await SimulatedProject.create(
    { client },
    `sim ${numbers.map((number) => `print ${number};wait 80`).join(";")};run`,
    {
      start: false,
    },
  );
  await project.is("stopped");
  const abort = new AbortController();
  const seen: string[] = [];
  const ids: string[] = [];
  const reading = (async () => {
    const reconnect = { maxAttempts: 1000, minDelayMs: 10, maxDelayMs: 50, random: Math.random };
    const query = { section: "app", stream: "stdout", lines: 1000 } as const;
    for await (const event of client.streamLogs(
      { id: project.id, query },
      { signal: abort.signal, reconnect },
    )) {
      if (event.event !== "log") continue;
      seen.push(event.data.text);
      ids.push(event.id);
    }
  })().catch((error: unknown) => {
    if (!abort.signal.aborted) throw error;
  });
  await project.start();
  for (const disturbance of ["central", "agent", "central"]) {
    const seenBefore = seen.length;
    await until(() => seen.length > seenBefore + 3 || seen.length >= numbers.length, { timeoutMs: 60_000 });
    if (disturbance === "central") {
      await own.stopCentral();
      await own.startCentral();
    } else {
      await own.host.stop();
      await own.host.start();
    }
  }
  await until(() => seen.length >= numbers.length, { timeoutMs: 60_000 });
  // A repeat would come with the next reconnection at the latest.
  await own.stopCentral();
  await own.startCentral();
  await until(async () => (await own.connectedHosts()) === 1, { timeoutMs: 60_000 });
  await project.restart();
  await until(() => seen.length >= numbers.length + 5, { timeoutMs: 60_000 });
  abort.abort();
  await reading;
  assert.deepEqual(seen.slice(0, numbers.length + 5), [...numbers, ...numbers.slice(0, 5)]);
  assert.equal(new Set(ids).size, ids.length);
});
