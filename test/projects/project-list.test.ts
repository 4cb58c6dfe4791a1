/** Tests the list of projects: whole without parameters, in pages with them. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { apiRequest, type ApiAnswer } from "../support/requests/api-request.ts";
import { assertContract } from "../support/requests/assert-contract.ts";
import { SimulatedProject } from "../support/projects/simulated-project.ts";
import { TestCluster, type TestAccount } from "../support/cluster/test-cluster.ts";

let cluster: TestCluster;
let account: TestAccount;
let ids: string[];
before(async () => {
  cluster = await TestCluster.create();
  account = await cluster.createAccount();
  const projects: SimulatedProject[] = [];
  for (let index = 0; index < 3; index++)
    projects.push(await SimulatedProject.create(account, "sim run", { start: false }));
  await SimulatedProject.create(await cluster.createAccount(), "sim run", { start: false });
  ids = projects.map(({ id }) => id).sort();
});
after(() => cluster[Symbol.asyncDispose]());

interface List {
  projects: { id: string }[];
  nextCursor?: string | null;
}

async function list(
  query: string,
): Promise<ApiAnswer & { ids: string[]; nextCursor: string | null | undefined }> {
  const answer = await apiRequest(cluster.centralUrl, {
    method: "GET",
    path: `/api/projects${query}`,
    token: account.key,
  });
  assertContract("listProjects", answer);
  const { projects, nextCursor } = answer.json as List;
  return { ...answer, ids: answer.status === 200 ? projects.map(({ id }) => id) : [], nextCursor };
}

test("without parameters the list is whole and has no cursor", async () => {
  const whole = await list("");
  assert.deepEqual(Object.keys(whole.json as object), ["projects"]);
  assert.deepEqual(whole.ids, ids);
});

test("pages are the list, oldest first, each project once, and the last has no next", async () => {
  const first = await list("?limit=2");
  assert.deepEqual([first.ids, first.nextCursor], [ids.slice(0, 2), ids[1]]);
  const second = await list(`?limit=2&cursor=${first.nextCursor}`);
  assert.deepEqual([second.ids, second.nextCursor], [ids.slice(2), null]);
  const exact = await list("?limit=3");
  assert.deepEqual([exact.ids, exact.nextCursor], [ids, null]);
  const rest = await list(`?cursor=${ids[0]}`);
  assert.deepEqual([rest.ids, rest.nextCursor], [ids.slice(1), null]);
  assert.deepEqual((await list(`?cursor=${ids[2]}`)).ids, []);
});

test("a limit or a cursor out of format is invalid_request with its field", async () => {
  for (const [field, values] of Object.entries({
    limit: ["0", "201", "-1", "1.5", "x", ""],
    cursor: ["", "x", "%00", "a".repeat(300)],
  })) {
    for (const value of values) {
      const answer = await list(`?${field}=${value}`);
      assert.deepEqual([value, answer.status, answer.code], [value, 400, "invalid_request"]);
      assert.equal((answer.json as { field: string }).field, field);
    }
  }
  assert.deepEqual((await list("?limit=200")).ids, ids);
});
