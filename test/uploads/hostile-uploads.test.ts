/**
 * Archives that must be refused, sent as a user would send them: the exact code, and nothing of them stays on
 * the disk.
 */

import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { archiveLimits, errorTable, getPlan } from "@tijolo/protocol";
import { apiRequest } from "../support/requests/api-request.ts";
import { assertContract } from "../support/requests/assert-contract.ts";
import { hostileArchives, hostileLimits, type HostileArchive } from "../support/archives/hostile-archives.ts";
import { multipartType, uploadBody } from "../support/requests/multipart.ts";
import { rawZip } from "../support/archives/raw-zip.ts";
import { TestCluster, type TestAccount } from "../support/cluster/test-cluster.ts";
import { until } from "../support/until.ts";

let cluster: TestCluster;
let account: TestAccount;
before(async () => {
  cluster = await TestCluster.create();
  account = await cluster.createAccount({ plan: "Free" });
});
after(() => cluster[Symbol.asyncDispose]());

/**
 * Made for the small limits of {@link hostileLimits}: under the wider ones of a plan, what gives them away
 * next.
 */
const underThePlan: Record<string, Pick<HostileArchive, "code" | "reason"> | "allowed"> = {
  "a file that is too large": { code: "unsafe_zip", reason: "compression_ratio" },
  "files that are too large together": { code: "invalid_zip" },
  "more directories than allowed, in few names": { code: "invalid_zip" },
  "more files than allowed": "allowed",
};

function archivesForThePlan(): HostileArchive[] {
  const { maxFileCount } = archiveLimits(getPlan("Free").diskMbPerProject);
  assert.ok(maxFileCount > hostileLimits.maxFileCount);
  const many = Array.from({ length: maxFileCount + 1 }, (_, index) => ({ name: `f${index}` }));
  const tooMany: HostileArchive = {
    name: "more files than the plan allows",
    bytes: rawZip(many),
    code: "unsafe_zip",
    reason: "file_count",
    proof: (bytes) => bytes.includes(`f${maxFileCount}`),
  };
  return [...hostileArchives().filter(({ name }) => underThePlan[name] !== "allowed"), tooMany];
}

test("each hostile archive is refused with its own code and reason, and leaves nothing", async () => {
  const archives = archivesForThePlan();
  assert.ok(archives.length >= 90, `${archives.length} archives`);
  const wrong: unknown[] = [];
  for (const { name, bytes, code, reason, proof } of archives) {
    assert.ok(proof(bytes), `the attack is not in the bytes of: ${name}`);
    const answer = await apiRequest(cluster.central.url, {
      method: "POST",
      path: "/api/projects",
      token: account.key,
      headers: multipartType,
      body: uploadBody(bytes, { language: "node", command: "sim run", start: "true" }),
    });
    assertContract("createProject", answer);
    const planned = underThePlan[name];
    const expected =
      planned === undefined || planned === "allowed" ? { code, reason } : { reason: undefined, ...planned };
    const actual = { code: answer.code, reason: (answer.json as { reason?: string }).reason };
    if (actual.code !== expected.code || actual.reason !== expected.reason)
      wrong.push({ name, expected, actual });
    const { message } = answer.json as { message: string };
    const isTold = message.startsWith(`${errorTable.unsafe_zip.message} `);
    if (isTold !== (answer.code === "unsafe_zip")) wrong.push({ name, message });
  }
  assert.deepEqual(wrong, []);
  const objects = join(cluster.directory, "central", "objects");
  await until(async () => (await readdir(join(objects, "incoming"))).length === 0);
  assert.deepEqual(await readdir(objects), ["incoming"], "no archive was kept");
  assert.deepEqual((await account.client.listProjects()).projects, []);
  assert.equal(cluster.host.machine.startCounts.size, 0);
});
