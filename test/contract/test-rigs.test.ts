/** Tests that the test rigs leave nothing behind, also when they cannot be made. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { TestCluster } from "../support/cluster/test-cluster.ts";

test("a cluster that cannot be made leaves nothing that would keep its test file alive", async () => {
  const before = listening();
  // Central listens elsewhere than where the cluster asks for it, as on a port that nobody can reach.
  await assert.rejects(TestCluster.create({ centralSettings: { TIJOLO_LISTEN: "127.0.0.1:0" } }));
  assert.equal(listening(), before);
});

function listening(): number {
  return process.getActiveResourcesInfo().filter((name) => name === "TCPServerWrap").length;
}
