/**
 * Tests central and an agent as programs whose logs cannot be written, as on a full disk: they keep working.
 */

import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { freePort } from "../support/machine/free-port.ts";
import { Operator } from "../support/cluster/operator.ts";
import { until } from "../support/until.ts";

const repository = join(import.meta.dirname, "../..");
/**
 * SIGUSR2 has Node itself say something on stderr, as it does of what is deprecated; then the file `WARNED`
 * is there.
 */
const warnsOnSignal = `data:text/javascript,
  import { writeFileSync } from "node:fs";
  process.on("SIGUSR2", () => process.emitWarning("careful"));
  process.on("warning", () => setImmediate(() => writeFileSync(process.env.WARNED, "")));`;

/** The program, its stdout and stderr on a device that is always full; its settings are for `directory`. */
function startOnFullDisk(
  name: "central" | "agent",
  directory: string,
  settings: Record<string, string>,
): ChildProcess {
  const full = openSync("/dev/full", "a");
  const child = spawn(process.execPath, ["--import", warnsOnSignal, join(repository, name, "src/main.ts")], {
    env: {
      PATH: process.env["PATH"],
      WARNED: join(directory, `${name}-warned`),
      TIJOLO_DATA_DIRECTORY: join(directory, name),
      ...settings,
    },
    stdio: ["ignore", full, full],
  });
  closeSync(full);
  return child;
}

test(
  "central and an agent serve, warn and end in order while nothing of it can be written",
  { timeout: 90_000 },
  async (t) => {
    const directory = await mkdtemp(join(tmpdir(), "tijolo-unwritable-logs-"));
    const children: ChildProcess[] = [];
    t.after(async () => {
      for (const child of children) child.kill("SIGKILL");
      await rm(directory, { recursive: true, force: true });
    });
    const listen = `127.0.0.1:${await freePort()}`;
    const bootstrapFile = join(directory, "operator-token");
    const central = startOnFullDisk("central", directory, {
      TIJOLO_LISTEN: listen,
      TIJOLO_GATEWAY_LISTEN: "127.0.0.1:0",
      TIJOLO_BOOTSTRAP_FILE: bootstrapFile,
    });
    children.push(central);
    const token = await until(async () => (await readFile(bootstrapFile, "utf8")).trim());
    const operator = new Operator(`http://${listen}`, token);
    const joinTokenFile = join(directory, "join-token");
    await writeFile(joinTokenFile, await until(() => operator.createJoinToken()), { mode: 0o600 });

    const agent = startOnFullDisk("agent", directory, {
      TIJOLO_RUNTIME: "process",
      TIJOLO_CENTRAL_URL: operator.centralUrl,
      TIJOLO_JOIN_TOKEN_FILE: joinTokenFile,
    });
    children.push(agent);
    await until(async () => (await operator.hosts()).some(({ state }) => state === "connected"));

    for (const [name, child] of Object.entries({ agent, central })) {
      child.kill("SIGUSR2");
      await until(() => existsSync(join(directory, `${name}-warned`)) || child.exitCode !== null);
      assert.equal(child.exitCode, null, `${name} outlives its warning`);
      child.kill("SIGTERM");
      const [code, signal] = await once(child, "exit");
      assert.deepEqual([code, signal], [0, null]);
    }
  },
);
