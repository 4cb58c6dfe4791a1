/** On a host run by systemd the projects live in the delegated cgroup of a unit that outlives the agent. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { after, before, describe, test } from "node:test";
import { ContainerHost, isSystemd, unitName, until } from "../support/host/container-host.ts";

const systemctl = (...args: string[]) => execFileSync("systemctl", args, { encoding: "utf8" }).trim();

describe("projects on a host run by systemd", { skip: isSystemd() ? false : "PID 1 is not systemd" }, () => {
  let host: ContainerHost;
  before(async () => {
    host = await ContainerHost.create();
  });
  after(() => host[Symbol.asyncDispose]());

  test("the unit is active and every process of a project is in its cgroup", async () => {
    const instance = await host.start("exec sleep 60");
    const unit = unitName(host.instanceName);
    assert.equal(systemctl("is-active", unit), "active");
    const group = systemctl("show", "--property=ControlGroup", "--value", unit);
    const pids = await host.pids();
    assert.ok(pids.length >= 4);
    for (const pid of pids)
      assert.ok((await readFile(`/proc/${pid}/cgroup`, "utf8")).includes(`0::${group}/prj_test/`));
    await host.runtime.stop("prj_test", { graceMs: 1_000 });
    await host.runtime.forget(instance);
  });

  test("an agent that starts again uses the same unit and finds its projects", async () => {
    const unit = unitName(host.instanceName);
    const invocation = systemctl("show", "--property=InvocationID", "--value", unit);
    const instance = await host.start("exec sleep 60");
    const next = await host.reopen();
    assert.equal(systemctl("show", "--property=InvocationID", "--value", unit), invocation);
    assert.equal((await next.instances())[0]?.exit, null);
    await next.close();
    await host.runtime.stop("prj_test", { graceMs: 1_000 });
    await host.runtime.forget(instance);
  });

  test("a program sees its memory limit and cannot raise it", async () => {
    const exit = await host.run(
      "cat /sys/fs/cgroup/memory.max; echo max > /sys/fs/cgroup/memory.max || echo denied",
    );
    assert.deepEqual(exit.stdout, [String(128 << 20), "denied"]);
  });

  test("stopping the unit, as a shutdown of the machine does, lets programs end by themselves", async () => {
    await host.writeCode(
      "graceful.pl",
      `$SIG{TERM} = sub { print "goodbye\\n"; exit 9 }; $| = 1; print "up\\n"; sleep 60`,
    );
    const instance = await host.start("exec perl graceful.pl");
    await until(async () => (await host.log()).stdout.includes("up"));
    systemctl("stop", unitName(host.instanceName));
    await host.exitOf(instance);
    assert.ok((await host.log()).stdout.includes("goodbye"));
    await host.runtime.forget(instance);
  });
});
