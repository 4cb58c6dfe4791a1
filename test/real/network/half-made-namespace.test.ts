/**
 * The resolver's namespace has one name for good: what a killed agent left of it half made must not pass for
 * it.
 */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { exec } from "../../../agent/src/host/exec.ts";
import { deleteNamespaces, namespacePath } from "../../../agent/src/network/namespace.ts";
import { ProjectNames } from "../../../agent/src/network/project-names.ts";
import { until } from "../../support/until.ts";

const instanceName = `test-half-${process.pid}`;
const namespace = { interface: `th${process.pid}`, name: instanceName, address: "10.231.30.1" };
const attempts = 8;

const insideAddress = async () =>
  (await exec(["ip", "-netns", namespace.name, "-brief", "address", "show", "eth0"])).stdout.trim();
const isHostSideMade = async () =>
  (await exec(["ip", "route", "show", `${namespace.address}/32`], { okCodes: [0, 1, 2] })).stdout.includes(
    namespace.interface,
  );

test("a resolver's namespace that was half made when the agent was killed is made anew", async (t) => {
  const directory = await mkdtemp(join(tmpdir(), "tijolo-half-"));
  await chmod(directory, 0o755);
  const open = () =>
    new ProjectNames({
      directory,
      instanceName,
      namespace,
      claims: () => [],
      distant: () => [],
      upstreams: () => ["9.9.9.9"],
      logger: { info() {}, warn() {} },
    });
  t.after(async () => {
    await open().stop();
    await rm(directory, { recursive: true, force: true });
  });
  await leaveRecordOfEarlierBoot(open());
  await leaveHalfMade(directory);
  const names = open();
  await names.prepare([]);
  assert.match(await insideAddress(), /UP\s+10\.231\.30\.1\/32/);
  await names.keep();
  const { pid } = names;
  assert.ok(pid !== undefined, "it serves");
  await names.mend();
  await names.keep();
  assert.equal(names.pid, pid, "a whole one stays");
  await names.close();
});

/** The files stay over a reboot of the host; process and namespace do not. */
async function leaveRecordOfEarlierBoot(names: ProjectNames): Promise<void> {
  await names.prepare([]);
  await names.keep();
  const { pid } = names;
  assert.ok(pid !== undefined);
  await names.close();
  process.kill(pid, "SIGKILL");
  await deleteNamespaces([namespace]);
}

/** An agent is killed while it makes the namespace, between the host's side and the inside. */
async function leaveHalfMade(directory: string): Promise<void> {
  const program = `const { ProjectNames } = await import(${JSON.stringify(join(import.meta.dirname, "../../../agent/src/network/project-names.ts"))});
    const options = ${JSON.stringify({ directory, instanceName, namespace })};
    await new ProjectNames({ ...options, claims: () => [], distant: () => [], upstreams: () => [], logger: { info() {}, warn() {} } }).prepare([]);`;
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const agent = spawn(
      process.execPath,
      ["--disable-warning=ExperimentalWarning", "--input-type=module", "-e", program],
      {
        stdio: ["ignore", "ignore", "inherit"],
      },
    );
    const ended = once(agent, "exit");
    while (!existsSync(namespacePath(namespace.name)) && agent.exitCode === null)
      await new Promise(setImmediate);
    agent.kill("SIGKILL");
    await ended;
    await until(isHostSideMade);
    if (!/10\.231\.30\.1/.test(await insideAddress())) return;
    await deleteNamespaces([namespace]);
  }
  assert.fail("the agent was never killed between the two halves");
}
