/** Defines the cases of "Authentication". */

import assert from "node:assert/strict";
import { apiRequest } from "../../support/requests/api-request.ts";
import type { PanelSession } from "../../support/people/panel.ts";
import { until } from "../../support/until.ts";
import type { Chapter } from "../conformance-case.ts";
import { OpenLog } from "../open-log.ts";
import { assertRefused, bot, SpecClient, unknownId } from "../spec-client.ts";
import { askForKey, makeKey } from "../spec-world.ts";

export const authentication: Chapter = {
  title: "Authentication",
  cases: [
    {
      rows: ["auth.1"],
      title: "the key goes in Authorization: Bearer, and no answer to it sets a cookie",
      async show(world) {
        const { client, key } = await world.person();
        const ask = (headers: Record<string, string>) =>
          apiRequest(client.centralUrl, { method: "GET", path: "/api/projects", headers });
        const answer = await ask({ authorization: `Bearer ${key.secret}` });
        assert.equal(answer.status, 200);
        assert.equal(answer.headers.get("set-cookie"), null);
        for (const headers of [
          { authorization: key.secret },
          { authorization: `Basic ${key.secret}` },
          { "x-api-key": key.secret },
          { cookie: `key=${key.secret}` },
        ] as Record<string, string>[]) {
          assertRefused(await ask(headers), 401, "invalid_api_key");
        }
        assertRefused(
          await new SpecClient(client.centralUrl).get(`/projects?key=${key.secret}`),
          401,
          "invalid_api_key",
        );
      },
    },
    {
      rows: ["auth.2", "limit.keys"],
      title:
        "a key is made in the panel with a name, a permission and the password; it begins with svc_ and is shown once",
      async show(world) {
        const { panel } = await world.person();
        const made = await makeKey(panel, { name: "robô", level: "read" });
        assert.match(made.secret, /^svc_\S{20,}$/);
        assert.equal((await made.client.get("/projects")).status, 200);
        const list = await panel.call("GET", "/account/keys");
        assert.ok(
          list.text.includes("robô") && !list.text.includes(made.secret),
          "the list does not have it",
        );
        for (const wrong of [
          { level: "read" as const, password: "wrong password" },
          { level: "read" as const, name: "" },
          {},
        ]) {
          const answer = await askForKey(panel, wrong);
          assert.ok(answer.status >= 400 && answer.status < 500, answer.text);
          assert.ok(!answer.text.includes("svc_"));
        }
      },
    },
    {
      rows: ["auth.3", "error.insufficient_permission"],
      title:
        "Leitura lists, shows and reads logs and metrics; Leitura e escrita adds uploads, control and variables",
      async show(world) {
        const { panel } = await world.person();
        const [reader, writer] = [
          (await makeKey(panel, { level: "read" })).client,
          (await makeKey(panel, { level: "write" })).client,
        ];
        const { id } = await writer.createStopped();
        for (const path of ["", `/${id}`, `/${id}/logs?follow=false`, `/${id}/metrics`]) {
          for (const client of [reader, writer])
            assert.equal((await client.get(`/projects${path}`)).status, 200, path);
        }
        for (const action of ["start", "restart", "stop"] as const) {
          assertRefused(await reader.post(`/projects/${id}/${action}`), 403, "insufficient_permission");
          await writer.carryOut(id, action);
        }
        assertRefused(await reader.upload("/projects", bot), 403, "insufficient_permission");
        assertRefused(await reader.upload(`/projects/${id}/code`, bot), 403, "insufficient_permission");
        assertRefused(
          await reader.json("PUT", `/projects/${id}/variables`, { variables: {} }),
          403,
          "insufficient_permission",
        );
        assert.equal((await reader.get(`/projects/${id}/variables`)).status, 403);
        assert.equal((await writer.json("PUT", `/projects/${id}/variables`, { variables: {} })).status, 200);
        assert.equal((await writer.get(`/projects/${id}/variables`)).status, 200);
        assert.ok((await writer.upload(`/projects/${id}/code`, bot)).status < 300);
      },
    },
    {
      rows: ["auth.4"],
      title: "a route's scope is asked of the key, and the refusal names it",
      async show(world) {
        const { panel } = await world.person();
        const few = (await makeKey(panel, { scopes: ["projects:read", "projects:control"] })).client;
        assert.equal((await few.get("/projects")).status, 200);
        const answer = await few.patch(unknownId, { name: "x" });
        assertRefused(answer, 403, "insufficient_scope", { requiredScope: "projects:settings" });
        assertRefused(await few.get(`/projects/${unknownId}/logs`), 403, "insufficient_scope", {
          requiredScope: "logs:read",
        });
        assertRefused(await few.post(`/projects/${unknownId}/start`), 404, "not_found");
      },
    },
    {
      rows: ["auth.7"],
      title: "a password reset and not-me revoke every key of the account and end its log streams",
      async show(world) {
        const ways: Record<string, (panel: PanelSession) => Promise<unknown>> = {
          "not me": async (panel) => assert.equal((await panel.call("POST", "/account/not-me")).status, 204),
          "a reset": async (panel) => {
            const { token } = (
              await world.cluster.admin.createPasswordLink({ body: { accountId: panel.accountId } })
            ).link;
            const answer = await panel.call("POST", "/password/reset", {
              json: { token, password: "outra senha bem longa" },
            });
            assert.equal(answer.status, 204, answer.text);
          },
        };
        for (const takeBack of Object.values(ways)) {
          const { panel, client } = await world.person();
          const second = (await makeKey(panel, { level: "read" })).client;
          const { id } = await client.createRunning();
          using log = await OpenLog.open(client, id);
          await takeBack(panel);
          for (const each of [client, second])
            assertRefused(await each.get("/projects"), 401, "invalid_api_key");
          await until(() => log.hasEnded);
          assert.equal((await panel.call("GET", "/account/keys")).status, 401, "the sessions are over, too");
        }
      },
    },
    {
      rows: ["auth.8"],
      title: "what a key does is in the account's activity with the key's name",
      async show(world) {
        const { clock } = world.cluster;
        const { panel } = await world.person();
        const { client, secret } = await makeKey(panel, {
          name: "robô de entrega",
          level: "write",
          scopes: ["projects:settings"],
        });
        const { id } = await client.createStopped({ ...bot, name: "before" });
        await client.json("PUT", `/projects/${id}/variables`, { variables: { TOKEN: "segredo-da-conta" } });
        clock.advance(1); // the activity is in the order of time
        await client.patch(id, { name: "after" });
        for (const action of ["start", "restart", "stop"] as const) {
          clock.advance(1);
          await client.carryOut(id, action);
        }
        clock.advance(1);
        await client.upload(`/projects/${id}/code`, bot);
        const answer = await panel.call("GET", "/account/activity");
        assert.equal(answer.status, 200, answer.text);
        const { activity } = answer.json as {
          activity: { action: string; actor: { kind: string; name: string } }[];
        };
        const byKey = activity.filter(
          ({ actor }) => actor.kind === "key" && actor.name === "robô de entrega",
        );
        assert.deepEqual(byKey.map(({ action }) => action).reverse(), [
          "project.create",
          "project.variables",
          "project.settings",
          "project.start",
          "project.restart",
          "project.stop",
          "project.upload",
        ]);
        assert.ok(!answer.text.includes("segredo-da-conta") && !answer.text.includes(secret));
      },
    },
    {
      rows: ["auth.9", "auth.10", "error.api_key_not_allowed", "error.not_authenticated"],
      title:
        "a key makes and revokes no key and deletes no project; without anything these are not_authenticated",
      async show(world) {
        const { panel, client, key } = await world.person();
        const { id } = await client.createStopped();
        const panelOnly: [method: string, path: string, body?: unknown][] = [
          ["GET", "/account/keys"],
          ["POST", "/account/keys", { name: "x", level: "write", password: panel.password }],
          ["DELETE", `/account/keys/${key.id}`],
          ["POST", "/account/not-me"],
          ["DELETE", `/projects/${id}`],
        ];
        const nobody = new SpecClient(client.centralUrl);
        for (const [method, path, body] of panelOnly) {
          const text = body === undefined ? undefined : JSON.stringify(body);
          const headers: Record<string, string> =
            body === undefined ? {} : { "content-type": "application/json" };
          const send = (by: SpecClient) =>
            apiRequest(by.centralUrl, {
              method,
              path: `/api${path}`,
              token: by.key,
              headers,
              ...(text === undefined ? {} : { body: text }),
            });
          assertRefused(await send(client), 403, "api_key_not_allowed");
          assertRefused(await send(nobody), 401, "not_authenticated");
        }
        const { keys } = (await panel.call("GET", "/account/keys")).json as { keys: unknown[] };
        assert.equal(keys.length, 1);
        await client.patch(id, { name: "settings take a key with their scope" });
        assert.equal((await panel.call("DELETE", `/projects/${id}`)).status, 204);
        assertRefused(await client.get(`/projects/${id}`), 404, "not_found");
      },
    },
    {
      rows: ["auth.11", "error.invalid_api_key"],
      title: "a key that is missing, nonexistent, revoked or malformed is invalid_api_key",
      async show(world) {
        const { client, panel, key } = await world.person();
        await panel.call("DELETE", `/account/keys/${key.id}`);
        for (const secret of [
          undefined,
          "svc_",
          `svc_${"x".repeat(43)}`,
          key.secret,
          "x".repeat(5_000),
          key.secret.toUpperCase(),
        ]) {
          assertRefused(
            await new SpecClient(client.centralUrl, secret).get("/projects"),
            401,
            "invalid_api_key",
          );
        }
      },
    },
  ],
};
