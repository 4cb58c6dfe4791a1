/**
 * Tests that what is done for a project outside of its container, by its supervisor and log writer, counts to
 * the project and is held to its limits.
 */

import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { openCgroups } from "../../../agent/src/host/cgroups/cgroup-detect.ts";
import type { Cgroups } from "../../../agent/src/host/cgroups/cgroup.ts";
import { readBootId } from "../../../agent/src/host/boot-id.ts";
import { execDetached } from "../../../agent/src/host/exec.ts";
import { readGroupLimits } from "../../../agent/src/host/cgroups/group-limits.ts";
import { writeRunRecord } from "../../../agent/src/runtime/run-record.ts";
import { ContainerHost, until } from "../support/host/container-host.ts";

const limits = { memoryMb: 128, cpuPercent: 50, cpuWeight: 100, pids: 64 };
/** Four writers, as fast as their lines are taken. */
const flood = "for i in 1 2 3 4; do yes a > /run/tijolo/run/stdout & done; wait";

let host: ContainerHost;
let cgroups: Cgroups;
before(async () => {
  host = await ContainerHost.create();
  cgroups = await openCgroups(`tijolo-${host.instanceName}`);
});
after(() => host[Symbol.asyncDispose]());

test("a project that floods its log takes no more of the processor than its limit, log writer included", async (t) => {
  const instance = await host.start(flood, { limits });
  await until(async () => (await host.log()).stdout.length > 1_000);
  const from = { atMs: performance.now(), cpuUsec: await cpuOfAll() };
  await until(async () => (await cpuOfAll()) - from.cpuUsec > 3_000_000);
  const took = {
    seconds: (performance.now() - from.atMs) / 1000,
    cpuSeconds: ((await cpuOfAll()) - from.cpuUsec) / 1e6,
  };
  const told = ((await host.runtime.usage()).get("prj_test")?.cpuUsec ?? 0) / 1e6;
  const share = took.cpuSeconds / took.seconds;
  t.diagnostic(
    `${took.cpuSeconds.toFixed(2)} s of processor in ${took.seconds.toFixed(2)} s; ${told.toFixed(2)} s are told as usage`,
  );
  await host.runtime.stop("prj_test", { graceMs: 0 });
  await host.runtime.forget(instance);
  assert.ok(share < 0.6, `${(share * 100).toFixed(0)} % of a core at a limit of ${limits.cpuPercent} %`);
  assert.ok(told > took.cpuSeconds * 0.9, `${told} s are told of ${took.cpuSeconds} s`);
});

test("every process that there is for a run or an install is below a limit of processor and of memory", async () => {
  const installing = host.runtime.install(
    await host.installRequest("sleep 600", { limits }),
    AbortSignal.timeout(600_000),
  );
  const aborted = assert.rejects(installing);
  await host.start("sleep 600", { limits });
  // Of each the supervisor, nspawn, the container's first process and the command. One that has ended before
  // its groups were read was on its way to one of these: all are looked at again.
  const found = await until(async () => {
    const groups = await Promise.all((await host.pids()).map(groupsAround)).catch(unlessEnded);
    return groups.length >= 8 && groups;
  });
  for (const groups of found) {
    const held = groups.map((group) => readGroupLimits(cgroups, group));
    assert.ok(groups.length >= 2, groups.join());
    assert.ok(
      held.some(({ cpuPercent }) => cpuPercent === limits.cpuPercent),
      `no limit of processor around ${groups[0]}`,
    );
    assert.ok(
      held.some(({ memoryMb }) => memoryMb !== null && memoryMb <= limits.memoryMb),
      `no limit of memory around ${groups[0]}`,
    );
  }
  await host.runtime.stop("prj_test", { graceMs: 0 });
  await cgroups.kill("prj_test");
  await aborted;
  await host.endAll();
});

// `oom_score_adj` as low as the kernel lets it: many small processes, none larger than a supervisor.
test("a project that uses up its memory in many small processes takes neither its supervisor nor its last line along", async () => {
  const hog = `$| = 1; print "last words\\n"; for (1 .. 60) { defined(fork) or last } my @kept; push @kept, "y" x (1 << 18) while 1`;
  for (let round = 1; round <= 3; round++) {
    const exit = await host.run(
      `for low in 500 0; do echo $low > /proc/self/oom_score_adj; done; exec perl -e '${hog}'`,
      {
        limits: { ...limits, memoryMb: 32, cpuPercent: null },
      },
    );
    assert.deepEqual([exit.cause, exit.isOutOfMemory, exit.stdout], ["exited", true, ["last words"]]);
  }
});

