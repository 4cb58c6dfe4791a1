/** Defines the cases of "PATCH /projects/{id}": the fields of its body, and its thirteen rules. */

import assert from "node:assert/strict";
import type { ApiAnswer } from "../../support/requests/api-request.ts";
import { TestCluster } from "../../support/cluster/test-cluster.ts";
import { until } from "../../support/until.ts";
import type { Chapter, ConformanceCase } from "../conformance-case.ts";
import { assertRefused, bot, page, projectOf, SpecClient, unknownId } from "../spec-client.ts";
import { systemPackages, type SpecProject } from "../spec-project.ts";
import type { RowId } from "../spec-rows.ts";
import { accountOn } from "../spec-world.ts";
import { startCases } from "./settings-start.ts";

interface FieldCase {
  row: RowId;
  /** Fields of the project before the change. */
  from?: object;
  good: object;
  /** Fields that the answer shows, where they are not `good`. */
  shown?: Partial<SpecProject>;
  /** Bodies out of format. */
  malformed: readonly object[];
}

const fields: readonly FieldCase[] = [
  {
    row: "patch_field.name",
    good: { name: "x".repeat(40) },
    malformed: [{ name: "x".repeat(41) }, { name: 1 }, { name: null }],
  },
  {
    row: "patch_field.description",
    good: { description: "x".repeat(200) },
    malformed: [{ description: "x".repeat(201) }, { description: null }],
  },
  {
    row: "patch_field.type",
    good: { type: "site", memoryMb: 512 },
    malformed: [{ type: "worker" }, { type: null }],
  },
  {
    row: "patch_field.language",
    good: { language: "python", command: "python main.py" },
    malformed: [{ language: 1 }, { language: null }],
  },
  { row: "patch_field.entry", good: { entry: "bot.js" }, malformed: [{ entry: 1 }, { entry: null }] },
  {
    row: "patch_field.command",
    good: { command: "npm start" },
    malformed: [{ command: ["npm"] }, { command: null }],
  },
  {
    row: "patch_field.installCommand",
    good: { installCommand: "npm ci" },
    malformed: [{ installCommand: 1 }],
  },
  { row: "patch_field.version", good: { version: "22" }, malformed: [{ version: 22 }, { version: null }] },
  { row: "patch_field.root", from: page, good: { root: "public" }, malformed: [{ root: 1 }, { root: null }] },
  {
    row: "patch_field.memoryMb",
    good: { memoryMb: 300 },
    malformed: [{ memoryMb: "300" }, { memoryMb: 300.5 }, { memoryMb: null }],
  },
  {
    row: "patch_field.subdomain",
    from: page,
    good: { subdomain: "patched-name" },
    malformed: [{ subdomain: 1 }, { subdomain: null }],
  },
  {
    row: "patch_field.port",
    from: { ...bot, type: "site" },
    good: { port: 3000 },
    malformed: [{ port: "3000" }, { port: 0 }, { port: 65_536 }, { port: null }],
  },
  {
    row: "patch_field.systemPackages",
    good: { systemPackages },
    malformed: [{ systemPackages: ["bash"] }, { systemPackages: "git" }, { systemPackages: null }],
  },
];

const fieldCases = fields.map(({ row, from = bot, good, malformed }): ConformanceCase => ({
  rows: [row],
  title: `PATCH takes ${Object.keys(good).join(" and ")}, and refuses what is out of format`,
  async show(world) {
    const client = await world.client();
    const { id } = await client.createStopped(from);
    const changed = projectOf(changedBy(await client.patch(id, good)));
    for (const [name, value] of Object.entries(good))
      assert.deepEqual([name, changed[name as keyof SpecProject]], [name, value]);
    const before = await client.project(id);
    assert.deepEqual(before, changed);
    for (const body of malformed) assertRefused(await client.patch(id, body), 400, "invalid_request");
    assert.deepEqual(await client.project(id), before);
  },
}));

