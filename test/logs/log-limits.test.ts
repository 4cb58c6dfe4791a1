/**
 * Tests how often and how many log streams are open, and that they end with what opened them (spec: "Limits",
 * "Authentication" 6).
 */

import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { suite, test } from "node:test";
import type { PlanName } from "@tijolo/protocol";
import { apiRequest, type ApiAnswer } from "../support/requests/api-request.ts";
import { assertContract } from "../support/requests/assert-contract.ts";
import { multipartType, uploadBody } from "../support/requests/multipart.ts";
import { PanelSession } from "../support/people/panel.ts";
import { RawHttp } from "../support/requests/raw-http.ts";
import { SimulatedProject } from "../support/projects/simulated-project.ts";
import { TestCluster } from "../support/cluster/test-cluster.ts";
import { until } from "../support/until.ts";
import { zipOf } from "../support/archives/zip-of.ts";

const openEveryMs = 5_000;
const uploadEveryMs = 3_000;

/** Holds an opened stream, or the refusal. */
class LogReader {
  readonly response: Response;
  readonly refusal: ApiAnswer | null;
  hasEnded: "no" | "well" | "broken" = "no";
  readonly #abort: AbortController;

  private constructor(response: Response, abort: AbortController, refusal: ApiAnswer | null) {
    this.response = response;
    this.#abort = abort;
    this.refusal = refusal;
    if (refusal === null) void this.#read();
  }

  static async open(
    cluster: TestCluster,
    id: string,
    headers: Record<string, string>,
    query = "lines=0",
  ): Promise<LogReader> {
    const abort = new AbortController();
    const response = await fetch(`${cluster.centralUrl}/api/projects/${id}/logs?${query}`, {
      headers,
      signal: abort.signal,
    });
    if (response.ok) return new LogReader(response, abort, null);
    const text = await response.text();
    const json = JSON.parse(text) as { code: string };
    return new LogReader(response, abort, {
      status: response.status,
      headers: response.headers,
      text,
      json,
      code: json.code,
    });
  }

  get code(): string | undefined {
    return this.refusal?.code;
  }

  close(): void {
    this.#abort.abort();
  }

  async #read(): Promise<void> {
    try {
      for await (const _ of this.response.body ?? []);
      this.hasEnded = "well";
    } catch {
      this.hasEnded = "broken";
    }
  }
}

const withKey = (key: string) => ({ authorization: `Bearer ${key}` });
const withCookie = (session: PanelSession) => ({
  ...session.headers,
  cookie: [...session.cookies].map((pair) => pair.join("=")).join("; "),
});

/** Creates running projects of one account; their uploads take their time. */
async function projectsOf(cluster: TestCluster, key: string, count: number): Promise<SimulatedProject[]> {
  const projects: SimulatedProject[] = [];
  for (let index = 0; index < count; index++) {
    projects.push(await SimulatedProject.create({ client: cluster.client(key) }, "sim run"));
    cluster.clock.advance(uploadEveryMs);
  }
  for (const project of projects) await project.is("running");
  return projects;
}

async function accountWith(cluster: TestCluster, count: number, plan: PlanName = "Empresas") {
  const account = await cluster.createAccount({ plan });
  const projects = await projectsOf(cluster, account.key, count);
  const open = (index: number, key = account.key) =>
    LogReader.open(cluster, projects[index]?.id ?? "", withKey(key));
  return { ...account, projects, open };
}

