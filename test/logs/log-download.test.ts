/** `GET /projects/{id}/logs/download`: the log as a file. */

import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { apiRequest, type ApiAnswer } from "../support/requests/api-request.ts";
import { assertContract } from "../support/requests/assert-contract.ts";
import { SimulatedProject } from "../support/projects/simulated-project.ts";
import { TestCluster, type TestAccount } from "../support/cluster/test-cluster.ts";
import { until } from "../support/until.ts";

let cluster: TestCluster;
let account: TestAccount;
before(async () => {
  cluster = await TestCluster.create();
  account = await cluster.createAccount({ plan: "Empresas", scopes: ["projects:settings"] });
});
after(() => cluster[Symbol.asyncDispose]());

const download = (id: string, query = "", headers: Record<string, string> = {}): Promise<ApiAnswer> =>
  apiRequest(cluster.centralUrl, {
    method: "GET",
    path: `/api/projects/${id}/logs/download?${query}`,
    token: account.key,
    headers,
  });

async function linesOf(id: string, query: string): Promise<string[]> {
  const answer = await download(id, query);
  assert.equal(answer.status, 200, answer.text);
  assertContract("downloadLogs", answer);
  return answer.text.split("\n").slice(0, -1);
}

async function hasLine(id: string, text: string): Promise<boolean> {
  const { lines } = await account.client.streamLogs.page({ id, query: { lines: 1, q: text } });
  return lines.length > 0;
}

suite("the log as a file", { concurrency: 2 }, () => {
  test("has every stored line once, in order, over many pages, and what the filters let through", async () => {
    const project = await SimulatedProject.create(account, "sim log 3500; run");
    const { id } = project;
    await until(() => hasLine(id, "line 3500"));
    const lines = await linesOf(id, "section=app&stream=stdout");
    assert.deepEqual(
      lines.map((line) => line.replace(/^\S+Z /, "")),
      Array.from({ length: 3_500 }, (_, index) => `app stdout v1 line ${index + 1}`),
    );
    assert.ok(lines.every((line) => /^\d{4}-\d\d-\d\dT[\d:.]+Z app /.test(line)));
    assert.deepEqual(
      (await linesOf(id, "q=line%20349")).map((line) => line.split(" ").at(-1)),
      ["349", ...Array.from({ length: 10 }, (_, index) => String(3_490 + index))],
    );
    assert.deepEqual(await linesOf(id, "section=app&until=2020-01-01T00:00:00Z"), []);
    assert.deepEqual(await linesOf(id, "section=app&since=2100-01-01T00:00:00Z"), []);
    const both = await linesOf(id, "");
    assert.ok(both.length > lines.length && both.some((line) => / install /.test(line)));
  });

  test("its name is safe on every disk, and a HEAD opens nothing", async () => {
    const project = await SimulatedProject.create(account, "sim run", { start: false });
    await project.is("stopped");
    await account.client.updateProject({ id: project.id, body: { name: 'São "bot" ../x' } });
    const answer = await download(project.id);
    assert.equal(answer.headers.get("content-disposition"), 'attachment; filename="Sao-bot-..-x.log"');
    assert.equal(answer.headers.get("x-content-type-options"), "nosniff");
    assert.equal(answer.headers.get("cache-control"), "no-store");
    const path = `/api/projects/${project.id}/logs/download`;
    const head = await apiRequest(cluster.centralUrl, { method: "HEAD", path, token: account.key });
    assert.deepEqual([head.status, head.text], [200, ""]);
    for (const query of ["lines=5", "follow=true", "cursor=a", "since=yesterday", "section=x"])
      assert.equal((await download(project.id, query)).code, "invalid_request", query);
  });

  test("an account has as many open as logs, and a host that is away is told before the file begins", async () => {
    await using own = await TestCluster.create({ hasRealLimits: true });
    const owner = await own.createAccount({ plan: "Empresas" });
    const project = await SimulatedProject.create(owner, "sim run");
    await project.is("running");
    const path = `/api/projects/${project.id}/logs/download`;
    const ask = () => apiRequest(own.centralUrl, { method: "GET", path, token: owner.key });
    const slots = [1, 2, 3, 4, 5].map(() => own.central.app.logStreamSlots.openDownload(owner.id));
    const refused = await ask();
    assert.equal(refused.code, "too_many_requests");
    assertContract("downloadLogs", refused);
    assert.equal(refused.headers.get("content-disposition"), null);
    slots[0]?.[Symbol.dispose]();
    for (let count = 0; count < 3; count++) assert.equal((await ask()).status, 200, "one after the other");
    await own.host.stop();
    await until(async () => (await ask()).code === "server_unavailable");
  });
});
