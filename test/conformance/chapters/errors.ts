/** Defines the cases of "Errors": the codes that the other chapters do not meet on their way. */

import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { TestCluster } from "../../support/cluster/test-cluster.ts";
import type { Chapter } from "../conformance-case.ts";
import { assertRefused, bot, page } from "../spec-client.ts";
import { unsafeArchives, unusableArchives } from "../wrong-archives.ts";
import { accountOn } from "../spec-world.ts";

export const errors: Chapter = {
  title: "Errors",
  cases: [
    {
      rows: ["error.internal_error"],
      title: "a fault of the service is internal_error, and tells nothing of itself",
      async show() {
        await using cluster = await TestCluster.create({ hosts: 0 });
        const { client } = await accountOn(cluster);
        await rm(join(cluster.directory, "central", "objects", "incoming"), { recursive: true });
        const answer = await client.upload("/projects", bot);
        assertRefused(answer, 500, "internal_error");
        assert.ok(
          !answer.text.includes("ENOENT") &&
            !answer.text.includes(cluster.directory) &&
            !answer.text.includes("at "),
        );
      },
    },
    {
      rows: ["error.invalid_zip"],
      title:
        "what is no .zip, corrupt, empty or protected by a password is 422; over the plan's size it is 413 with limitMb",
      async show(world) {
        const client = await world.client({ plan: "Free" });
        for (const [what, bytes] of Object.entries(await unusableArchives())) {
          const answer = await client.uploadZip("/projects", bytes);
          assert.deepEqual([what, answer.status, answer.code], [what, 422, "invalid_zip"]);
          assertRefused(answer, 422, "invalid_zip");
        }
        const large = await client.uploadZip("/projects", new Uint8Array(51 * 1024 * 1024));
        assertRefused(large, 413, "invalid_zip", { limitMb: 50 });
        assert.deepEqual((await client.get("/projects")).json, { projects: [] });
      },
    },
    {
      rows: ["error.unsafe_zip"],
      title: "links, paths outside, special files and bombs are unsafe_zip, each with its reason",
      async show(world) {
        const client = await world.client({ plan: "Free" });
        for (const [reason, bytes] of Object.entries(await unsafeArchives(bot))) {
          assertRefused(await client.uploadZip("/projects", bytes), 422, "unsafe_zip", { reason });
        }
        assert.deepEqual((await client.get("/projects")).json, { projects: [] });
      },
    },
    {
      rows: ["error.insufficient_memory"],
      title: "more memory than is left is insufficient_memory, with what is free and what was asked",
      async show(world) {
        const client = await world.client({ plan: "Free" });
        await client.create({ ...bot, memoryMb: 300 });
        const extra = { freeMemoryMb: 212, requestedMemoryMb: 213 };
        assertRefused(
          await client.upload("/projects", { ...bot, memoryMb: 213 }),
          422,
          "insufficient_memory",
          extra,
        );
        await client.create({ ...bot, memoryMb: 212 });
      },
    },
    {
      rows: ["error.project_limit_reached"],
      title: "one project more than the plan has is project_limit_reached with the limit",
      async show(world) {
        const client = await world.client({ plan: "Free" });
        for (let count = 0; count < 2; count++) await client.create(bot);
        assertRefused(await client.upload("/projects", bot), 403, "project_limit_reached", { limit: 2 });
      },
    },
    {
      rows: ["error.site_not_allowed"],
      title: "a site or API on Free is site_not_allowed",
      async show(world) {
        const client = await world.client({ plan: "Free" });
        for (const config of [page, { ...bot, type: "site" }]) {
          assertRefused(await client.upload("/projects", config), 403, "site_not_allowed");
        }
      },
    },
    {
      rows: ["error.site_limit_reached"],
      title: "one site more than the plan has is site_limit_reached with the limit",
      async show(world) {
        const client = await world.client({ plan: "Block" });
        for (let count = 0; count < 2; count++) await client.create(page);
        assertRefused(await client.upload("/projects", page), 403, "site_limit_reached", { limit: 2 });
        await client.create(bot);
      },
    },
    {
      rows: ["error.reserved_subdomain"],
      title:
        "a reserved name, and one that resembles a bank, a brand or a public body, is reserved_subdomain",
      async show(world) {
        const client = await world.client();
        for (const subdomain of [
          "www",
          "api",
          "admin",
          "itau",
          "1tau-banco",
          "nubank",
          "bradesco-login",
          "g00gle",
          "paypal",
          "receita-federal",
        ]) {
          assertRefused(await client.upload("/projects", { ...page, subdomain }), 422, "reserved_subdomain", {
            field: "subdomain",
          });
        }
        await client.create({ ...page, subdomain: "padaria-da-ana" });
      },
    },
    {
      rows: ["error.no_capacity"],
      title: "full servers are no_capacity, and nothing is left behind",
      async show() {
        await using cluster = await TestCluster.create();
        const { client } = await accountOn(cluster, { plan: "Empresas" });
        let answer = await client.upload("/projects", { ...bot, memoryMb: 16_384 });
        for (let count = 0; count < 64 && answer.code === undefined; count++) {
          const other = (await accountOn(cluster, { plan: "Empresas" })).client;
          answer = await other.upload("/projects", { ...bot, memoryMb: 16_384 });
        }
        assertRefused(answer, 409, "no_capacity");
      },
    },
    {
      rows: ["error.plan_limit_reached"],
      title: "a start that passes the plan's memory beside what runs is plan_limit_reached, with the numbers",
      async show(world) {
        const { id: accountId, client } = await world.account({ plan: "Stack" });
        const [running, stopped] = [
          await client.createRunning({ ...bot, memoryMb: 400 }),
          await client.createStopped({ ...bot, memoryMb: 300 }),
        ];
        await world.cluster.admin.changePlan({ accountId, body: { plan: "Free" } });
        const extra = { freeMemoryMb: 112, requestedMemoryMb: 300 };
        for (const action of ["start", "restart"]) {
          assertRefused(
            await client.post(`/projects/${stopped.id}/${action}`),
            422,
            "plan_limit_reached",
            extra,
          );
        }
        assert.equal((await client.project(running.id)).status, "running", "a smaller plan stops nothing");
        await client.act(running.id, "stop");
        await client.when(running.id, "stopped");
        await client.act(stopped.id, "start");
      },
    },
    {
      rows: ["error.account_suspended", "control.errors"],
      title: "a suspended account starts and uploads nothing, and may stop",
      async show(world) {
        const { id: accountId, client } = await world.account();
        const { id } = await client.createRunning();
        await world.cluster.admin.suspendAccount({ accountId, body: { graceMs: 60 * 60_000 } });
        for (const answer of [
          await client.post(`/projects/${id}/restart`),
          await client.upload("/projects", bot),
          await client.upload(`/projects/${id}/code`, bot),
        ]) {
          assertRefused(answer, 409, "account_suspended");
        }
        await client.act(id, "stop");
        await client.when(id, "stopped");
        assertRefused(await client.post(`/projects/${id}/start`), 409, "account_suspended");
        await world.cluster.admin.resumeAccount({ accountId });
        await client.act(id, "start");
      },
    },
    {
      rows: ["error.beta_ending"],
      title: "while its beta is ending an account starts and uploads nothing, and keeps everything",
      async show(world) {
        const { id: accountId, client } = await world.account();
        const { id } = await client.createStopped();
        await world.cluster.admin.endBeta({ accountId, body: { inMs: 60 * 60_000 } });
        for (const answer of [
          await client.post(`/projects/${id}/start`),
          await client.post(`/projects/${id}/restart`),
          await client.upload("/projects", bot),
          await client.upload(`/projects/${id}/code`, bot),
        ]) {
          assertRefused(answer, 409, "beta_ending");
        }
        assert.equal((await client.project(id)).status, "stopped");
        await world.cluster.admin.cancelBetaEnd({ accountId });
        await client.act(id, "start");
      },
    },
    {
      rows: ["upload.errors"],
      title: "new code is refused for the same reasons as a new project, and the old code stays",
      async show(world) {
        const client = await world.client({ plan: "Free" });
        const { id } = await client.createStopped();
        const before = await client.project(id);
        const path = `/projects/${id}/code`;
        assertRefused(await client.uploadZip(path, Buffer.from("text")), 422, "invalid_zip");
        assertRefused(await client.uploadZip(path, new Uint8Array(51 * 1024 * 1024)), 413, "invalid_zip", {
          limitMb: 50,
        });
        const { path: outside } = await unsafeArchives(bot);
        assertRefused(await client.uploadZip(path, outside ?? new Uint8Array()), 422, "unsafe_zip", {
          reason: "path",
        });
        assertRefused(await client.upload(path, { ...bot, colour: "red" }), 422, "invalid_config", {
          field: "colour",
        });
        assertRefused(await client.upload(path, { ...bot, version: "18" }), 422, "unsupported_language");
        assertRefused(await client.upload(path, { ...bot, memoryMb: 4096 }), 422, "insufficient_memory");
        assertRefused(await client.upload(path, page), 403, "site_not_allowed");
        assert.deepEqual(await client.project(id), before);
        const paid = await world.client();
        const site = await paid.createStopped({ ...page, subdomain: "upload-errors" });
        const sitePath = `/projects/${site.id}/code`;
        assertRefused(await paid.upload(sitePath, { ...page, subdomain: "-x" }), 422, "invalid_subdomain", {
          field: "subdomain",
        });
        assertRefused(await paid.upload(sitePath, { ...page, subdomain: "www" }), 422, "reserved_subdomain", {
          field: "subdomain",
        });
      },
    },
    {
      rows: ["failure.install_interrupted"],
      title: "a fault of the project's server during the install is install_interrupted",
      async show() {
        await using cluster = await TestCluster.create();
        const { client } = await accountOn(cluster);
        const { id } = await client.createStopped();
        const { damagedDisks } = cluster.host.machine;
        damagedDisks.add(id);
        const path = `/projects/${id}/code`;
        await client.upload(path, bot);
        assert.equal((await client.when(id, "error")).error?.code, "install_interrupted");
        assertRefused(await client.post(`/projects/${id}/start`), 409, "install_pending");
        damagedDisks.delete(id);
        await client.upload(path, bot);
        await client.when(id, "stopped");
      },
    },
  ],
};
