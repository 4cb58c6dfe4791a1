/**
 * Disks outlive the agent, come back after a restart of the host, change their size, and are free once
 * removed, whatever else runs.
 */

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdir, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import { diskFaultOf } from "../../../agent/src/disk/disk-full.ts";
import { makeImage } from "../../../agent/src/disk/disk-image.ts";
import { DiskFullError } from "../../../agent/src/disk/project-disks.ts";
import { endWithAgent } from "../../../agent/src/host/checks/build-namespaces.ts";
import { makeOpenDirectory, writeOpenFile } from "../../../agent/src/host/files/open-files.ts";
import { confined } from "../../../agent/src/images/oci/unpack-layer.ts";
import { until } from "../support/host/container-host.ts";
import { DiskHost } from "../support/disks/disk-host.ts";
import { heldFilesBelow, loopFilesBelow, mountsBelow } from "../support/disks/project-disk.ts";
import { ownerText } from "../../support/projects/owner-text.ts";

let host: DiskHost;
before(async () => {
  host = await DiskHost.create();
});
afterEach(() => host.containers.endAll());
after(() => host[Symbol.asyncDispose]());

const data = () => host.containers.dataDirectory;
const projectDirectory = (id: string) => join(data(), "projects", id);
const imageOf = (id: string) => join(data(), "disks", `${id}.img`);
const write = (projectId: string, megabytes: number) =>
  host.containers.run(`head -c ${megabytes}000000 /dev/urandom > /app/filler && sync -f /app`, { projectId });

test("a removed project's mount, loop device and room are free while another one, started beside it, runs on", async () => {
  await host.disks.open("prj_gone", { limitMb: 256, isUp: false });
  await host.disks.open("prj_stays", { limitMb: 64, isUp: false });
  assert.equal((await write("prj_gone", 200)).code, 0);
  const neighbour = await host.containers.start("echo up; read x < /run/none; sleep 1000", {
    projectId: "prj_stays",
  });
  await until(async () => (await host.containers.log("prj_stays")).stdout.includes("up"));
  const pids = await host.containers.pids();
  assert.ok(
    pids.some((pid) =>
      readFileSync(`/proc/${pid}/mountinfo`, "utf8").includes(projectDirectory("prj_stays")),
    ),
  );
  for (const pid of pids) {
    const seen = readFileSync(`/proc/${pid}/mountinfo`, "utf8");
    if (seen !== readFileSync("/proc/self/mountinfo", "utf8"))
      assert.ok(!seen.includes(projectDirectory("prj_gone")), `${pid} holds it`);
  }
  await host.remove("prj_gone");
  await until(() => !loopFilesBelow(data()).some((file) => file.includes("prj_gone")));
  assert.deepEqual(
    mountsBelow(data()).filter((point) => point.includes("prj_gone")),
    [],
  );
  assert.ok(!existsSync(imageOf("prj_gone")));
  // Not by what the file system has free: others write there meanwhile.
  await until(() => heldFilesBelow(data()).length === 0);
  await host.containers.runtime.stop("prj_stays", { graceMs: 0 });
  await host.containers.exitOf(neighbour);
  await host.containers.runtime.forget(neighbour);
});

test("what a project deletes is room for the host again", async () => {
  await host.disks.open("prj_trim", { limitMb: 256, isUp: false });
  await write("prj_trim", 200);
  const blocksMb = () => host.allocatedMb("prj_trim");
  assert.ok(blocksMb() > 190);
  await host.containers.run("rm /app/filler; sync -f /app", { projectId: "prj_trim" });
  await until(() => blocksMb() < 60);
});

test("a limit grows and shrinks while the project is down, never below what its files take", async () => {
  const open = (limitMb: number) => host.disks.open("prj_size", { limitMb, isUp: false });
  await open(64);
  await write("prj_size", 40);
  await open(256);
  assert.deepEqual((await host.disks.usage("prj_size")).limitMb, 256);
  assert.equal((await write("prj_size", 200)).code, 0);
  await open(64);
  const kept = await host.disks.usage("prj_size");
  assert.ok((kept.limitMb ?? 0) >= kept.usedMb && (kept.limitMb ?? 0) <= 256, JSON.stringify(kept));
  const isTold = host.said.some(
    (line) => line.includes("prj_size") && line.includes("holds more than its new limit"),
  );
  assert.ok(isTold, `${JSON.stringify(kept)}; said: ${host.said.join("\n")}`);
  assert.equal(
    (await host.containers.run("test $(stat -c %s /app/filler) = 200000000", { projectId: "prj_size" })).code,
    0,
  );
  await host.containers.run("rm /app/filler", { projectId: "prj_size" });
  await open(64);
  assert.equal((await host.disks.usage("prj_size")).limitMb, 64);
  assert.notEqual((await write("prj_size", 100)).code, 0);
});

