/** Every code of the error table is provoked over HTTP, or is named here with the reason why it cannot be yet. */

import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { errorCodes, errorTable, hostResources, type ErrorCode, type PlanName } from "@tijolo/protocol";
import { apiRequest, type ApiAnswer } from "../support/api-request.ts";
import { assertErrorBody } from "../support/assert-contract.ts";
import { multipartType, uploadBody } from "../support/multipart.ts";
import { projectWhen, TestCluster, type TestAccount } from "../support/test-cluster.ts";
import { until } from "../support/until.ts";
import { zipOf } from "../support/zip-of.ts";

/** Codes of parts that are not built yet. */
const later: Partial<Record<ErrorCode, string>> = {
  rate_limit_exceeded: "rates by plan are not counted yet",
  too_many_requests: "the pace of uploads and log openings is not limited yet",
  too_many_attempts: "wrong keys are not counted yet",
  beta_ending: "no account is in a beta yet",
  variables_unavailable: "projects have no variables yet",
  missing_variables: "there are no templates yet",
};

let cluster: TestCluster;
const results: [code: string, title: string, answer: string][] = [];
before(async () => {
  cluster = await TestCluster.create({ hosts: 2 });
});
after(() => cluster[Symbol.asyncDispose]());

interface Case {
  code: ErrorCode;
  title: string;
  /** Fields beside `status`, `code`, `message`. */
  extra?: Record<string, unknown>;
  status?: number;
  provoke(): Promise<ApiAnswer>;
}

const node = { language: "node", command: "sim run" };