test("a project that fills its memory with files, and keeps them, has its exit recorded all the same", async () => {
  const exit = await host.run(`echo last words; dd if=/dev/zero of=/dev/shm/kept bs=1M count=200; exit 3`, {
    limits,
  });
  assert.deepEqual([exit.cause, exit.stdout], ["exited", ["last words"]]);
  assert.ok(exit.isOutOfMemory);
});

test("the log writer's memory is bounded, and no flood makes it need more", async () => {
  for (const line of ["''", "$(printf %01000d 1)"]) {
    const instance = await host.start(`for i in 1 2; do yes ${line} > /run/tijolo/run/stdout & done; wait`, {
      limits,
    });
    const group = `prj_test/run-${instance.runNumber}`;
    await until(async () => (await cgroups.usage(`${group}/shim`)).cpuUsec > 1_000_000);
    const { memoryMb } = readGroupLimits(cgroups, `${group}/shim`);
    assert.ok(memoryMb !== null && memoryMb <= 64);
    assert.equal((await cgroups.usage(`${group}/shim`)).oomKills, 0);
    assert.ok(await cgroups.isPopulated(`${group}/shim`));
    await host.endAll();
  }
});

/** Uses the groups as agents had them before a run had a group for all that is done for it. */
test("a run in the groups of an earlier agent is taken over, counted, and ends with all that is in them", async () => {
  const run = join(host.dataDirectory, "runs", "prj_earlier", "run-7");
  await mkdir(run, { recursive: true });
  const record = {
    projectId: "prj_earlier",
    runNumber: 7,
    versionNumber: 1,
    name: "run-7",
    bootId: await readBootId(),
  };
  await writeRunRecord(run, { ...record, startedAt: new Date().toISOString() });
  await writeFile(join(run, "started"), "");
  const [container, shim] = ["prj_earlier/run-7", "prj_earlier/run-7-shim"];
  for (const group of [container, shim]) {
    await cgroups.create(group, null);
    const pid = await execDetached([
      "sh",
      "-c",
      `for file; do echo 0 > "$file"; done; exec sleep 600`,
      "sh",
      ...cgroups.joinFiles(group),
    ]);
    // It joins one hierarchy after the other, and is in all of them once it is `sleep`.
    await until(async () => (await readFile(`/proc/${pid}/comm`, "utf8")) === "sleep\n");
  }
  const isRunning = async () =>
    (await host.runtime.instances()).some(
      ({ projectId, exit }) => projectId === "prj_earlier" && exit === null,
    );
  assert.ok(await isRunning());
  assert.ok((await host.runtime.usage()).has("prj_earlier"));
  assert.equal((await host.runtime.limits()).get("prj_earlier")?.pids, 1);
  await cgroups.kill(shim);
  assert.ok(await isRunning(), "its container is what counts");
  await host.runtime.stop("prj_earlier", { graceMs: 0 });
  assert.ok(!(await isRunning()) && !(await cgroups.isPopulated("prj_earlier")));
  await host.runtime.remove("prj_earlier");
  assert.ok(!(await cgroups.children("")).includes("prj_earlier"));
});

function unlessEnded(error: NodeJS.ErrnoException): [] {
  if (error.code === "ENOENT" || error.code === "ESRCH") return [];
  throw error;
}

/** Groups of the project that the process is in, its own first. */
async function groupsAround(pid: number): Promise<string[]> {
  const path = /^0::(.*)$/m.exec(await readFile(`/proc/${pid}/cgroup`, "utf8"))?.[1] ?? "";
  const names = path.slice(path.indexOf("/prj_test/") + 1).split("/");
  return names.map((_, index) => names.slice(0, names.length - index).join("/"));
}

/** Returns the microseconds of all processes of the project. */
async function cpuOfAll(): Promise<number> {
  return (await cgroups.usage("prj_test")).cpuUsec;
}
