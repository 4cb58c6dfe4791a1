import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError, ConnectionError } from "../contract/api-error.ts";
import { errorTable } from "../contract/errors.ts";
import { createClient } from "./full-client.ts";
import { operationNames } from "../contract/operations.ts";

const projectId = "01J0000000000000000000000A";

/** Makes a server of one function that records its requests. */
function fakeServer(answer: (request: Request, count: number) => Response | Promise<Response>) {
  const requests: Request[] = [];
  const client = createClient({
    baseUrl: "http://central/api",
    token: "svc_secret",
    fetch: async (url, init) => {
      const request = new Request(url, init);
      requests.push(request);
      return await answer(request, requests.length);
    },
  });
  return { client, requests };
}

test("every operation of the table is a method", () => {
  const { client } = fakeServer(() => new Response());
  assert.deepEqual(Object.keys(client), operationNames);
});

test("a call goes to the operation's path with the key and answers its document", async () => {
  const { client, requests } = fakeServer(() => Response.json({ project: { id: projectId } }));
  const { project } = (await client.getProject({ id: projectId })) ?? {};
  assert.equal(project?.id, projectId);
  assert.equal(requests[0]?.url, `http://central/api/projects/${projectId}`);
  assert.equal(requests[0]?.headers.get("authorization"), "Bearer svc_secret");
});

test("an idempotency key goes along, and nothing where none is given", async () => {
  const { client, requests } = fakeServer(() => Response.json({ project: {} }, { status: 202 }));
  await client.startProject({ id: projectId }, { idempotencyKey: "once" });
  await client.startProject({ id: projectId });
  assert.deepEqual(
    requests.map((request) => request.headers.get("idempotency-key")),
    ["once", null],
  );
  // @ts-expect-error: it would be ignored there
  await client.createKey({ body: { name: "k", level: "read", password: "p" } }, { idempotencyKey: "once" });
});

test("a parameter cannot leave its place in the path", async () => {
  const { client, requests } = fakeServer(() => new Response(null, { status: 204 }));
  await client.deleteProject({ id: "../../x?y" });
  assert.equal(requests[0]?.url, "http://central/api/projects/..%2F..%2Fx%3Fy");
});

test("an error answer becomes an ApiError with code, status, extra fields and Retry-After", async () => {
  const body = {
    status: "error",
    code: "insufficient_scope",
    message: "Não.",
    requiredScope: "projects:read",
  };
  const { client } = fakeServer(() => Response.json(body, { status: 403, headers: { "retry-after": "3" } }));
  await assert.rejects(client.listProjects(), (error) => {
    assert.ok(error instanceof ApiError);
    const { code, status, message, extra, retryAfterSeconds } = error;
    assert.deepEqual(
      { code, status, message, extra, retryAfterSeconds },
      {
        code: "insufficient_scope",
        status: 403,
        message: "Não.",
        extra: { requiredScope: "projects:read" },
        retryAfterSeconds: 3,
      },
    );
    return true;
  });
});

test("an error may be retried where the table says so", () => {
  for (const [code, { status, mayRetry }] of Object.entries(errorTable)) {
    const error = new ApiError({ code, status, message: "", extra: {}, retryAfterSeconds: null });
    assert.equal(error.mayRetry, mayRetry, code);
  }
});

test("an answer of something that is not Tijolo is an unexpected_answer", async () => {
  const { client } = fakeServer(() => new Response("<html>", { status: 502 }));
  await assert.rejects(client.listProjects(), { name: "ApiError", code: "unexpected_answer", status: 502 });
});

test("a server that is not there is a ConnectionError", async () => {
  const { client } = fakeServer(() => Promise.reject(new TypeError("fetch failed")));
  await assert.rejects(client.listProjects(), ConnectionError);
});

test("an upload streams its file after the form's fields", async () => {
  const { client, requests } = fakeServer(() => Response.json({ project: {} }, { status: 201 }));
  async function* bytes() {
    for (const text of ["PK", "\0\r\n--", "é"]) yield new TextEncoder().encode(text);
  }
  await client.createProject({
    fields: { name: 'a"b', memoryMb: 256, systemPackages: ["git", "zip"], start: "true" },
    file: { name: "a.zip", bytes: bytes() },
  });
  const form = await requests[0]?.formData();
  assert.ok(form);
  const file = form.get("file");
  assert.ok(file instanceof File);
  assert.equal(await file.text(), "PK\0\r\n--é");
  assert.deepEqual([...form.keys()], ["name", "memoryMb", "systemPackages", "start", "file"]);
  assert.deepEqual(
    ["name", "memoryMb", "systemPackages"].map((name) => form.get(name)),
    ['a"b', "256", "git,zip"],
  );
});

