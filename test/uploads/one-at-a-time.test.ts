/** Two agents on one data directory, or two centrals: the second does nothing before the first has ended. */

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { test } from "node:test";
import { Central, parseConfig } from "@tijolo/central";
import { freePort } from "../support/machine/free-port.ts";
import { loggedLines } from "../support/logged-lines.ts";
import { TestCluster, TestHost } from "../support/cluster/test-cluster.ts";
import { until } from "../support/until.ts";

test("an agent waits for the one that has its data directory", async () => {
  const { lines, logger } = loggedLines("warn");
  await using cluster = await TestCluster.create({ logger });
  const second = new TestHost(cluster, cluster.host.name);
  const starting = second.start();
  await until(() => lines.some((line) => line.includes("another agent works on the data directory")));
  assert.equal(second.agent?.hostId, undefined);
  const hostId = cluster.host.agent?.hostId;
  await cluster.host.stop();
  await starting;
  assert.equal(second.agent?.hostId, hostId);
  await second.stop();
});

test("a central waits for the one that has its data directory, and its epoch is the next", async () => {
  const { lines, logger } = loggedLines("warn");
  await using cluster = await TestCluster.create({ hosts: 0 });
  const { epoch } = cluster.central;
  const config = parseConfig({
    TIJOLO_DATA_DIRECTORY: join(cluster.directory, "central"),
    TIJOLO_LISTEN: `127.0.0.1:${await freePort()}`,
    TIJOLO_GATEWAY_LISTEN: `127.0.0.1:${await freePort()}`,
  });
  const starting = Central.create(config, {
    clock: cluster.clock,
    random: (bytes) => randomBytes(bytes),
    logger,
  });
  await until(() => lines.some((line) => line.includes("another central works on the data directory")));
  await cluster.stopCentral();
  await using second = await starting;
  assert.equal(second.epoch, epoch + 1);
});
