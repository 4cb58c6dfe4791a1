/** Defines the cases of the variables endpoints. */

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { TestCluster } from "../../support/cluster/test-cluster.ts";
import type { Chapter } from "../conformance-case.ts";
import { assertRefused, bot, SpecClient } from "../spec-client.ts";
import { accountOn } from "../spec-world.ts";

const masterKey = (id: string) => `${id} ${randomBytes(32).toString("base64")}`;

export const variables: Chapter = {
  title: "Variables",
  cases: [
    {
      rows: ["endpoint.listVariables", "endpoint.setVariables"],
      title: "variables are set and listed with a write key, and a read key may do neither",
      async show(world) {
        const { id: accountId, client } = await world.account();
        const { id } = await client.createStopped();
        const path = `/projects/${id}/variables`;
        const set = { TOKEN: "segredo", EMPTY: "", _lower1: "ção\nlinha" };
        assert.equal((await client.json("PUT", path, { variables: set })).status, 200);
        assert.deepEqual((await client.get(path)).json, { variables: set });
        assert.equal((await client.json("PUT", path, { variables: { OTHER: "1" } })).status, 200);
        assert.deepEqual((await client.get(path)).json, { variables: { OTHER: "1" } });
        const reader = new SpecClient(client.centralUrl, await world.cluster.createKey(accountId, "read"));
        const reading = await reader.get(path);
        assert.equal(reading.status, 403, "listing is of the write level, because they are secret");
        assertRefused(await reader.json("PUT", path, { variables: {} }), 403, "insufficient_permission");
      },
    },
    {
      rows: ["error.project_busy"],
      title: "while an action is in progress variables are listed, and setting them is project_busy",
      async show(world) {
        const client = await world.client();
        const { id } = await client.createRunning();
        const path = `/projects/${id}/variables`;
        {
          using hold = world.cluster.host.machine.hold(id);
          await client.act(id, "restart");
          await hold.reached;
          for (const method of ["PUT", "PATCH"] as const)
            assertRefused(await client.json(method, path, { variables: { A: "1" } }), 409, "project_busy");
          assert.deepEqual((await client.get(path)).json, { variables: {} });
        }
        await client.when(id, "running");
        assert.equal((await client.json("PUT", path, { variables: { A: "1" } })).status, 200);
      },
    },
    {
      rows: ["variables.names"],
      title: "an invalid variable name is invalid_request, and nothing is stored",
      async show(world) {
        const client = await world.client();
        const { id } = await client.createStopped();
        const path = `/projects/${id}/variables`;
        await client.json("PUT", path, { variables: { GOOD: "1" } });
        for (const name of [
          "1ST",
          "A-B",
          "A B",
          "",
          "A=B",
          "ação",
          "A\n",
          "A".repeat(257),
          "PORT",
          "SVC_TOKEN",
        ]) {
          const answer = await client.json("PUT", path, { variables: { GOOD: "2", [name]: "x" } });
          assertRefused(answer, 400, "invalid_request");
        }
        assertRefused(await client.json("PUT", path, { variables: { A: 1 } }), 400, "invalid_request");
        assertRefused(await client.json("PUT", path, { variables: { A: "a\0b" } }), 400, "invalid_request");
        assert.deepEqual((await client.get(path)).json, { variables: { GOOD: "1" } });
      },
    },
    {
      rows: ["variables.size", "limit.variables", "error.payload_too_large"],
      title: "all variables together are at most 32 KB; one byte more is payload_too_large",
      async show(world) {
        await using cluster = await world.limited();
        const { client } = await accountOn(cluster, { plan: "Empresas" });
        const { id } = await client.createStopped();
        const path = `/projects/${id}/variables`;
        const half = "x".repeat(16 * 1024 - 1);
        assert.equal((await client.json("PUT", path, { variables: { A: half, B: half } })).status, 200);
        assertRefused(
          await client.json("PUT", path, { variables: { A: half, B: `${half}x` } }),
          413,
          "payload_too_large",
        );
        assert.deepEqual((await client.get(path)).json, { variables: { A: half, B: half } });
        const huge = await client.json("PUT", path, { variables: { A: "x".repeat(5 * 1024 * 1024) } });
        assertRefused(huge, 413, "payload_too_large");
        assertRefused(
          await client.patch(id, { description: "x".repeat(5 * 1024 * 1024) }),
          413,
          "payload_too_large",
        );
      },
    },
    {
      rows: ["variables.unavailable", "error.variables_unavailable"],
      title: "variables that cannot be opened are 503 on every route that needs them, and nothing is stored",
      async show() {
        await using cluster = await TestCluster.create({
          centralSettings: { TIJOLO_MASTER_KEYS: masterKey("first") },
        });
        const { client } = await accountOn(cluster);
        const { id } = await client.createStopped();
        const path = `/projects/${id}/variables`;
        await client.json("PUT", path, { variables: { TOKEN: "x" } });
        const before = await client.project(id);
        const { centralSettings } = cluster.options;
        await cluster.stopCentral();
        cluster.options.centralSettings = { TIJOLO_MASTER_KEYS: masterKey("another") };
        await cluster.startCentral();
        await cluster.untilConnected();
        for (const answer of [
          await client.get(path),
          await client.json("PUT", path, { variables: { TOKEN: "y" } }),
          await client.post(`/projects/${id}/start`),
          await client.post(`/projects/${id}/restart`),
          await client.upload(`/projects/${id}/code`, { ...bot, name: "new" }),
        ]) {
          assertRefused(answer, 503, "variables_unavailable");
        }
        assert.deepEqual(await client.project(id), before);
        await cluster.stopCentral();
        cluster.options.centralSettings = centralSettings ?? {};
        await cluster.startCentral();
        await cluster.untilConnected();
        assert.deepEqual((await client.get(path)).json, { variables: { TOKEN: "x" } });
      },
    },
  ],
};
