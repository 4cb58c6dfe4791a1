/** Cases of "Endpoints": projects, uploads and actions. */

import assert from "node:assert/strict";
import { zipOf } from "../../support/archives/zip-of.ts";
import type { Chapter } from "../conformance-case.ts";
import { assertRefused, bot, projectOf, SpecClient, unknownId } from "../spec-client.ts";
import type { SpecProject } from "../spec-project.ts";

/** Method and path of every row of the table. */
const routes: readonly [method: string, path: string][] = [
  ["GET", "/projects"],
  ["GET", `/projects/${unknownId}`],
  ["GET", `/projects/${unknownId}/logs`],
  ["GET", `/projects/${unknownId}/metrics`],
  ["POST", "/projects"],
  ["POST", `/projects/${unknownId}/code`],
  ["POST", `/projects/${unknownId}/start`],
  ["POST", `/projects/${unknownId}/stop`],
  ["POST", `/projects/${unknownId}/restart`],
  ["GET", `/projects/${unknownId}/variables`],
  ["PUT", `/projects/${unknownId}/variables`],
  ["PATCH", `/projects/${unknownId}`],
];

export const endpoints: Chapter = {
  title: "Endpoints",
  cases: [
    {
      rows: ["endpoint.authenticated"],
      title: "every route refuses who has no key, with the error body",
      async show(world) {
        const nobody = new SpecClient(world.cluster.centralUrl);
        for (const [method, path] of routes) {
          const answer = method === "GET" ? await nobody.get(path) : await nobody.raw(method, path, "");
          assertRefused(answer, 401, "invalid_api_key");
        }
      },
    },
    {
      rows: ["endpoint.listProjects", "list.answer"],
      title: "the list is the account's projects and nobody else's",
      async show(world) {
        const [client, other] = [await world.client(), await world.client()];
        await other.create(bot);
        assert.deepEqual((await client.get("/projects")).json, { projects: [] });
        const ids = [(await client.create(bot)).id, (await client.create(bot)).id];
        const { projects } = (await client.get("/projects")).json as { projects: SpecProject[] };
        assert.deepEqual(projects.map(({ id }) => id).sort(), ids.sort());
      },
    },
    {
      rows: ["endpoint.getProject", "get.answer", "error.not_found", "patch.9"],
      title: "another account's project and one that does not exist get the same 404",
      async show(world) {
        const [client, other] = [await world.client(), await world.client()];
        const { id } = await client.createStopped();
        assert.equal(projectOf(await client.get(`/projects/${id}`)).id, id);
        const body = (answer: { json: unknown }) => answer.json;
        const [foreign, missing] = [
          await other.get(`/projects/${id}`),
          await other.get(`/projects/${unknownId}`),
        ];
        assertRefused(foreign, 404, "not_found");
        assert.deepEqual(body(foreign), body(missing));
        assertRefused(await other.patch(id, { name: "mine" }), 404, "not_found");
        for (const path of ["logs", "metrics", "variables"])
          assertRefused(await other.get(`/projects/${id}/${path}`), 404, "not_found");
        for (const action of ["start", "stop", "restart"])
          assertRefused(await other.post(`/projects/${id}/${action}`), 404, "not_found");
        assertRefused(await other.upload(`/projects/${id}/code`, bot), 404, "not_found");
        assertRefused(
          await other.json("PUT", `/projects/${id}/variables`, { variables: {} }),
          404,
          "not_found",
        );
      },
    },
    {
      rows: ["endpoint.createProject", "upload.form"],
      title: "a create is multipart with the archive in file, and nothing else",
      async show(world) {
        const client = await world.client();
        const zip = await zipOf({ "svc.json": JSON.stringify(bot), "index.js": "" });
        assert.equal(projectOf(await client.uploadZip("/projects", zip)).status, "creating");
        const boundary = "b";
        const type = { "content-type": `multipart/form-data; boundary=${boundary}` };
        const unnamed = Buffer.concat([
          Buffer.from(
            `--b\r\nContent-Disposition: form-data; name="file"\r\nContent-Type: application/zip\r\n\r\n`,
          ),
          zip,
          Buffer.from("\r\n--b--\r\n"),
        ]);
        assert.equal(
          projectOf(await client.raw("POST", "/projects", unnamed, type)).status,
          "creating",
          "a file name is not asked for",
        );
        const other = `--b\r\nContent-Disposition: form-data; name="archive"; filename="a.zip"\r\n\r\nx\r\n--b--\r\n`;
        assertRefused(await client.raw("POST", "/projects", other, type), 400, "invalid_request");
      },
    },
    {
      rows: ["upload.config", "error.missing_config"],
      title: "the configuration is svc.json's or the form's, and start=true starts the project",
      async show(world) {
        const client = await world.client();
        const byFile = await client.createStopped({ ...bot, name: "by file" });
        assert.equal(byFile.name, "by file");
        const answer = await client.upload("/projects", null, {
          language: "node",
          command: "sim run",
          name: "by form",
          start: "true",
        });
        const byForm = projectOf(answer);
        assert.deepEqual([byForm.name, byForm.command], ["by form", "sim run"]);
        await client.when(byForm.id, "running");
        assertRefused(await client.upload("/projects", null), 422, "missing_config");
        assertRefused(await client.upload("/projects", null, { name: "x" }), 422, "missing_config");
        const both = await client.create({ ...bot, name: "file" }, { name: "form" });
        assert.equal(both.name, "form");
      },
    },
    {
      rows: ["project.entry", "project.root", "error.invalid_config"],
      title: "an entry or a served folder that is not in the .zip is invalid_config with its field",
      async show(world) {
        const client = await world.client();
        const send = async (path: string, svcJson: object) =>
          client.uploadZip(path, await zipOf({ "svc.json": JSON.stringify(svcJson), "a/bot.js": "" }));
        const entry = { language: "node", entry: "bot.js" };
        assertRefused(await send("/projects", entry), 422, "invalid_config", { field: "entry" });
        const root = { language: "static", root: "public" };
        assertRefused(await send("/projects", root), 422, "invalid_config", { field: "root" });
        const { id } = await client.createStopped(entry);
        assertRefused(await send(`/projects/${id}/code`, entry), 422, "invalid_config", { field: "entry" });
        assert.equal((await client.project(id)).entry, "bot.js");
        assert.equal(projectOf(await send("/projects", { ...entry, entry: "a/bot.js" })).entry, "a/bot.js");
      },
    },
    {
      rows: ["upload.config"],
      title:
        "a field that svc.json names no more, or as null, has its default again; one that PATCH set stays",
      async show(world) {
        const client = await world.client();
        const { id } = await client.createStopped({ ...bot, memoryMb: 300, version: "22", description: "x" });
        await client.patch(id, { memoryMb: 400 });
        assert.ok((await client.upload(`/projects/${id}/code`, { ...bot, version: null })).status < 300);
        const { memoryMb, version, description } = await client.when(id, "stopped");
        assert.deepEqual([memoryMb, version, description], [400, "24", ""]);
      },
    },
    {
      rows: ["upload.site_only", "error.invalid_config"],
      title:
        "port and subdomain are an error on a bot, from the file and from the form; so is a wrong or unknown field",
      async show(world) {
        const client = await world.client();
        const wrong: [object, string][] = [
          [{ port: 3000 }, "port"],
          [{ subdomain: "shop" }, "subdomain"],
          [{ colour: "red" }, "colour"],
          [{ memoryMb: "256" }, "memoryMb"],
          [{ memoryMb: 255 }, "memoryMb"],
          [{ root: "public" }, "root"],
        ];
        for (const [config, field] of wrong) {
          assertRefused(await client.upload("/projects", { ...bot, ...config }), 422, "invalid_config", {
            field,
          });
        }
        for (const [field, value] of [
          ["port", "3000"],
          ["subdomain", "shop"],
          ["colour", "red"],
          ["memoryMb", "much"],
        ] as const) {
          assertRefused(await client.upload("/projects", bot, { [field]: value }), 422, "invalid_config", {
            field,
          });
        }
        assert.equal(
          (await client.create({ ...bot, type: "site" }, { port: "3000", subdomain: "site-only" })).port,
          3000,
        );
      },
    },
    {
      rows: ["control.body"],
      title: "start, stop and restart need no body and no content type",
      async show(world) {
        const client = await world.client();
        const { id } = await client.createStopped();
        for (const action of ["start", "restart", "stop"]) {
          const answer = await client.post(`/projects/${id}/${action}`);
          assert.ok(answer.status === 200 || answer.status === 202, answer.text);
          projectOf(answer);
          await client.when(id, action === "stop" ? "stopped" : "running");
        }
      },
    },
    {
      rows: ["endpoint.metrics"],
      title: "metrics answer with a read key",
      async show(world) {
        const { id: accountId, client } = await world.account();
        const { id } = await client.createRunning();
        const reader = new SpecClient(client.centralUrl, await world.cluster.createKey(accountId, "read"));
        const answer = await reader.get(`/projects/${id}/metrics`);
        assert.equal(answer.status, 200, answer.text);
        assert.match(answer.headers.get("content-type") ?? "", /^application\/json\b/);
      },
    },
  ],
};
