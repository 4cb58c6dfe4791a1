/** Defines the cases of the logs endpoint. */

import assert from "node:assert/strict";
import { until } from "../../support/until.ts";
import type { Chapter } from "../conformance-case.ts";
import { OpenLog } from "../open-log.ts";
import { assertRefused, bot, SpecClient } from "../spec-client.ts";
import { accountOn, makeKey } from "../spec-world.ts";

export const logs: Chapter = {
  title: "Logs",
  cases: [
    {
      rows: ["endpoint.logs", "logs.stream"],
      title: "the log is a text/event-stream that goes on while the project writes, also for a read key",
      async show(world) {
        const { id: accountId, client } = await world.account();
        const reader = new SpecClient(client.centralUrl, await world.cluster.createKey(accountId, "read"));
        const { id } = await client.createRunning({
          ...bot,
          command: "sim print one; wait 600; print two; run",
        });
        using log = await OpenLog.open(reader, id);
        assert.match(log.response.headers.get("content-type") ?? "", /^text\/event-stream\b/);
        await until(() => log.text.includes("two"));
        assert.ok(log.text.includes("one") && !log.hasEnded);
      },
    },
    {
      rows: ["logs.stream"],
      title: "it is a stream also for a client that names JSON beside it, as many do with every request",
      async show(world) {
        const client = await world.client();
        const { id } = await client.createStopped();
        for (const accept of [
          "application/json, text/plain, */*",
          "application/json, text/event-stream",
          "text/html",
        ]) {
          using log = await OpenLog.open(client, id, "", { accept });
          assert.match(log.response.headers.get("content-type") ?? "", /^text\/event-stream\b/, accept);
        }
        const page = await client.get(`/projects/${id}/logs`, { accept: "application/json" });
        assert.match(page.headers.get("content-type") ?? "", /^application\/json\b/);
      },
    },
    {
      rows: ["logs.lines", "limit.lines", "error.invalid_request"],
      title: "lines is at most 1000 and an integer",
      async show(world) {
        const client = await world.client();
        const { id } = await client.createStopped();
        for (const lines of ["1001", "100000", "-1", "1.5", "ten", ""]) {
          assertRefused(await client.get(`/projects/${id}/logs?lines=${lines}`), 400, "invalid_request");
        }
        for (const lines of ["1000", "1"])
          (await OpenLog.open(client, id, `?lines=${lines}`))[Symbol.dispose]();
      },
    },
    {
      rows: ["logs.sections"],
      title: "what the install writes is in one section, what the project writes in the other",
      async show(world) {
        const client = await world.client();
        const { id } = await client.createRunning({
          ...bot,
          installCommand: "sim print installing-it",
          command: "sim print running-it; run",
        });
        const section = async (name: string) =>
          (await client.get(`/projects/${id}/logs?follow=false&section=${name}`)).text;
        await until(async () => (await section("app")).includes("running-it"));
        assert.ok(!(await section("app")).includes("installing-it"));
        const install = await section("install");
        assert.ok(install.includes("installing-it") && !install.includes("running-it"));
      },
    },
    {
      rows: ["logs.openings", "limit.log_opening", "error.too_many_requests"],
      title: "a project's log is opened once per 5 seconds, and an account has 5 open at once",
      async show(world) {
        await using cluster = await world.limited();
        const { client } = await accountOn(cluster, { plan: "Empresas" });
        const ids: string[] = [];
        for (let index = 0; index < 6; index++) {
          ids.push((await client.create(bot)).id);
          cluster.clock.advance(3_000);
        }
        const [first = "", ...others] = ids;
        using held = new DisposableStack();
        held.use(await OpenLog.open(client, first));
        const again = await client.get(`/projects/${first}/logs`);
        assertRefused(again, 429, "too_many_requests");
        assert.ok(Number(again.headers.get("retry-after")) <= 5);
        for (const id of others.slice(0, 4)) held.use(await OpenLog.open(client, id));
        const sixth = others[4] ?? "";
        assertRefused(await client.get(`/projects/${sixth}/logs`), 429, "too_many_requests");
        held.dispose();
        cluster.clock.advance(5_000);
        const reopened = await until(async () => OpenLog.open(client, first));
        reopened[Symbol.dispose]();
      },
    },
    {
      rows: ["logs.revoked", "limit.revoked_log", "auth.6"],
      title: "a revoked key is refused at the next request, and its open log streams close within 20 seconds",
      async show(world) {
        const { client, key, panel } = await world.person();
        const { id } = await client.createRunning();
        using log = await OpenLog.open(client, id);
        using other = await OpenLog.open((await makeKey(panel, { level: "read" })).client, id);
        assert.equal((await panel.call("DELETE", `/account/keys/${key.id}`)).status, 204);
        assertRefused(await client.get("/projects"), 401, "invalid_api_key");
        await until(() => log.hasEnded);
        assert.equal(other.hasEnded, false, "the streams of other keys go on");
      },
    },
  ],
};
