/** `pnpm dev` brings up a network with running projects, goes on with it after a restart, and ends cleanly. */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { createClient } from "@tijolo/protocol";
import { freePort } from "../support/machine/free-port.ts";
import { until } from "../support/until.ts";

const root = join(import.meta.dirname, "../..");

test("a seeded network comes up, keeps its key and projects over a restart, and ends with 0", async (t) => {
  const directory = await mkdtemp(join(tmpdir(), "tijolo-dev-"));
  t.after(() => rm(directory, { recursive: true, force: true, maxRetries: 20 }));
  const [api, gateway] = [String(await freePort()), String(await freePort())];

  async function run(): Promise<{ key: string; ids: string[] }> {
    const network = spawn(process.execPath, ["cli/bootstrap/run.mjs", "dev"], {
      cwd: root,
      env: {
        PATH: process.env["PATH"],
        HOME: process.env["HOME"],
        TIJOLO_DATA_DIRECTORY: directory,
        TIJOLO_DEV_API_PORT: api,
        TIJOLO_DEV_GATEWAY_PORT: gateway,
      },
      stdio: ["ignore", "pipe", "inherit"],
    });
    t.after(() => network.kill("SIGKILL"));
    const ended = once(network, "close");
    let said = "";
    network.stdout.setEncoding("utf8").on("data", (text: string) => (said += text));
    const key = await until(() => /key +(svc_\S+)/.exec(said)?.[1], { timeoutMs: 120_000, everyMs: 50 });
    const client = createClient({ baseUrl: `http://127.0.0.1:${api}/api`, token: key, fetch });
    const { projects } = await client.listProjects();
    const running = projects.filter(({ status }) => status === "running").map(({ name }) => name);
    for (const name of ["discord-bot", "music-bot", "landing"]) assert.ok(running.includes(name), name);
    network.kill("SIGINT");
    assert.deepEqual(await ended, [0, null]);
    return { key, ids: projects.map(({ id }) => id).sort() };
  }

  const first = await run();
  assert.equal(first.ids.length, 5);
  assert.deepEqual(await run(), first);
});
