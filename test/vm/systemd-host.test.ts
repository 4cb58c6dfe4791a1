/**
 * Tests what the agent relies on where systemd is PID 1 and cgroup v2 is the only hierarchy; runs inside the
 * virtual machine of `pnpm test:vm`.
 */

import assert from "node:assert/strict";
import { access, readFile } from "node:fs/promises";
import { describe, test } from "node:test";
import { exec } from "../../agent/src/host/exec.ts";

const rootfs = process.env.TIJOLO_TEST_ROOTFS ?? "";
const timeoutMs = 120_000;

describe(
  "a systemd host with cgroup v2",
  { skip: process.env.TIJOLO_VM === undefined ? "runs in the virtual machine of `pnpm test:vm`" : false },
  () => {
    test("systemd is PID 1", async () => {
      assert.equal(await readFile("/proc/1/comm", "utf8"), "systemd\n");
    });

    test("the only cgroup hierarchy is version 2, with the controllers that limits need", async () => {
      const { stdout } = await exec(["stat", "--file-system", "--format=%T", "/sys/fs/cgroup"]);
      assert.equal(stdout, "cgroup2fs\n");
      const controllers = (await readFile("/sys/fs/cgroup/cgroup.controllers", "utf8")).trim().split(" ");
      for (const controller of ["memory", "cpu", "pids", "io"])
        assert.ok(controllers.includes(controller), `${controller} is in ${controllers.join(" ")}`);
      assert.doesNotMatch(await readFile("/proc/mounts", "utf8"), / cgroup /);
    });

    test("a transient unit gets its limits, and a delegated cgroup in which it can make its own", async () => {
      const script =
        'own=/sys/fs/cgroup$(cut -d: -f3 /proc/self/cgroup); cat "$own/memory.max" "$own/pids.max"; mkdir "$own/inner" && cat "$own/inner/cgroup.type"';
      const argv = ["systemd-run", "--quiet", "--wait", "--pipe", "--slice=tijolo.slice"];
      const properties = ["--property=Delegate=yes", "--property=MemoryMax=64M", "--property=TasksMax=50"];
      const { stdout } = await exec([...argv, ...properties, "/bin/sh", "-c", script], { timeoutMs });
      assert.deepEqual(stdout.trim().split("\n"), ["67108864", "50", "domain"]);
    });

    test("a transient unit passes on the exit code of its process", async () => {
      const { code } = await exec(["systemd-run", "--quiet", "--wait", "--pipe", "/bin/sh", "-c", "exit 7"], {
        timeoutMs,
        okCodes: [7],
      });
      assert.equal(code, 7);
    });

    test("nspawn runs a program in the prebuilt container root", async () => {
      await access(`${rootfs}/bin/true`);
      const argv = [
        "systemd-nspawn",
        "--quiet",
        "--register=no",
        "--keep-unit",
        "--settings=no",
        "--read-only",
        `--directory=${rootfs}`,
      ];
      await exec([...argv, "/bin/true"], { timeoutMs });
      const { code } = await exec([...argv, "/bin/sh", "-c", "exit 3"], { timeoutMs, okCodes: [3] });
      assert.equal(code, 3);
    });
  },
);