const cases: Case[] = [
  { code: "invalid_api_key", title: "no key", provoke: async () => get("/api/projects") },
  { code: "not_authenticated", title: "deleting without anything", provoke: async () => remove(unknownId) },
  { code: "api_key_not_allowed", title: "deleting with a key", provoke: async () => remove(unknownId, (await newAccount()).key) },
  {
    code: "insufficient_permission",
    title: "starting with a read key",
    provoke: async () => act(await cluster.createKey((await newAccount()).id, "read"), unknownId, "start"),
  },
  {
    code: "insufficient_scope",
    title: "changing settings with a write key",
    extra: { requiredScope: "projects:settings" },
    provoke: async () => patch((await newAccount("Stack", [])).key, unknownId, { name: "x" }),
  },
  {
    code: "invalid_request",
    title: "lines over 1000",
    extra: { field: "lines" },
    provoke: async () => get(`/api/projects/${unknownId}/logs?lines=1001`, (await newAccount()).key),
  },
  {
    code: "unsupported_media_type",
    title: "an upload that is JSON",
    provoke: async () => upload((await newAccount()).key, "{}", { "content-type": "application/json" }),
  },
  {
    code: "payload_too_large",
    title: "settings of 300 KB",
    provoke: async () => patch((await newAccount()).key, unknownId, { name: "x".repeat(300_000) }),
  },
  { code: "not_found", title: "an id that nobody has", provoke: async () => get(`/api/projects/${unknownId}`, (await newAccount()).key) },
  { code: "internal_error", title: "a disk that does not take the upload", provoke: provokeInternalError },
  {
    code: "invalid_zip",
    title: "text as an archive",
    provoke: async () => upload((await newAccount()).key, uploadBody(Buffer.from("text"))),
  },
  {
    code: "invalid_zip",
    title: "an archive over the plan's limit",
    status: 413,
    extra: { limitMb: 50 },
    provoke: async () => upload((await newAccount("Free")).key, uploadBody(Buffer.alloc(51 * 1024 * 1024))),
  },
  {
    code: "unsafe_zip",
    title: "a path outside",
    extra: { reason: "path" },
    provoke: async () => upload((await newAccount()).key, uploadBody(await unsafeZip())),
  },
  { code: "missing_config", title: "no svc.json and no fields", provoke: async () => create((await newAccount()).key, null) },
  {
    code: "invalid_config",
    title: "a port on a bot",
    extra: { field: "port" },
    provoke: async () => create((await newAccount()).key, { ...node, port: 80 }),
  },
  { code: "unsupported_language", title: "cobol", provoke: async () => create((await newAccount()).key, { ...node, language: "cobol" }) },
  {
    code: "insufficient_memory",
    title: "more than is left",
    extra: { freeMemoryMb: 512 - 128, requestedMemoryMb: 400 },
    provoke: async () => {
      const { key } = await newAccount("Free");
      await create(key, node);
      return create(key, { ...node, memoryMb: 400 });
    },
  },
  {
    code: "project_limit_reached",
    title: "a third project on Free",
    extra: { limit: 2 },
    provoke: async () => {
      const { key } = await newAccount("Free");
      await create(key, node);
      await create(key, node);
      return create(key, node);
    },
  },
  {
    code: "site_not_allowed",
    title: "a site on Free",
    provoke: async () => create((await newAccount("Free")).key, { language: "static" }),
  },
  {
    code: "site_limit_reached",
    title: "a third site on Block",
    extra: { limit: 2 },
    provoke: async () => {
      const { key } = await newAccount("Block");
      for (const subdomain of ["limit-a", "limit-b"]) await create(key, { language: "static", subdomain });
      return create(key, { language: "static", subdomain: "limit-c" });
    },
  },
  {
    code: "invalid_subdomain",
    title: "a hyphen at the end",
    extra: { field: "subdomain" },
    provoke: async () => create((await newAccount()).key, { language: "static", subdomain: "shop-" }),
  },
  {
    code: "reserved_subdomain",
    title: "www",
    extra: { field: "subdomain" },
    provoke: async () => create((await newAccount()).key, { language: "static", subdomain: "www" }),
  },
  {
    code: "subdomain_taken",
    title: "another account's subdomain",
    extra: { field: "subdomain" },
    provoke: async () => {
      await create((await newAccount()).key, { language: "static", subdomain: "taken" });
      return create((await newAccount()).key, { language: "static", subdomain: "taken" });
    },
  },
  { code: "no_capacity", title: "hosts that are full", provoke: provokeNoCapacity },
  {
    code: "project_busy",
    title: "a start during the install",
    provoke: async () => {
      const { key, client } = await newAccount();
      const id = idOf(await create(key, { ...node, installCommand: "sim wait 60000" }));
      await projectWhen(client, id, ({ status }) => status === "installing");
      return act(key, id, "start");
    },
  },
  {
    code: "install_pending",
    title: "a start after a failed install",
    provoke: async () => {
      const { key, client } = await newAccount();
      const id = idOf(await create(key, { ...node, installCommand: "sim exit 1" }));
      await projectWhen(client, id, ({ status }) => status === "error");
      return act(key, id, "start");
    },
  },
  {
    code: "plan_limit_reached",
    title: "a start beside what runs, after a smaller plan",
    extra: { freeMemoryMb: 0, requestedMemoryMb: 1024 },
    provoke: async () => {
      const { id: accountId, key, client } = await newAccount("Stack");
      const running = idOf(await create(key, { ...node, memoryMb: 1024 }));
      const stopped = idOf(await create(key, { ...node, memoryMb: 1024 }));
      for (const id of [running, stopped]) await projectWhen(client, id, ({ status }) => status === "stopped");
      await act(key, running, "start");
      await cluster.central.app.db.updateTable("account").set({ plan: "Free" }).where("id", "=", accountId).execute();
      return act(key, stopped, "start");
    },
  },
  {
    code: "account_suspended",
    title: "a start of a suspended account, whose stop stays allowed",
    provoke: async () => {
      const { id: accountId, key, client } = await newAccount();
      const id = idOf(await create(key, node));
      await projectWhen(client, id, ({ status }) => status === "stopped");
      await cluster.central.app.db.updateTable("account").set({ suspended_at: Date.now() }).where("id", "=", accountId).execute();
      assert.equal((await act(key, id, "stop")).status, 202);
      for (const refused of [await act(key, id, "restart"), await create(key, node)]) assert.equal(refused.code, "account_suspended");
      return act(key, id, "start");
    },
  },
  { code: "server_unavailable", title: "a start while the host is away", provoke: provokeServerUnavailable },
];

for (const { code, title, extra = {}, status, provoke } of cases) {
  test(`${code}: ${title}`, async () => {
    const answer = await provoke();
    assert.equal(answer.code, code, answer.text);
    assert.equal(answer.status, status ?? errorTable[code].status);
    assertErrorBody(answer);
    for (const [field, value] of Object.entries(extra)) assert.deepEqual((answer.json as Record<string, unknown>)[field], value, field);
    results.push([code, title, String(answer.status)]);
  });
}

test("the same error in English has the same code", async () => {
  for (const header of ["en", "en-US,en;q=0.9", " EN"]) {
    const answer = await apiRequest(cluster.central.url, { method: "GET", path: "/api/projects", headers: { "accept-language": header } });
    assert.equal(answer.code, "invalid_api_key");
    assertErrorBody(answer, "en");
  }
  for (const header of ["pt-BR", "fr", "*", "enough"]) {
    assertErrorBody(
      await apiRequest(cluster.central.url, { method: "GET", path: "/api/projects", headers: { "accept-language": header } }),
      "pt",
    );
  }
});