export const settings: Chapter = {
  title: "PATCH /projects/{id}",
  cases: [
    ...fieldCases,
    ...startCases,
    {
      rows: ["patch_field.installCommand"],
      title: "a null installCommand is the automatic install again",
      async show(world) {
        const client = await world.client();
        const { id } = await client.createStopped({ ...bot, installCommand: "sim exit 0" });
        assert.equal(
          projectOf(changedBy(await client.patch(id, { installCommand: null }))).installCommand,
          null,
        );
      },
    },
    {
      rows: ["patch.scope", "endpoint.settings", "patch.10", "error.insufficient_scope"],
      title: "settings take a key with the scope; one without it is insufficient_scope, which names it",
      async show(world) {
        const { id: accountId, client } = await world.account();
        const { id } = await client.createStopped();
        changedBy(await client.patch(id, { description: "with the scope" }));
        const without = new SpecClient(client.centralUrl, await world.cluster.createKey(accountId, "write"));
        const answer = await without.patch(id, { description: "without" });
        assertRefused(answer, 403, "insufficient_scope", { requiredScope: "projects:settings" });
        assert.equal((await client.project(id)).description, "with the scope");
      },
    },
    {
      rows: ["patch.body", "patch.4", "patch.5", "error.unsupported_media_type"],
      title: "an empty body, no field, an unknown field and a wrong format are invalid_request",
      async show(world) {
        const client = await world.client();
        const { id } = await client.createStopped();
        const before = await client.project(id);
        for (const text of [
          "",
          "{}",
          "null",
          "[]",
          '"x"',
          '{"colour":"red"}',
          '{"name":"x","status":"running"}',
          "{",
          '{"id":"x"}',
        ]) {
          assertRefused(
            await client.raw("PATCH", `/projects/${id}`, text, { "content-type": "application/json" }),
            400,
            "invalid_request",
          );
        }
        for (const headers of [{}, { "content-type": "text/plain" }]) {
          assertRefused(
            await client.raw("PATCH", `/projects/${id}`, new Uint8Array(), headers),
            400,
            "invalid_request",
          );
          const body = new TextEncoder().encode('{"name":"x"}');
          assertRefused(
            await client.raw("PATCH", `/projects/${id}`, body, headers),
            415,
            "unsupported_media_type",
          );
        }
        assert.deepEqual(await client.project(id), before);
      },
    },
    {
      rows: ["patch.1"],
      title: "what svc.json may not have, PATCH may not either",
      async show(world) {
        const client = await world.client();
        const { id } = await client.createStopped();
        const rows: [body: object, code: string, field?: string][] = [
          [{ port: 3000 }, "invalid_config", "port"],
          [{ subdomain: "shop" }, "invalid_config", "subdomain"],
          [{ root: "public" }, "invalid_config", "root"],
          [{ type: "site", memoryMb: 512, subdomain: "-x-" }, "invalid_subdomain", "subdomain"],
          [{ type: "site", memoryMb: 512, subdomain: "www" }, "reserved_subdomain", "subdomain"],
          [{ type: "site", memoryMb: 512, subdomain: "x".repeat(300) }, "invalid_subdomain", "subdomain"],
          [{ language: "cobol" }, "unsupported_language"],
          [{ language: "x".repeat(100) }, "unsupported_language"],
          [{ version: "18" }, "unsupported_language"],
          [{ version: "1".repeat(100) }, "unsupported_language"],
          [{ memoryMb: 65_536 }, "insufficient_memory"],
          [{ memoryMb: 2_000_000_000 }, "insufficient_memory"],
        ];
        for (const [body, code, field] of rows) {
          assertRefused(await client.patch(id, body), 422, code, field === undefined ? {} : { field });
        }
        const free = await world.client({ plan: "Free" });
        const { id: freeId } = await free.createStopped();
        assertRefused(await free.patch(freeId, { type: "site", memoryMb: 512 }), 403, "site_not_allowed");
      },
    },
    {
      rows: ["patch.2", "patch.3"],
      title:
        "name and description take effect at once, the rest waits for the next start, and isRestartRequired says so",
      async show(world) {
        const client = await world.client();
        const { id, startedAt } = await client.createRunning();
        const named = changedBy(await client.patch(id, { name: "new name", description: "new text" }));
        // What the project takes is measured anew meanwhile.
        const { usage } = projectOf(named);
        const project = { ...(await client.project(id)), usage };
        assert.deepEqual(named.json, { project, isRestartRequired: false });
        assert.deepEqual([project.name, project.description], ["new name", "new text"]);
        const waiting = changedBy(await client.patch(id, { command: "sim print changed; run" }));
        assert.equal((waiting.json as { isRestartRequired: boolean }).isRestartRequired, true);
        assert.equal(projectOf(waiting).command, "sim print changed; run", "the values that wait are shown");
        const running = await client.project(id);
        assert.deepEqual([running.status, running.startedAt], ["running", startedAt], "what runs goes on");
        const logText = async () => (await client.get(`/projects/${id}/logs?follow=false&section=app`)).text;
        assert.ok(!(await logText()).includes("changed"));
        await client.act(id, "restart");
        await client.when(id, (now) => now.status === "running" && now.startedAt !== startedAt);
        await until(async () => (await logText()).includes("changed"));
        const after = changedBy(await client.patch(id, { description: "done" }));
        assert.equal((after.json as { isRestartRequired: boolean }).isRestartRequired, false);
        const stopped = await client.createStopped();
        const nothingWaits = changedBy(await client.patch(stopped.id, { memoryMb: 300 }));
        assert.equal((nothingWaits.json as { isRestartRequired: boolean }).isRestartRequired, false);
      },
    },
    {
      rows: ["patch.6"],
      title: "a project that is being prepared is project_busy, and keeps its settings",
      async show(world) {
        const client = await world.client();
        const { id } = await client.create({ ...bot, installCommand: "sim run" });
        await client.when(id, "installing");
        assertRefused(await client.patch(id, { memoryMb: 300 }), 409, "project_busy");
        assert.equal((await client.project(id)).memoryMb, 256);
      },
    },
    {
      rows: ["patch.6"],
      title:
        "a project with another action running is project_busy, whatever is to change, and keeps its settings",
      async show(world) {
        for (const action of ["start", "stop", "restart"] as const) {
          const client = await world.client();
          const { id, name } =
            action === "start" ? await client.createStopped() : await client.createRunning();
          {
            using hold = world.cluster.host.machine.hold(id);
            await client.act(id, action);
            await hold.reached;
            assertRefused(await client.patch(id, { memoryMb: 300 }), 409, "project_busy");
            assertRefused(await client.patch(id, { name: "other" }), 409, "project_busy");
          }
          const after = await client.when(id, action === "stop" ? "stopped" : "running");
          assert.deepEqual([after.memoryMb, after.name], [256, name]);
          changedBy(await client.patch(id, { memoryMb: 300 }));
        }
      },
    },
    {
      rows: ["patch.7", "error.subdomain_taken"],
      title: "another project's subdomain is subdomain_taken with its field, by PATCH and by upload",
      async show(world) {
        const [client, other] = [await world.client(), await world.client()];
        await other.create({ ...page, subdomain: "taken-already" });
        const mine = await client.createStopped({ ...page, subdomain: "mine-alone" });
        assertRefused(await client.patch(mine.id, { subdomain: "taken-already" }), 409, "subdomain_taken", {
          field: "subdomain",
        });
        const upload = await client.upload("/projects", { ...page, subdomain: "taken-already" });
        assertRefused(upload, 409, "subdomain_taken", { field: "subdomain" });
        assert.equal((await client.project(mine.id)).subdomain, "mine-alone");
        changedBy(await client.patch(mine.id, { subdomain: "mine-alone" }));
      },
    },
    {
      rows: ["patch.8", "limit.bot_memory"],
      title:
        "a setting that plan or language do not allow is invalid_config with its field; a paid bot has at least 256 MB",
      async show(world) {
        for (const plan of ["Block", "Empresas"] as const) {
          const client = await world.client({ plan });
          const { id, memoryMb } = await client.createStopped();
          assert.equal(memoryMb, 256);
          for (const memoryMb of [255, 0, -1]) {
            assertRefused(await client.patch(id, { memoryMb }), 422, "invalid_config", { field: "memoryMb" });
          }
          changedBy(await client.patch(id, { memoryMb: 256 }));
          assertRefused(await client.upload("/projects", { ...bot, memoryMb: 255 }), 422, "invalid_config", {
            field: "memoryMb",
          });
        }
        const client = await world.client();
        const { id } = await client.createStopped(page);
        assertRefused(await client.patch(id, { command: "npm start" }), 422, "invalid_config", {
          field: "command",
        });
        assertRefused(await client.patch(id, { entry: "a.js" }), 422, "invalid_config", { field: "entry" });
      },
    },
    {
      rows: ["patch.11"],
      title: "a missing, invalid or revoked key is invalid_api_key",
      async show(world) {
        const { client, panel, key } = await world.person();
        const { id } = await client.createStopped();
        const wrong = [
          undefined,
          "",
          "svc_",
          `svc_${"x".repeat(43)}`,
          `${key.secret}x`,
          key.secret.slice(0, -1),
        ];
        for (const secret of wrong) {
          assertRefused(
            await new SpecClient(client.centralUrl, secret).patch(id, { name: "x" }),
            401,
            "invalid_api_key",
          );
        }
        await panel.call("DELETE", `/account/keys/${key.id}`);
        assertRefused(await client.patch(id, { name: "x" }), 401, "invalid_api_key");
      },
    },
    {
      rows: ["patch.12"],
      title:
        "over the rate a PATCH is rate_limit_exceeded, and a wrong key too many is too_many_attempts, with Retry-After",
      async show(world) {
        await using cluster = await world.limited({ hosts: 0 });
        const { client } = await accountOn(cluster, { plan: "Free" });
        for (let count = 0; count < 10; count++) await client.get("/projects");
        assertRefused(await client.patch(unknownId, { name: "x" }), 429, "rate_limit_exceeded");
        const stranger = new SpecClient(cluster.centralUrl, "svc_wrong");
        for (let count = 0; count < 10; count++) await stranger.patch(unknownId, { name: "x" });
        assertRefused(await stranger.patch(unknownId, { name: "x" }), 429, "too_many_attempts");
      },
    },
    {
      rows: ["patch.13", "error.server_unavailable"],
      title: "while the project's server is silent, changes are server_unavailable and nothing is changed",
      async show() {
        await using cluster = await TestCluster.create();
        const { client } = await accountOn(cluster);
        const { id } = await client.createStopped();
        const before = await client.project(id);
        await cluster.host.stop();
        await cluster.untilConnected(0);
        for (const answer of [
          await client.patch(id, { memoryMb: 300 }),
          await client.post(`/projects/${id}/start`),
          await client.post(`/projects/${id}/stop`),
          await client.post(`/projects/${id}/restart`),
          await client.upload(`/projects/${id}/code`, { ...bot, name: "new" }),
          await client.upload("/projects", bot),
        ]) {
          assertRefused(answer, 503, "server_unavailable");
        }
        assert.deepEqual((await client.get("/projects")).json, { projects: [before] });
        await cluster.host.start();
        await cluster.untilConnected(1);
        changedBy(await client.patch(id, { memoryMb: 300 }));
      },
    },
  ],
};

/** Asserts a 200 with project and isRestartRequired. */
function changedBy(answer: ApiAnswer): ApiAnswer {
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(Object.keys(answer.json as object).sort(), ["isRestartRequired", "project"]);
  return answer;
}
