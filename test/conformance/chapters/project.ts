/** Defines the cases of "Resources and their fields". */

import assert from "node:assert/strict";
import { zipOf } from "../../support/archives/zip-of.ts";
import type { Chapter } from "../conformance-case.ts";
import { assertRefused, bot, page, projectOf } from "../spec-client.ts";
import {
  projectErrorCodes,
  projectFields,
  systemPackages,
  wrongFields,
  type SpecProject,
} from "../spec-project.ts";

export const project: Chapter = {
  title: "Resources and their fields",
  cases: [
    {
      rows: ["project.fields_present"],
      title: "every field is there and of its type, whatever the kind and status",
      async show(world) {
        const client = await world.client({ plan: "Empresas" });
        const ids = [
          (await client.createRunning()).id,
          (await client.createStopped()).id,
          (await client.createRunning(page)).id,
          (await client.create({ ...bot, installCommand: "sim exit 1" })).id,
          (await client.createRunning({ ...bot, type: "site", port: 3000 })).id,
        ];
        await client.when(ids[3] ?? "", "error");
        const creating = await client.create({ ...bot, installCommand: "sim run" });
        await client.when(creating.id, "installing");
        const { projects } = (await client.get("/projects")).json as { projects: SpecProject[] };
        assert.equal(projects.length, 6);
        for (const each of [creating, ...projects])
          assert.deepEqual(wrongFields(each), [], JSON.stringify(each));
        assert.deepEqual([...new Set(projects.map(({ status }) => status))].sort(), [
          "error",
          "installing",
          "running",
          "stopped",
        ]);
        assert.deepEqual(Object.keys(creating).sort(), Object.keys(projectFields).sort());
      },
    },
    {
      rows: ["project.name", "project.description", "limit.name", "limit.description"],
      title:
        "name is at most 40 characters and description 200, by upload and by PATCH; description is empty when there is none",
      async show(world) {
        const client = await world.client();
        const [name, description] = ["é".repeat(40), "d".repeat(200)];
        const full = await client.createStopped({ ...bot, name, description });
        assert.deepEqual([full.name, full.description], [name, description]);
        const bare = await client.createStopped({ ...bot, name: "bare" });
        assert.equal(bare.description, "");
        const long = { name: "🧱".repeat(40), description: "linha 1\nlinha 2\r\n\t🧱" };
        for (const project of [
          await client.createStopped({ ...bot, ...long }),
          projectOf(await client.patch(bare.id, long)),
        ]) {
          const { name, description } = await client.project(project.id);
          assert.deepEqual({ name, description }, long);
        }
        const unnamed = await zipOf({ "svc.json": JSON.stringify(bot) });
        const fromFile = projectOf(
          await client.uploadZip("/projects", unnamed, {}, `a${"🧱".repeat(60)}.zip`),
        );
        assert.equal(fromFile.name, `a${"🧱".repeat(39)}`);
        const half = "\ud83e";
        for (const wrong of [
          { name: "🧱".repeat(41) },
          { description: "🧱".repeat(201) },
          { name: half },
          { description: half },
        ]) {
          const [field] = Object.keys(wrong);
          assertRefused(await client.upload("/projects", { ...bot, ...wrong }), 422, "invalid_config", {
            field,
          });
          assertRefused(await client.patch(bare.id, wrong), 400, "invalid_request");
        }
      },
    },
    {
      rows: ["project.type", "project.port", "project.subdomain"],
      title: "a site has port and subdomain, a bot has null for both",
      async show(world) {
        const client = await world.client();
        const site = await client.create({ ...bot, type: "site", port: 3000, subdomain: "fields-of-a-site" });
        assert.deepEqual([site.type, site.port, site.subdomain], ["site", 3000, "fields-of-a-site"]);
        const background = await client.create({ ...bot, type: "bot" });
        assert.deepEqual(
          [background.type, background.port, background.subdomain, background.url],
          ["bot", null, null, null],
        );
        assertRefused(await client.upload("/projects", { ...bot, type: "worker" }), 422, "invalid_config", {
          field: "type",
        });
      },
    },
    {
      rows: ["project.language", "project.version", "project.entry", "project.command"],
      title: "language, version, entry and command are those of the configuration",
      async show(world) {
        const client = await world.client();
        const node = await client.create({ language: "node", version: "22", command: "node src/bot.js" });
        assert.deepEqual(
          [node.language, node.version, node.entry, node.command],
          ["node", "22", "src/bot.js", "node src/bot.js"],
        );
        const custom = await client.create({ language: "python", command: "python -m bot" });
        assert.deepEqual([custom.language, custom.entry, custom.command], ["python", null, "python -m bot"]);
      },
    },
    {
      rows: ["project.installCommand"],
      title: "installCommand keeps null, empty and text apart",
      async show(world) {
        const client = await world.client();
        for (const installCommand of [null, "", "sim exit 0"]) {
          assert.equal(
            (await client.createStopped({ ...bot, installCommand })).installCommand,
            installCommand,
          );
        }
        assert.equal((await client.create(bot)).installCommand, null);
        const { id } = await client.createStopped({ ...bot, installCommand: "sim print mine" });
        const { text } = await client.get(`/projects/${id}/logs?follow=false&section=install`);
        assert.match(text, /mine/, "the text is what runs");
      },
    },
    {
      rows: ["project.root", "project.systemPackages"],
      title: "root is of static projects; systemPackages come in list order, and never for static",
      async show(world) {
        const client = await world.client();
        const wholeFolder = await client.create(page);
        assert.deepEqual(
          [wholeFolder.root, wholeFolder.systemPackages, wholeFolder.installCommand],
          ["", [], null],
        );
        assert.equal((await client.create({ ...page, root: "public" })).root, "public");
        const node = await client.create({ ...bot, systemPackages: ["zip", "curl", "git"] });
        assert.deepEqual([node.root, node.systemPackages], [null, ["curl", "git", "zip"]]);
        assert.deepEqual((await client.create(bot)).systemPackages, []);
        const answer = await client.upload("/projects", { ...page, systemPackages: ["git"] });
        assertRefused(answer, 422, "invalid_config", { field: "systemPackages" });
      },
    },
    {
      rows: ["project.memoryMb"],
      title: "memoryMb is what is reserved: the next project has what is left",
      async show(world) {
        const client = await world.client({ plan: "Block" });
        assert.equal((await client.create({ ...bot, memoryMb: 1500 })).memoryMb, 1500);
        const answer = await client.upload("/projects", { ...bot, memoryMb: 600 });
        assertRefused(answer, 422, "insufficient_memory", { freeMemoryMb: 548, requestedMemoryMb: 600 });
      },
    },
    {
      rows: ["project.status", "project.error", "project_error.code", "project_error.message"],
      title:
        "error is there only with status error or crash_loop, with one of the codes and a Portuguese explanation",
      async show(world) {
        const client = await world.client({ plan: "Free" });
        const { id } = await client.create({ ...bot, command: "sim gate; exit 3" }, { start: "true" });
        assert.equal((await client.when(id, "running")).error, null);
        world.cluster.host.machine.openGate(id);
        const { error } = await client.when(id, "error");
        assert.ok(projectErrorCodes.includes(error?.code ?? ""));
        assert.match(error?.message ?? "", /processo/);
        assert.equal((await client.act(id, "start")).error, null);
      },
    },
    {
      rows: ["project.consecutiveCrashes", "project.lastExit", "last_exit.code", "last_exit.isOutOfMemory"],
      title: "an exit leaves its code and whether memory was the reason, and a crash is counted",
      async show(world) {
        const client = await world.client({ plan: "Free" });
        const fresh = await client.createStopped({ ...bot, command: "sim exit 42 after 20" });
        assert.deepEqual([fresh.lastExit, fresh.consecutiveCrashes], [null, 0]);
        await client.act(fresh.id, "start");
        const crashed = await client.when(fresh.id, "error");
        assert.deepEqual(
          [crashed.lastExit?.code, crashed.lastExit?.isOutOfMemory, crashed.consecutiveCrashes],
          [42, false, 1],
        );
        const { id } = await client.create({ ...bot, command: "sim oom after 20" }, { start: "true" });
        const { lastExit } = await client.when(id, "error");
        assert.deepEqual([lastExit?.code, lastExit?.isOutOfMemory], [137, true]);
      },
    },
    {
      rows: [
        "project.usage",
        "usage.memoryMb",
        "usage.cpuPercent",
        "usage.networkInBps",
        "usage.networkOutBps",
      ],
      title: "usage is there only while running, with what the project takes",
      async show(world) {
        const client = await world.client();
        const { id } = await client.createRunning();
        const { usage } = await client.when(id, ({ usage: now }) => now !== null && now.memoryMb > 0);
        assert.deepEqual(Object.keys(usage ?? {}).sort(), [
          "cpuPercent",
          "memoryMb",
          "networkInBps",
          "networkOutBps",
        ]);
        assert.ok((usage?.cpuPercent ?? 0) >= 0 && (usage?.cpuPercent ?? 0) < 100 * 128);
        await client.act(id, "stop");
        const stopped = await client.when(id, "stopped");
        assert.deepEqual([stopped.usage, stopped.startedAt], [null, null]);
      },
    },
    {
      rows: ["project.templateId", "project.restoredFromBackupId"],
      title: "a project from a .zip has no template and no backup",
      async show(world) {
        const client = await world.client();
        const { id, templateId, restoredFromBackupId } = await client.createStopped();
        assert.deepEqual([templateId, restoredFromBackupId], [null, null]);
        assert.equal(projectOf(await client.upload(`/projects/${id}/code`, bot)).templateId, null);
      },
    },
    {
      rows: ["system_packages.allowed"],
      title: "each of the eighteen system packages is taken, and no other",
      async show(world) {
        const client = await world.client();
        assert.equal(systemPackages.length, 18);
        assert.deepEqual((await client.create({ ...bot, systemPackages })).systemPackages, systemPackages);
        for (const name of ["bash", "Git", "", "git;id"]) {
          const answer = await client.upload("/projects", { ...bot, systemPackages: [name] });
          assertRefused(answer, 422, "invalid_config", { field: "systemPackages" });
        }
      },
    },
  ],
};
