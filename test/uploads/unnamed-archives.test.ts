/**
 * Tests an archive in the form field `file` that is given no file name, as senders may leave it out (spec:
 * "POST /projects").
 */

import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { apiRequest } from "../support/requests/api-request.ts";
import { assertContract } from "../support/requests/assert-contract.ts";
import { multipart, multipartType } from "../support/requests/multipart.ts";
import { TestCluster } from "../support/cluster/test-cluster.ts";
import { until } from "../support/until.ts";
import { zipOf } from "../support/archives/zip-of.ts";

test("the field file needs no file name: it is the archive, within the plan's limit, or no .zip", async () => {
  await using cluster = await TestCluster.create();
  const account = await cluster.createAccount({ plan: "Free" });
  const post = (content: string | Uint8Array, contentType?: string) =>
    apiRequest(cluster.central.url, {
      method: "POST",
      path: "/api/projects",
      token: account.key,
      headers: multipartType,
      body: multipart([{ name: "file", content, ...(contentType === undefined ? {} : { contentType }) }]),
    });
  const zip = await zipOf({ "svc.json": JSON.stringify({ language: "node", command: "sim run" }) });
  for (const contentType of ["application/zip", "application/octet-stream", undefined]) {
    const noZip = await post("text", contentType);
    assert.deepEqual([noZip.status, noZip.code], [422, "invalid_zip"], contentType);
    const tooLarge = await post(Buffer.alloc(51 * 1024 * 1024), contentType);
    assert.deepEqual([tooLarge.status, tooLarge.code], [413, "invalid_zip"], contentType);
    assert.equal((tooLarge.json as { limitMb: number }).limitMb, 50);
    const incoming = join(cluster.directory, "central", "objects", "incoming");
    await until(async () => (await readdir(incoming)).length === 0);
    assert.deepEqual((await account.client.listProjects()).projects, []);

    const created = await post(zip, contentType);
    assertContract("createProject", created);
    const { project } = created.json as { project: { id: string; name: string } };
    assert.deepEqual([created.status, project.name], [201, "projeto"], contentType);
    await cluster.client(cluster.operatorToken).deleteProject({ id: project.id });
  }
});
