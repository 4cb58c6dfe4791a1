/**
 * The agent's cgroups on a host run by systemd: below a delegated unit, with limits that hold; runs inside
 * the virtual machine of `pnpm test:vm`.
 */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, describe, test } from "node:test";
import { openCgroups } from "../../agent/src/host/cgroups/cgroup-detect.ts";
import { projectsWeight, weightBesideServices } from "../../agent/src/host/cgroups/projects-weight.ts";
import { exec, execDetached } from "../../agent/src/host/exec.ts";

const name = "tijolo-vm-test";
const limits = { memoryBytes: 64 << 20, cpuPercent: 50, cpuWeight: 50, pids: 20, io: null };
const joinAndRun = 'for file; do echo 0 > "$file"; done; exec sleep 1000';
const joinAndFill = 'for file; do echo 0 > "$file"; done; exec tail /dev/zero';

describe(
  "the agent's cgroups under systemd",
  { skip: process.env.TIJOLO_VM === undefined ? "runs in the virtual machine of `pnpm test:vm`" : false },
  () => {
    after(() => exec(["systemctl", "stop", `${name}-projects.service`], { timeoutMs: 60_000 }));

    test("they are opened at the first attempt, ten times over", async () => {
      for (let attempt = 1; attempt <= 10; attempt++) {
        const cgroups = await openCgroups(name);
        assert.equal(cgroups.version, "v2");
        if (attempt < 10)
          await exec(["systemctl", "stop", `${name}-projects.service`], { timeoutMs: 60_000 });
      }
    });

    test("a group has its limits, holds its process, and is killed and removed whole", async () => {
      const cgroups = await openCgroups(name);
      await cgroups.create("p1/run-1", limits);
      const joinFile = cgroups.joinFiles("p1/run-1")[0] ?? "";
      assert.match(joinFile, /^\/sys\/fs\/cgroup\/tijolo\.slice\/tijolo-vm-test-projects\.service\//);
      const directory = joinFile.slice(0, joinFile.lastIndexOf("/"));
      assert.equal(await readFile(`${directory}/memory.max`, "utf8"), "67108864\n");
      assert.equal(await readFile(`${directory}/cpu.max`, "utf8"), "50000 100000\n");
      assert.equal(await readFile(`${directory}/pids.max`, "utf8"), "20\n");

      const pid = await execDetached(["/bin/sh", "-c", joinAndRun, "sh", joinFile]);
      await until(() => cgroups.isPopulated("p1/run-1"));
      assert.deepEqual(await cgroups.pids("p1/run-1"), [pid]);
      assert.deepEqual(await (await openCgroups(name)).pids("p1/run-1"), [pid]);

      await cgroups.kill("p1/run-1");
      assert.equal(await cgroups.isPopulated("p1/run-1"), false);
      await cgroups.remove("p1/run-1");
      assert.deepEqual(await cgroups.children("p1"), []);
    });

    test("the projects are weighed against the services, and all of Tijolo against the rest, unless an operator did", async () => {
      const [slice, unit] = ["tijolo.slice", `${name}-projects.service`];
      const cgroups = await openCgroups(name);
      assert.equal(await weightOf(slice), String(projectsWeight()));
      assert.equal(await weightOf(unit), String(weightBesideServices()));
      const directory = cgroups.killFile("").replace(/cgroup\.kill$/, "");
      assert.equal(await readFile(`${directory}cpu.weight`, "utf8"), `${weightBesideServices()}\n`);
      assert.equal(await readFile(`${directory}../cpu.weight`, "utf8"), `${projectsWeight()}\n`);

      await exec(["systemctl", "set-property", slice, "CPUWeight=70"]);
      await openCgroups(name);
      assert.equal(await weightOf(slice), "70");
      await exec(["systemctl", "revert", slice]);
    });

    test("a process beyond the memory limit is killed and counted", async () => {
      const cgroups = await openCgroups(name);
      await cgroups.create("p1/run-2", limits);
      const files = cgroups.joinFiles("p1/run-2");
      await assert.rejects(
        exec(["/bin/sh", "-c", joinAndFill, "sh", ...files], { timeoutMs: 120_000 }),
        /SIGKILL/,
      );
      assert.equal((await cgroups.usage("p1/run-2")).oomKills, 1);
      await cgroups.remove("p1/run-2");
    });
  },
);

async function weightOf(unit: string): Promise<string> {
  const { stdout } = await exec(["systemctl", "show", "--property=CPUWeight", "--value", unit]);
  return stdout.trim();
}

async function until(condition: () => Promise<boolean>, deadlineMs = 20_000): Promise<void> {
  const endAt = performance.now() + deadlineMs;
  while (!(await condition())) {
    if (performance.now() > endAt) throw new Error(`not so within ${deadlineMs} ms: ${condition.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