suite("limits of log streams", { concurrency: 2 }, () => {
  test("of 50 openings of one project at once one succeeds, and the next after 5 seconds; pages are free", async () => {
    await using cluster = await TestCluster.create({ hasRealLimits: true });
    cluster.clock.hold();
    const { key, projects, open } = await accountWith(cluster, 1);
    const readers = await Promise.all(Array.from({ length: 50 }, () => open(0)));
    const refused = readers.flatMap(({ refusal }) => (refusal === null ? [] : [refusal]));
    assert.equal(refused.length, 49);
    for (const answer of refused) {
      assertContract("streamLogs", answer);
      assert.equal(answer.code, "too_many_requests");
      assert.ok([1, 2, 3, 4, 5].includes(Number(answer.headers.get("retry-after"))));
    }
    for (const more of [{ path: "?follow=false" }, { path: "", headers: { accept: "application/json" } }]) {
      const path = `/api/projects/${projects[0]?.id}/logs${more.path}`;
      const pages = await Promise.all(
        Array.from({ length: 10 }, () =>
          apiRequest(cluster.centralUrl, { method: "GET", token: key, ...more, path }),
        ),
      );
      assert.ok(pages.every(({ status }) => status === 200));
    }
    cluster.clock.advance(openEveryMs);
    assert.equal((await open(0)).code, undefined, "those that were refused did not prolong it");
    assert.equal((await open(0)).code, "too_many_requests");
  });

  test("an account has five open at once; a reader that goes makes room, and nobody else's count", async () => {
    await using cluster = await TestCluster.create({ hasRealLimits: true });
    cluster.clock.hold();
    const { open } = await accountWith(cluster, 6);
    const other = await accountWith(cluster, 1);
    const readers = await Promise.all([0, 1, 2, 3, 4].map((index) => open(index)));
    assert.ok(readers.every(({ code }) => code === undefined));
    const sixth = await open(5);
    assert.equal(sixth.code, "too_many_requests");
    assert.ok(sixth.refusal !== null);
    assertContract("streamLogs", sixth.refusal);
    assert.equal((await other.open(0)).code, undefined);
    readers[2]?.close();
    await until(async () => (await open(5)).code === undefined);
    cluster.clock.advance(openEveryMs);
    assert.equal((await open(2)).code, "too_many_requests", "there are five again");
  });

  test("an opening that is refused for its cursor, or for a host that is away, leaves the next one free, and no two pass beside it", async () => {
    await using cluster = await TestCluster.create({ hasRealLimits: true });
    cluster.clock.hold();
    const { key, projects, open } = await accountWith(cluster, 1);
    const openAt = (query: string) => LogReader.open(cluster, projects[0]?.id ?? "", withKey(key), query);
    for (let round = 0; round < 3; round++)
      assert.equal((await openAt("cursor=abc")).code, "invalid_request");
    const readers = await Promise.all(
      ["cursor=abc", ...Array.from({ length: 20 }, () => "lines=0"), "cursor=abc"].map(openAt),
    );
    assert.ok(readers.filter(({ refusal }) => refusal === null).length <= 1);
    const next = await open(0);
    const opened = [...readers, next].filter(({ refusal }) => refusal === null);
    assert.equal(opened.length, 1, "those with a wrong cursor did not keep the others from opening one");
    for (const query of ["cursor=abc", "lines=0"])
      assert.equal((await openAt(query)).code, "too_many_requests", "one has opened");
    opened[0]?.close();

    cluster.clock.advance(openEveryMs);
    await cluster.host.stop();
    await until(async () => (await cluster.connectedHosts()) === 0);
    for (let round = 0; round < 3; round++) assert.equal((await open(0)).code, "server_unavailable");
    await cluster.host.start();
    await cluster.untilConnected();
    assert.equal((await open(0)).code, undefined);
    assert.equal((await open(0)).code, "too_many_requests");
  });

  test("a stream that fails to open, or whose project is deleted, gives its slot back", async () => {
    await using cluster = await TestCluster.create({ hasRealLimits: true });
    cluster.clock.hold();
    const { projects, open } = await accountWith(cluster, 6);
    await cluster.host.stop();
    await until(async () => (await cluster.connectedHosts()) === 0);
    for (let round = 0; round < 2; round++) {
      for (let index = 0; index < 6; index++) assert.equal((await open(index)).code, "server_unavailable");
      cluster.clock.advance(openEveryMs);
    }
    await cluster.host.start();
    await cluster.untilConnected();
    const readers = await Promise.all([0, 1, 2, 3, 4].map((index) => open(index)));
    assert.deepEqual(
      readers.map(({ code }) => code),
      Array(5).fill(undefined),
    );
    await cluster.operator.client().deleteProject({ id: projects[0]?.id ?? "" });
    await until(() => readers[0]?.hasEnded === "well");
    await until(async () => (await open(5)).code === undefined);
    assert.ok(readers.slice(1).every(({ hasEnded }) => hasEnded === "no"));
  });
});

