/**
 * Tests one upload per 3 seconds and account (spec: Limits): which requests count, and how many of a burst
 * pass.
 */

import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { PlanName } from "@tijolo/protocol";
import type { ApiAnswer, ApiRequest } from "../support/requests/api-request.ts";
import { limitedCluster, request, retryAfter, tally, times } from "../support/cluster/limited-cluster.ts";
import { multipart, multipartType, uploadBody } from "../support/requests/multipart.ts";
import { RawHttp, requestHead } from "../support/requests/raw-http.ts";
import type { TestCluster } from "../support/cluster/test-cluster.ts";
import { zipOf } from "../support/archives/zip-of.ts";

let zip: Awaited<ReturnType<typeof zipOf>>;
before(async () => {
  zip = await zipOf({ "svc.json": JSON.stringify({ language: "node", command: "sim run" }) });
});
const good = (): Partial<ApiRequest> => ({ headers: multipartType, body: uploadBody(zip) });
const codesOf = (answers: readonly ApiAnswer[]) =>
  answers.map(({ status, code }) => `${status} ${code ?? ""}`.trim()).sort();

test("a request that is refused before a file has come leaves the account's pace as it was", async () => {
  await using cluster = await limitedCluster({ hosts: 1 });
  const send = await sender(cluster);
  const json = { "content-type": "application/json" };
  const refused: [what: string, status: number, more: Partial<ApiRequest>][] = [
    ["JSON", 415, { headers: json, body: "{}" }],
    ["no boundary", 415, { headers: { "content-type": "multipart/form-data" }, body: "x" }],
    ["an empty form", 400, { headers: multipartType, body: multipart([]) }],
    ["no file", 400, { headers: multipartType, body: multipart([{ name: "name", content: "shop" }]) }],
    [
      "a file in another field",
      400,
      { headers: multipartType, body: multipart([{ name: "zip", fileName: "a.zip", content: zip }]) },
    ],
    [
      "with a key for retries",
      400,
      { headers: { ...multipartType, "idempotency-key": "k" }, body: multipart([]) },
    ],
  ];
  for (const [what, status, more] of refused) {
    assert.equal((await send(more)).status, status, what);
    const upload = await send(good());
    assert.equal(upload.status, 201, `${what}: ${upload.text}`);
    assert.equal((await send(more)).code, "too_many_requests", `${what}, and it passes no pace`);
    assert.equal((await send(good())).code, "too_many_requests", `${what}, and it takes back no upload`);
    cluster.clock.advance(3_000);
  }
});

test("an upload whose archive or settings are refused counts", async () => {
  await using cluster = await limitedCluster({ hosts: 1 });
  const send = await sender(cluster, "Free");
  const refused: [status: number, body: Buffer<ArrayBuffer>][] = [
    [422, uploadBody(Buffer.from("no zip"))],
    [422, uploadBody(Buffer.alloc(0))],
    [413, uploadBody(Buffer.alloc(51 * 1024 * 1024))],
    [422, uploadBody(zip, { nothing: "x" })],
    [400, multipart([{ name: "file", fileName: "a.zip", content: zip }], { isEnded: false })],
  ];
  for (const [status, body] of refused) {
    assert.equal((await send({ headers: multipartType, body })).status, status);
    assert.equal((await send(good())).code, "too_many_requests", `${status}`);
    cluster.clock.advance(3_000);
  }
});

test("of a burst one upload passes, with requests that are none among it too", async () => {
  await using cluster = await limitedCluster({ hosts: 1 });
  const send = await sender(cluster);
  assert.deepEqual(codesOf(await Promise.all([send(good()), send(good())])), [
    "201",
    "429 too_many_requests",
  ]);
  cluster.clock.advance(3_000);
  const none = { headers: multipartType, body: multipart([]) };
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, index) => send(index % 2 === 0 ? none : good())),
  );
  const passed = answers.filter(({ status }) => status === 201).length;
  assert.ok(passed <= 1, `${passed} passed`);
  if (passed === 0) assert.equal((await send(good())).status, 201);
  assert.equal((await send(good())).code, "too_many_requests");
});

test("of 50 at once one is taken, and the next after 3 seconds; a refused one is not read and moves nothing", async () => {
  await using cluster = await limitedCluster({ hosts: 1 });
  const { key } = await cluster.createAccount({ plan: "Empresas" });
  const other = await cluster.createAccount({ plan: "Empresas" });
  const upload = (token = key) =>
    request(cluster, token, { method: "POST", path: "/api/projects", ...good() });
  const answers = await times(50, upload);
  assert.deepEqual(tally(answers), { "201 undefined": 1, "429 too_many_requests": 49 });
  for (const answer of answers.filter(({ status }) => status === 429))
    assert.ok([1, 2, 3].includes(retryAfter(answer)));
  assert.equal((await upload(other.key)).status, 201, "another account has its own pace");
  cluster.clock.advance(1_000);
  const [project] = (await cluster.client(key).listProjects()).projects;
  assert.ok(project !== undefined);
  const again = await request(cluster, key, {
    method: "POST",
    path: `/api/projects/${project.id}/code`,
    ...good(),
  });
  assert.equal(again.code, "too_many_requests", "new code and new projects have one pace");
  cluster.clock.advance(2_000);
  assert.equal((await upload()).status, 201);

  using http = await RawHttp.open(cluster.centralUrl);
  const headers = { authorization: `Bearer ${key}`, ...multipartType, "content-length": "1000000" };
  await http.send(requestHead("POST", "/api/projects", headers));
  assert.equal((await http.answer()).code, "too_many_requests", "before a byte of the body came");
});

async function sender(cluster: TestCluster, plan: PlanName = "Empresas") {
  const { key } = await cluster.createAccount({ plan });
  return (more: Partial<ApiRequest>) =>
    request(cluster, key, { method: "POST", path: "/api/projects", ...more });
}