test("a limit changes although an image is being built, which sees the mounts of the host", async () => {
  await host.disks.open("prj_beside", { limitMb: 64, isUp: false });
  const builds = [endWithAgent, confined].map((argv) =>
    spawn(argv[0] ?? "", [...argv.slice(1), "sh", "-c", "echo in; exec sleep 100"]),
  );
  try {
    await Promise.all(builds.map(({ stdout }) => once(stdout, "data")));
    await host.disks.open("prj_beside", { limitMb: 32, isUp: false });
    assert.equal((await host.disks.usage("prj_beside")).limitMb, 32, host.said.join("\n"));
  } finally {
    for (const build of builds) build.kill("SIGKILL");
  }
});

test("a limit that changes while the project runs is there at the latest at its next start; its files stay in use until then", async () => {
  await host.disks.open("prj_busy", { limitMb: 64, isUp: false });
  const instance = await host.containers.start("echo up; sleep 1000", { projectId: "prj_busy" });
  await until(async () => (await host.containers.log("prj_busy")).stdout.includes("up"));
  // Claimed to be down while its container has the disk in use: the kernel knows better.
  const grown = await host.disks.resize("prj_busy", 128);
  assert.ok(grown === "later" || grown === "resized");
  assert.equal((await host.disks.usage("prj_busy")).limitMb, grown === "later" ? 64 : 128);
  await host.containers.runtime.stop("prj_busy", { graceMs: 0 });
  await host.containers.exitOf(instance);
  await host.containers.runtime.forget(instance);
  await host.disks.open("prj_busy", { limitMb: 128, isUp: false });
  assert.equal((await host.disks.usage("prj_busy")).limitMb, 128);
});

test("an agent that was killed leaves the disks to the next one, which mounts nothing twice", async () => {
  await host.disks.open("prj_keep", { limitMb: 64, isUp: false });
  const instance = await host.containers.start("while :; do date > /app/now; sleep 0.05; done", {
    projectId: "prj_keep",
  });
  const mounts = mountsBelow(data());
  await host.reopen();
  assert.deepEqual(mountsBelow(data()), mounts);
  assert.equal((await host.disks.usage("prj_keep")).limitMb, 64);
  await host.containers.runtime.stop("prj_keep", { graceMs: 0 });
  await host.containers.exitOf(instance);
  await host.containers.runtime.forget(instance);
});

test("after a restart of the host disks are mounted again with their files, and what was half done is gone", async () => {
  await host.disks.open("prj_boot", { limitMb: 64, isUp: false });
  await write("prj_boot", 10);
  await host.losePower();
  await makeImage(join(data(), "disks", "prj_half.img.copy"), 64);
  await mkdir(join(data(), "projects", ".moving-prj_half"));
  await mkdir(join(data(), "projects", ".old-prj_boot"));
  await host.reopen();
  assert.ok(mountsBelow(data()).includes(projectDirectory("prj_boot")));
  assert.equal(
    (await host.containers.run("test $(stat -c %s /app/filler) = 10000000", { projectId: "prj_boot" })).code,
    0,
  );
  assert.ok(!existsSync(join(data(), "disks", "prj_half.img.copy")));
  assert.ok(!existsSync(join(data(), "projects", ".moving-prj_half")));
  assert.ok(!existsSync(join(data(), "projects", ".old-prj_boot")));
});

test("files from before there were disks stay in use while the project is up, and move into its disk at its next start", async () => {
  const app = join(projectDirectory("prj_old"), "disk", "app");
  await makeOpenDirectory(app);
  await mkdir(join(projectDirectory("prj_old"), "disk", "scratch-run-1"));
  await writeOpenFile(join(app, "kept"), "mine");
  await host.disks.open("prj_old", { limitMb: 64, isUp: true });
  assert.ok(!existsSync(imageOf("prj_old")));
  await host.disks.open("prj_old", { limitMb: 64, isUp: false });
  assert.ok(mountsBelow(data()).includes(projectDirectory("prj_old")));
  assert.deepEqual((await host.containers.run("cat /app/kept", { projectId: "prj_old" })).stdout, ["mine"]);
  assert.ok(!existsSync(join(projectDirectory("prj_old"), "disk", "scratch-run-1")));
  const besideIt = readdirSync(join(data(), "projects")).filter((name) => name.includes("prj_old"));
  assert.deepEqual(besideIt, ["prj_old"], "what was copied is not kept a second time");
  assert.notEqual((await write("prj_old", 100)).code, 0);
});

