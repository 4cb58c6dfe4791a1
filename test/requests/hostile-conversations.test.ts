/**
 * No conversation with a stranger costs central a descriptor for good, whatever was said and however the
 * stranger left.
 */

import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import type { Socket } from "node:net";
import { after, before, test } from "node:test";
import {
  apiConversations,
  converse,
  endings,
  gatewayConversations,
} from "../support/requests/hostile-conversations.ts";
import { TestCluster } from "../support/cluster/test-cluster.ts";
import { until } from "../support/until.ts";

/** Repetitions of each conversation with each ending. */
const times = 4;
/** Number of sockets that the rest of the process opens and closes meanwhile. */
const slack = 2;

let cluster: TestCluster;
before(async () => {
  cluster = await TestCluster.create();
});
after(() => cluster[Symbol.asyncDispose]());

const doors = { api: apiConversations, gateway: gatewayConversations };
for (const [door, conversations] of Object.entries(doors)) {
  for (const ending of endings) {
    test(
      `${door}: after each hostile conversation, when the stranger ${ending}, no descriptor is held`,
      { timeout: 120_000 },
      async () => {
        const port = Number(new URL(door === "api" ? cluster.central.url : cluster.central.pagesUrl).port);
        const before = await openDescriptors();
        const held: Socket[] = [];
        try {
          for (const conversation of conversations) {
            const sockets = await Promise.all(
              Array.from({ length: times }, () => converse(port, conversation, ending)),
            );
            held.push(...sockets.filter((socket) => socket !== undefined));
          }
          const ownDescriptors = () => held.filter(({ destroyed }) => !destroyed).length;
          let kept = 0;
          const isFree = async () => (kept = (await openDescriptors()) - ownDescriptors() - before) <= slack;
          await until(isFree, { timeoutMs: 40_000, everyMs: 100 }).catch(() => {});
          assert.ok(
            kept <= slack,
            `central holds ${kept} descriptors of ${conversations.length * times} conversations`,
          );
        } finally {
          for (const socket of held) socket.destroy();
        }
      },
    );
  }
}

async function openDescriptors(): Promise<number> {
  return (await readdir("/proc/self/fd")).length;
}