suite("what is open ends with the key or session that opened it", { concurrency: 2 }, () => {
  test("at once when the key is revoked at the panel, and no other stream", async () => {
    await using cluster = await TestCluster.create({ apiBounds: { callerCheckMs: 3_600_000 } });
    const session = await PanelSession.signUp(cluster, { plan: "Empresas" });
    const make = async () =>
      await session.client.createKey({ body: { name: "k", level: "write", password: session.password } });
    const [first, second] = [await make(), await make()];
    const [project] = await projectsOf(cluster, first.secret, 1);
    const open = (headers: Record<string, string>) => LogReader.open(cluster, project?.id ?? "", headers);
    const ofFirst = [await open(withKey(first.secret)), await open(withKey(first.secret))];
    const others = [await open(withKey(second.secret)), await open(withCookie(session))];
    assert.ok([...ofFirst, ...others].every(({ code }) => code === undefined));
    await session.client.revokeKey({ keyId: first.key.id });
    await until(() => ofFirst.every(({ hasEnded }) => hasEnded === "well"));
    assert.ok(others.every(({ hasEnded }) => hasEnded === "no"));
    assert.equal((await open(withKey(first.secret))).code, "invalid_api_key");

    const elsewhere = await session.elsewhere();
    const ofElsewhere = await open(withCookie(elsewhere));
    await elsewhere.client.signOut();
    await until(() => ofElsewhere.hasEnded === "well");
    assert.ok(
      others.every(({ hasEnded }) => hasEnded === "no"),
      "another session and a key are not signed out",
    );
    await session.client.notMe();
    await until(() => others.every(({ hasEnded }) => hasEnded === "well"));
  });

  test("also when nobody was woken, by a look now and then", async () => {
    await using cluster = await TestCluster.create({ apiBounds: { callerCheckMs: 100 } });
    const { key, open } = await accountWith(cluster, 1);
    const reader = await open(0);
    assert.equal(reader.code, undefined);
    await cluster.central.app.db
      .updateTable("api_key")
      .set({ revoked_at: 1 })
      .where("prefix", "=", key.slice(0, 12))
      .execute();
    await until(() => reader.hasEnded === "well");
  });

  for (const opener of ["key", "session"] as const) {
    test(`an upload whose ${opener} ends while it is sent is refused, and leaves nothing`, async () => {
      await using cluster = await TestCluster.create();
      const session = await PanelSession.signUp(cluster);
      const other = await session.elsewhere();
      const { key, secret } = await session.client.createKey({
        body: { name: "k", level: "write", password: session.password },
      });
      const body = uploadBody(
        await zipOf({
          "svc.json": JSON.stringify({ language: "node", command: "sim run" }),
          big: Buffer.alloc(300_000, 1),
        }),
      );
      const incoming = join(cluster.directory, "central", "objects", "incoming");
      const headers = {
        host: "test",
        ...multipartType,
        ...(opener === "key" ? withKey(secret) : withCookie(other)),
      };
      const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
      using http = await RawHttp.open(cluster.centralUrl);
      await http.send(
        ["POST /api/projects HTTP/1.1", ...head, `Content-Length: ${body.length}`, "", ""].join("\r\n"),
      );
      await http.send(body.subarray(0, body.length / 2));
      await until(async () => (await readdir(incoming)).length === 1);
      if (opener === "key") await session.client.revokeKey({ keyId: key.id });
      else await other.client.signOut();
      const answer = await http.answer();
      assert.deepEqual(
        [answer.status, answer.code],
        [401, opener === "key" ? "invalid_api_key" : "not_authenticated"],
      );
      await until(async () => (await readdir(incoming)).length === 0);
      assert.deepEqual((await session.client.listProjects()).projects, []);
    });
  }
});