test("cases and reasons together are the whole error table", (t) => {
  for (const [code, title, status] of results) t.diagnostic(`${code} → ${title} → ${status}`);
  for (const [code, reason] of Object.entries(later)) t.diagnostic(`${code} → later: ${reason}`);
  const covered = new Set<string>(cases.map(({ code }) => code));
  assert.deepEqual(
    [...covered].filter((code) => code in later),
    [],
    "a code is both provoked and put off",
  );
  assert.deepEqual(new Set([...covered, ...Object.keys(later)]), new Set(errorCodes));
  assert.equal(results.length, cases.length, "every case has given its code");
});

const unknownId = "0".repeat(26);

async function provokeInternalError(): Promise<ApiAnswer> {
  const { key } = await newAccount();
  const broken = await TestCluster.create({ hosts: 0 });
  try {
    const account = await broken.createAccount();
    await rm(join(broken.directory, "central", "objects", "incoming"), { recursive: true });
    const zip = await zipOf({ "svc.json": JSON.stringify(node) });
    const answer = await apiRequest(broken.central.url, {
      method: "POST",
      path: "/api/projects",
      token: account.key,
      headers: multipartType,
      body: uploadBody(zip),
    });
    assert.equal((answer.json as { requestId?: string }).requestId, answer.headers.get("x-request-id"));
    assert.ok(!answer.text.includes("ENOENT") && !answer.text.includes(broken.directory) && !answer.text.includes(key));
    return answer;
  } finally {
    await broken[Symbol.asyncDispose]();
  }
}

async function provokeNoCapacity(): Promise<ApiAnswer> {
  const { db } = cluster.central.app;
  const hosts = await db.selectFrom("host").select(["id", "resources"]).execute();
  try {
    for (const { id, resources } of hosts) {
      const small = { ...hostResources.parse(JSON.parse(resources ?? "")), memoryMb: 600 };
      await db
        .updateTable("host")
        .set({ resources: JSON.stringify(small) })
        .where("id", "=", id)
        .execute();
    }
    return await create((await newAccount()).key, node);
  } finally {
    for (const { id, resources } of hosts) await db.updateTable("host").set({ resources }).where("id", "=", id).execute();
  }
}

async function provokeServerUnavailable(): Promise<ApiAnswer> {
  const { key, client } = await newAccount();
  const id = idOf(await create(key, node));
  const before = await projectWhen(client, id, ({ status }) => status === "stopped");
  await Promise.all(cluster.hosts.map((host) => host.stop()));
  await until(async () => (await cluster.connectedHosts()) === 0);
  try {
    const answer = await act(key, id, "start");
    assert.equal((await create(key, node)).code, "server_unavailable");
    assert.deepEqual((await client.listProjects()).projects, [before], "nothing changed");
    return answer;
  } finally {
    await Promise.all(cluster.hosts.map((host) => host.start()));
  }
}

function newAccount(plan: PlanName = "Stack", scopes: "projects:settings"[] = ["projects:settings"]): Promise<TestAccount> {
  return cluster.createAccount({ plan, scopes });
}

function get(path: string, token?: string): Promise<ApiAnswer> {
  return apiRequest(cluster.central.url, { method: "GET", path, token });
}

function remove(id: string, token?: string): Promise<ApiAnswer> {
  return apiRequest(cluster.central.url, { method: "DELETE", path: `/api/projects/${id}`, token });
}

function act(token: string, id: string, action: "start" | "stop" | "restart"): Promise<ApiAnswer> {
  return apiRequest(cluster.central.url, { method: "POST", path: `/api/projects/${id}/${action}`, token });
}

function patch(token: string, id: string, body: object): Promise<ApiAnswer> {
  const headers = { "content-type": "application/json" };
  return apiRequest(cluster.central.url, { method: "PATCH", path: `/api/projects/${id}`, token, headers, body: JSON.stringify(body) });
}

function upload(token: string, body: Buffer<ArrayBuffer> | string, headers: Record<string, string> = multipartType): Promise<ApiAnswer> {
  return apiRequest(cluster.central.url, { method: "POST", path: "/api/projects", token, headers, body });
}

async function create(token: string, config: object | null): Promise<ApiAnswer> {
  const files = { "index.js": "", "index.html": "", ...(config === null ? {} : { "svc.json": JSON.stringify(config) }) };
  return upload(token, uploadBody(await zipOf(files)));
}

function idOf(answer: ApiAnswer): string {
  assert.equal(answer.status, 201, answer.text);
  return (answer.json as { project: { id: string } }).project.id;
}

/** A name of four letters becomes `../a` in both headers. */
async function unsafeZip(): Promise<Buffer> {
  const zip = Buffer.from(await zipOf({ "svc.json": JSON.stringify(node), xxxx: "" }));
  const text = zip.toString("latin1");
  assert.ok(text.includes("xxxx"));
  return Buffer.from(text.replaceAll("xxxx", "../a"), "latin1");
}
