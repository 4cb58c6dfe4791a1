/** Defines the cases of "What the service does", the general conventions, and versioning. */

import assert from "node:assert/strict";
import { visit } from "../../real/support/projects/visit.ts";
import { TestCluster } from "../../support/cluster/test-cluster.ts";
import { until } from "../../support/until.ts";
import type { Chapter } from "../conformance-case.ts";
import { assertRefused, bot, page, projectOf, SpecClient, unknownId } from "../spec-client.ts";
import { projectFields } from "../spec-project.ts";
import { accountOn } from "../spec-world.ts";

export const overview: Chapter = {
  title: "What the service does",
  cases: [
    {
      rows: ["overview.kinds"],
      title: "a bot runs without an address, a site answers visitors under its own",
      async show(world) {
        const client = await world.client();
        const background = await client.createRunning(bot);
        assert.deepEqual([background.type, background.url, background.port], ["bot", null, null]);
        const site = await client.createRunning({ language: "static", subdomain: "overview-kinds" });
        assert.equal(site.type, "site");
        const { status } = await visit(
          Number(new URL(world.cluster.central.pagesUrl).port),
          "overview-kinds",
          "/index.html",
        );
        assert.equal(status, 200);
      },
    },
    {
      rows: ["overview.site_address", "project.url"],
      title: "the address of a site is https, its subdomain under the site domain",
      async show() {
        await using cluster = await TestCluster.create({
          centralSettings: {
            TIJOLO_SITE_DOMAIN: "sites.test",
            TIJOLO_SITE_URL_PATTERN: "https://*.sites.test/",
          },
        });
        const { client } = await accountOn(cluster);
        const { url } = await client.create({ ...page, subdomain: "padaria" });
        assert.equal(new URL(url ?? "").origin, "https://padaria.sites.test");
        assert.equal((await client.create(bot)).url, null);
      },
    },
    {
      rows: ["overview.upload"],
      title: "an upload is extracted, installed, built and started, each told by status or log",
      async show(world) {
        const client = await world.client();
        const { id } = await client.create(
          { ...bot, installCommand: "sim print built", command: "sim print started; run" },
          { start: "true" },
        );
        await client.when(id, "running");
        const texts = async (section: string) =>
          (await client.get(`/projects/${id}/logs?follow=false&section=${section}`)).text;
        await until(async () => (await texts("app")).includes("started"));
        assert.match(await texts("install"), /built/);
      },
    },
    {
      rows: ["overview.actions"],
      title: "start, stop, restart, logs, metrics and variables answer",
      async show(world) {
        const client = await world.client();
        const { id } = await client.createStopped();
        for (const action of ["start", "restart", "stop"] as const) await client.carryOut(id, action);
        for (const path of ["logs?follow=false", "metrics", "variables"]) {
          assert.equal((await client.get(`/projects/${id}/${path}`)).status, 200, path);
        }
        assert.equal(
          (await client.json("PUT", `/projects/${id}/variables`, { variables: { TOKEN: "x" } })).status,
          200,
        );
      },
    },
    {
      rows: ["overview.settings"],
      title: "all thirteen settings are changed by one request",
      async show(world) {
        const client = await world.client();
        const { id } = await client.createStopped();
        const program = {
          language: "python",
          version: "3.12",
          command: "python main.py",
          entry: "main.py",
          installCommand: "sim exit 0",
        };
        const site = {
          type: "site",
          memoryMb: 600,
          subdomain: "overview-settings",
          port: 3000,
          systemPackages: ["git"],
        };
        const wanted = { name: "new", description: "text", ...program, ...site };
        assert.partialDeepStrictEqual(projectOf(await client.patch(id, wanted)), wanted);
        assert.equal(
          projectOf(await client.patch(id, { language: "static", root: "public" })).root,
          "public",
        );
      },
    },
    {
      rows: ["overview.tags"],
      title: "the description groups the routes that there are under their Portuguese tags",
      async show(world) {
        const answer = await new SpecClient(world.cluster.centralUrl).get("/openapi.json");
        const { paths } = answer.json as { paths: Record<string, Record<string, { tags?: string[] }>> };
        const tags = new Set(
          Object.values(paths).flatMap((methods) =>
            Object.values(methods).flatMap(({ tags: own = [] }) => own),
          ),
        );
        for (const tag of ["Projetos", "Controle", "Logs e métricas", "Variáveis de ambiente", "Conta"])
          assert.ok(tags.has(tag), tag);
      },
    },
    {
      rows: ["overview.panel"],
      title: "with a key everything goes without a session, but what is the panel's alone",
      async show(world) {
        const client = await world.client();
        const { id } = await client.createStopped();
        assertRefused(await client.delete(`/projects/${id}`), 403, "api_key_not_allowed");
        assertRefused(await client.get("/account/keys"), 403, "api_key_not_allowed");
        await client.project(id);
      },
    },
    {
      rows: ["overview.plans"],
      title: "each plan has its own memory and numbers of projects and sites; Free has no sites",
      async show(world) {
        const free = await world.client({ plan: "Free" });
        assertRefused(await free.upload("/projects", page), 403, "site_not_allowed");
        assertRefused(await free.upload("/projects", { ...bot, type: "site" }), 403, "site_not_allowed");
        assertRefused(
          await free.upload("/projects", { ...bot, memoryMb: 1024 }),
          422,
          "insufficient_memory",
          {
            freeMemoryMb: 512,
            requestedMemoryMb: 1024,
          },
        );
        const paid = await world.client({ plan: "Block" });
        assert.equal((await paid.create({ ...bot, memoryMb: 1024 })).memoryMb, 1024);
        assert.equal((await paid.create(page)).type, "site");
      },
    },
    {
      rows: ["overview.paid_restart", "project.hasAutoRestart"],
      title: "a crashed project comes back on every paid plan and not on Free",
      async show(world) {
        for (const plan of ["Block", "Stack", "Tower", "Fortress", "Empresas"] as const) {
          const client = await world.client({ plan });
          const { id, hasAutoRestart } = await client.createRunning();
          assert.equal(hasAutoRestart, true, plan);
          world.cluster.host.machine.kill(id, new Date());
          await client.when(
            id,
            ({ status, consecutiveCrashes }) => status === "running" && consecutiveCrashes === 1,
          );
        }
        const free = await world.client({ plan: "Free" });
        const { id, hasAutoRestart } = await free.createRunning();
        assert.equal(hasAutoRestart, false);
        world.cluster.host.machine.kill(id, new Date());
        assert.equal((await free.when(id, "error")).error?.code, "process_exited");
      },
    },
    {
      rows: ["convention.request_bodies", "error.unsupported_media_type"],
      title: "JSON routes take application/json alone, uploads multipart/form-data alone",
      async show(world) {
        const client = await world.client();
        const { id } = await client.createStopped();
        const body = '{"name":"x"}';
        for (const headers of [
          {},
          { "content-type": "text/plain" },
          { "content-type": "multipart/form-data; boundary=a" },
        ]) {
          assertRefused(
            await client.raw("PATCH", `/projects/${id}`, body, headers),
            415,
            "unsupported_media_type",
          );
          assertRefused(
            await client.raw("PUT", `/projects/${id}/variables`, "{}", headers),
            415,
            "unsupported_media_type",
          );
        }
        assertRefused(await client.json("POST", "/projects", {}), 415, "unsupported_media_type");
        assertRefused(await client.json("POST", `/projects/${id}/code`, {}), 415, "unsupported_media_type");
        for (const type of ["application/json", "application/json; charset=utf-8"]) {
          assert.equal(
            (await client.raw("PATCH", `/projects/${id}`, body, { "content-type": type })).status,
            200,
          );
        }
      },
    },
    {
      rows: ["convention.responses"],
      title: "a resource stands under its own name, and logs are an event stream",
      async show(world) {
        const client = await world.client();
        const created = await client.upload("/projects", bot);
        assert.deepEqual(Object.keys(created.json as object), ["project"]);
        const { id } = projectOf(created);
        await client.when(id, "stopped");
        assert.deepEqual(Object.keys((await client.get("/projects")).json as object), ["projects"]);
        assert.deepEqual(Object.keys((await client.get(`/projects/${id}`)).json as object), ["project"]);
        assert.deepEqual(Object.keys((await client.get(`/projects/${id}/variables`)).json as object), [
          "variables",
        ]);
        const stream = await fetch(`${client.centralUrl}/api/projects/${id}/logs`, {
          headers: { authorization: `Bearer ${client.key}` },
          signal: AbortSignal.timeout(10_000),
        });
        assert.match(stream.headers.get("content-type") ?? "", /^text\/event-stream\b/);
        await stream.body?.cancel();
      },
    },
    {
      rows: ["convention.project_id", "project.id", "endpoint.id", "project.internalHost"],
      title: "ids are 26 characters of the pattern, and internalHost is made of the last 8",
      async show(world) {
        const client = await world.client();
        const seen = new Set<string>();
        for (let index = 0; index < 3; index++) {
          const { id, internalHost } = await client.create(bot);
          assert.match(id, /^[0-9A-HJKMNP-TV-Z]{26}$/);
          assert.equal(internalHost, `svc-${id.slice(-8).toLowerCase()}`);
          seen.add(id);
        }
        assert.equal(seen.size, 3);
        for (const wrong of [
          "1",
          `${"0".repeat(25)}I`,
          "0".repeat(27),
          unknownId.toLowerCase().replace("0", "a"),
        ]) {
          assertRefused(await client.get(`/projects/${wrong}`), 400, "invalid_request");
        }
      },
    },
    {
      rows: [
        "convention.timestamps",
        "project.createdAt",
        "project.updatedAt",
        "project.startedAt",
        "last_exit.exitedAt",
      ],
      title: "times are UTC with milliseconds and Z, and mean what they say",
      async show(world) {
        const client = await world.client();
        const begin = Date.now();
        const { id, createdAt } = await client.createRunning({ ...bot, command: "sim term 0; run" });
        const { startedAt, updatedAt } = await client.project(id);
        for (const at of [createdAt, startedAt, updatedAt]) {
          assert.ok(projectFields.createdAt(at), String(at));
          assert.ok(
            Date.parse(at ?? "") >= begin - 1_000 && Date.parse(at ?? "") <= Date.now() + 1_000,
            String(at),
          );
        }
        await client.act(id, "stop");
        const stopped = await client.when(id, "stopped");
        assert.equal(stopped.startedAt, null);
        assert.equal(stopped.createdAt, createdAt);
        assert.ok(projectFields.updatedAt(stopped.lastExit?.exitedAt), JSON.stringify(stopped.lastExit));
        await client.patch(id, { description: "later" });
        assert.ok((await client.project(id)).updatedAt > updatedAt);
        const { lines } = (await client.get(`/projects/${id}/logs?follow=false`)).json as {
          lines: { at: string }[];
        };
        assert.ok(lines.length > 0);
        for (const { at } of lines) assert.ok(projectFields.createdAt(at), at);
      },
    },
    {
      rows: ["convention.memory"],
      title: "memory is in MB: a plan of 512 MB has 512 in its answers",
      async show(world) {
        const client = await world.client({ plan: "Free" });
        assert.equal((await client.create({ ...bot, memoryMb: 200 })).memoryMb, 200);
        const answer = await client.upload("/projects", { ...bot, memoryMb: 400 });
        assertRefused(answer, 422, "insufficient_memory", { freeMemoryMb: 312, requestedMemoryMb: 400 });
      },
    },
    {
      rows: [
        "convention.error_body",
        "error_body.status",
        "error_body.code",
        "error_body.message",
        "error_body.extra",
      ],
      title: "every error is status, code, a Portuguese message, and the extra fields of its code",
      async show(world) {
        const { client } = await world.account({ plan: "Free" });
        const nobody = new SpecClient(client.centralUrl);
        const withoutKey = await nobody.get("/projects");
        const answers = [
          withoutKey,
          await client.get(`/projects/${unknownId}`),
          await client.get("/no/such/route"),
          await client.patch(unknownId, {}),
        ];
        for (const answer of answers) {
          assert.deepEqual(Object.keys(answer.json as object).slice(0, 3), ["status", "code", "message"]);
          const { status, message } = answer.json as { status: string; message: string };
          assert.equal(status, "error");
          assert.match(message, /[ãçõéêóáí]|\b(sua|uma|foi|não)\b/i);
        }
        const inEnglish = await nobody.get("/projects", { "accept-language": "en" });
        assert.equal(inEnglish.code, withoutKey.code, "the code does not change with the language");
        assert.notEqual(
          (inEnglish.json as { message: string }).message,
          (withoutKey.json as { message: string }).message,
        );
        const large = await client.upload("/projects", { ...bot, memoryMb: 1024 });
        assert.deepEqual(Object.keys(large.json as object).sort(), [
          "code",
          "freeMemoryMb",
          "message",
          "requestedMemoryMb",
          "status",
        ]);
      },
    },
    {
      rows: ["version.label"],
      title: "the description of the API says 1.0.0, and no version is in its addresses",
      async show(world) {
        const answer = await new SpecClient(world.cluster.centralUrl).get("/openapi.json");
        assert.equal(answer.status, 200);
        const { info, paths, servers } = answer.json as {
          info: { version: string };
          paths: object;
          servers?: { url: string }[];
        };
        assert.equal(info.version, "1.0.0");
        assert.ok(Object.keys(paths).includes("/projects/{id}"), Object.keys(paths).join());
        for (const { url } of servers ?? []) assert.doesNotMatch(url, /\/v\d/);
      },
    },
  ],
};