test("an image that was torn is mended before it is mounted; one that is no file system is told, and the others come up", async () => {
  await host.disks.open("prj_torn", { limitMb: 64, isUp: false });
  await host.containers.run("echo kept > /app/file; sync -f /app", { projectId: "prj_torn" });
  await host.disks.open("prj_junk", { limitMb: 64, isUp: false });
  await host.losePower();
  host.tear("prj_torn");
  await rm(imageOf("prj_junk"));
  await writeFile(imageOf("prj_junk"), "");
  await truncate(imageOf("prj_junk"), 2 ** 20);
  await host.reopen();
  assert.ok(mountsBelow(data()).includes(projectDirectory("prj_torn")), host.said.join("\n"));
  assert.deepEqual((await host.containers.run("cat /app/file", { projectId: "prj_torn" })).stdout, ["kept"]);
  assert.ok(host.said.some((line) => line.includes("prj_junk") && line.includes("could not be opened")));
  await assert.rejects(host.disks.usage("prj_junk"), /not open/);
});

test("files that lie where a disk is to be mounted and are not on it are kept aside until the project is removed", async () => {
  await host.disks.open("prj_down", { limitMb: 64, isUp: false });
  await host.containers.run("echo disk > /app/file", { projectId: "prj_down" });
  await host.losePower();
  // As an earlier version of the agent does, which knows no images.
  await mkdir(join(projectDirectory("prj_down"), "disk", "app"), { recursive: true });
  await writeFile(join(projectDirectory("prj_down"), "disk", "app", "file"), "beside");
  await host.reopen();
  assert.deepEqual((await host.containers.run("cat /app/file", { projectId: "prj_down" })).stdout, ["disk"]);
  const kept = () =>
    readdirSync(join(data(), "projects")).filter((name) => name.startsWith(".kept-prj_down."));
  assert.equal(kept().length, 1);
  assert.equal(
    readFileSync(join(data(), "projects", kept()[0] ?? "", "disk", "app", "file"), "utf8"),
    "beside",
  );
  assert.ok(host.said.some((line) => line.includes("prj_down") && line.includes("kept aside")));
  await host.reopen();
  assert.equal(kept().length, 1);
  await host.remove("prj_down");
  assert.deepEqual(kept(), []);
});

test("what cannot be freed of a disk keeps no other from coming up", async () => {
  await host.disks.open("prj_lost", { limitMb: 64, isUp: false });
  await host.disks.open("prj_well", { limitMb: 64, isUp: false });
  execFileSync("umount", [projectDirectory("prj_lost")]);
  await writeFile(join(projectDirectory("prj_lost"), "below"), "");
  execFileSync("mount", ["-o", "loop", imageOf("prj_lost"), projectDirectory("prj_lost")]);
  await rm(imageOf("prj_lost"));
  await host.reopen();
  assert.ok(
    host.said.some((line) => line.includes("prj_lost") && line.includes("could not be freed")),
    host.said.join("\n"),
  );
  assert.ok(!mountsBelow(data()).includes(projectDirectory("prj_lost")));
  assert.equal((await host.disks.usage("prj_well")).limitMb, 64);
});

test("a limit that cannot be given leaves the disk as it was, and is tried again by the next agent", async () => {
  const open = () => host.disks.open("prj_stuck", { limitMb: 64, isUp: false });
  await host.disks.open("prj_stuck", { limitMb: 256, isUp: false });
  await host.containers.run("echo kept > /app/file", { projectId: "prj_stuck" });
  await host.untilIdle("prj_stuck");
  await mkdir(`${imageOf("prj_stuck")}.resized`);
  const told = () =>
    host.said.filter((line) => line.includes("prj_stuck") && line.includes("could not be resized")).length;
  await open();
  await open();
  assert.deepEqual([told(), (await host.disks.usage("prj_stuck")).limitMb], [1, 256]);
  await host.reopen();
  await open();
  assert.deepEqual([told(), (await host.disks.usage("prj_stuck")).limitMb], [1, 64]);
  assert.ok(!existsSync(`${imageOf("prj_stuck")}.resized`));
  assert.deepEqual((await host.containers.run("cat /app/file", { projectId: "prj_stuck" })).stdout, ["kept"]);
});

test("a disk that the kernel made read-only is noticed, and well again at the next start", async () => {
  await host.disks.open("prj_error", { limitMb: 64, isUp: false });
  execFileSync("mount", ["-o", "remount,ro", projectDirectory("prj_error")]);
  await host.reopen();
  assert.equal((await host.disks.usage("prj_error")).isReadOnly, true);
  await host.disks.open("prj_error", { limitMb: 64, isUp: false });
  assert.notEqual((await host.disks.usage("prj_error")).isReadOnly, true);
  assert.equal((await write("prj_error", 1)).code, 0);
});

test("what fails for lack of room where there is no disk is the host's fault", async () => {
  const places = { disks: { usage: () => Promise.reject(new Error("none")) }, dataDirectory: data() };
  const fault = await diskFaultOf(places, "prj_none", Object.assign(new Error("full"), { code: "ENOSPC" }));
  assert.ok(fault instanceof DiskFullError && fault.of === "host");
  assert.match(ownerText(fault.forOwner), /O servidor está sem espaço/);
});