test("a log stream yields its events and takes its query", async () => {
  const stream =
    'id: c1\nevent: log\ndata: {"text":"a"}\n\n: ping\n\nevent: status\ndata: {"status":"running"}\n\n';
  const { client, requests } = fakeServer(() => new Response(stream));
  const events = await Array.fromAsync(
    client.streamLogs({ id: projectId, query: { lines: 5, follow: true } }),
  );
  assert.deepEqual(events, [
    { event: "log", id: "c1", data: { text: "a" } },
    { event: "status", data: { status: "running" } },
  ]);
  assert.equal(new URL(requests[0]?.url ?? "").search, "?lines=5&follow=true");
});

test("a log stream that breaks goes on after the last line it saw", async () => {
  const { client, requests } = fakeServer((_, count) => {
    if (count === 2) throw new TypeError("fetch failed");
    if (count === 3)
      return Response.json({ status: "error", code: "server_unavailable", message: "" }, { status: 503 });
    return new Response(`id: c${count}\nevent: log\ndata: {}\n\nid: half`);
  });
  const ids: string[] = [];
  const reconnect = { maxAttempts: 3, minDelayMs: 1, maxDelayMs: 2, random: () => 1 };
  for await (const event of client.streamLogs({ id: projectId }, { reconnect })) {
    if (event.event === "log") ids.push(event.id);
    if (ids.length === 2) break;
  }
  assert.deepEqual(ids, ["c1", "c4"]);
  assert.deepEqual(
    requests.map((request) => request.headers.get("last-event-id")),
    [null, "c1", "c1", "c1"],
  );
});

test("a log stream gives up on an error that will not go away, and after its attempts", async () => {
  const reconnect = { maxAttempts: 2, minDelayMs: 1, maxDelayMs: 1, random: () => 0 };
  const refused = fakeServer(() =>
    Response.json({ status: "error", code: "not_found", message: "" }, { status: 404 }),
  );
  await assert.rejects(Array.fromAsync(refused.client.streamLogs({ id: projectId }, { reconnect })), {
    code: "not_found",
  });
  assert.equal(refused.requests.length, 1);
  const gone = fakeServer(() => Promise.reject(new TypeError("fetch failed")));
  await assert.rejects(
    Array.fromAsync(gone.client.streamLogs({ id: projectId }, { reconnect })),
    ConnectionError,
  );
  assert.equal(gone.requests.length, 3);
});

test("a log stream up to a time ends with a connection opened after it, or with the first one after it that has nothing more", async () => {
  const reconnect = { maxAttempts: 9, minDelayMs: 1, maxDelayMs: 1, random: () => 0 };
  const answer = (_: unknown, count: number) =>
    new Response(count < 3 ? `id: c${count}\nevent: log\ndata: {}\n\n` : "");
  const past = fakeServer(answer);
  const query = { until: "2026-01-01T00:00:00Z" };
  assert.equal(
    (await Array.fromAsync(past.client.streamLogs({ id: projectId, query }, { reconnect }))).length,
    1,
  );
  assert.equal(past.requests.length, 1);
  const justPast = fakeServer(answer);
  const before = { until: new Date(Date.now() - 1_000).toISOString() };
  assert.equal(
    (await Array.fromAsync(justPast.client.streamLogs({ id: projectId, query: before }, { reconnect })))
      .length,
    2,
  );
  assert.equal(justPast.requests.length, 3);
  const future = fakeServer(answer);
  const later = { until: new Date(Date.now() + 3_600_000).toISOString() };
  await assert.rejects(
    Array.fromAsync(future.client.streamLogs({ id: projectId, query: later }, { reconnect })),
    ConnectionError,
  );
});

test("an aborted log stream ends with the signal's reason", async () => {
  const { client } = fakeServer(() => Promise.reject(new TypeError("fetch failed")));
  const signal = AbortSignal.timeout(20);
  const reconnect = { maxAttempts: 9, minDelayMs: 10_000, maxDelayMs: 10_000, random: () => 1 };
  await assert.rejects(Array.fromAsync(client.streamLogs({ id: projectId }, { signal, reconnect })), {
    name: "TimeoutError",
  });
});
