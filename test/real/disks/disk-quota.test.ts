/**
 * Tests that every way in which a project can write to its disk ends at its limit, in the project and nowhere
 * else. Images here; quotas in `test/vm`.
 */

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { archiveLimits } from "@tijolo/protocol";
import { diskFaultOf } from "../../../agent/src/disk/disk-full.ts";
import { DiskFullError } from "../../../agent/src/disk/project-disks.ts";
import { extractArchive } from "../../../agent/src/versions/extract-archive.ts";
import { zipOf } from "../../support/archives/zip-of.ts";
import { until } from "../support/host/container-host.ts";
import { DiskHost } from "../support/disks/disk-host.ts";
import { ownerText } from "../../support/projects/owner-text.ts";

const limitMb = 64;
const project = "prj_full";
const neighbour = "prj_next";

let host: DiskHost;
before(async () => {
  host = await DiskHost.create();
  for (const projectId of [project, neighbour]) await host.disks.open(projectId, { limitMb, isUp: false });
});
after(() => host[Symbol.asyncDispose]());

interface Filled {
  code: number;
  output: string;
  /** Usage of the disk while the run's own root was still there. */
  usedMb: number;
  full: "bytes" | "files" | null;
}

/**
 * Runs in the project until it ends; then the disk is looked at, the neighbour writes, and the run is
 * forgotten.
 */
async function fill(command: string): Promise<Filled> {
  const before = (await host.containers.log(project)).stdout.length;
  const instance = await host.containers.start(`exec 2>&1; ${command}`, { projectId: project });
  const { code } = await host.containers.exitOf(instance);
  const { usedMb, full } = await host.disks.usage(project);
  const next = await host.containers.run(
    "head -c 20000000 /dev/zero > /app/file && rm /app/file && echo fine",
    { projectId: neighbour },
  );
  assert.deepEqual([next.code, next.stdout], [0, ["fine"]], "the neighbour writes on");
  const { stdout } = await host.containers.log(project);
  await host.containers.runtime.forget(instance);
  const scratch = join(
    host.containers.dataDirectory,
    "projects",
    project,
    "disk",
    `scratch-run-${instance.runNumber}`,
  );
  await until(() => !existsSync(scratch));
  return { code, output: stdout.slice(before).join("\n"), usedMb, full };
}

function assertStoppedAtLimit({ output, usedMb }: Filled): void {
  assert.match(output, /No space left on device|Disk quota exceeded/);
  assert.ok(usedMb >= limitMb * 0.9 && usedMb <= limitMb * 1.1, `${usedMb} MB were used\n${output}`);
}

async function assertEmpty(): Promise<void> {
  // From outside: a full disk may have no room for the root of a run.
  const disk = join(host.containers.dataDirectory, "projects", project, "disk");
  await Promise.all(["app", "home"].map((name) => rm(join(disk, name), { recursive: true, force: true })));
  const isEmpty = async () => (await host.disks.usage(project)).usedMb <= 3;
  await until(isEmpty);
}

for (const directory of ["/app", "/home/project", "/var/tmp", "/opt", "/etc", "/root", "/usr/lib"]) {
  test(`writing to ${directory} ends at the limit`, async () => {
    assertStoppedAtLimit(await fill(`dd if=/dev/zero of=${directory}/filler bs=1M count=500`));
    await assertEmpty();
  });
}

test("fallocate beyond the limit fails, within it it counts", async () => {
  const filled = await fill("fallocate -l 50M /app/a && echo first; fallocate -l 50M /app/b");
  assert.match(filled.output, /first/);
  assert.match(filled.output, /No space left on device/);
  assert.ok(filled.usedMb >= 50 && filled.usedMb <= limitMb * 1.1, `${filled.usedMb} MB`);
  await assertEmpty();
});

test("a sparse file of a terabyte takes nothing until it is written, and then what is written counts", async () => {
  const sparse = await fill("truncate -s 1T /app/sparse && echo made");
  assert.match(sparse.output, /made/);
  assert.ok(sparse.usedMb <= 3, `${sparse.usedMb} MB`);
  assertStoppedAtLimit(await fill("dd if=/dev/zero of=/app/sparse bs=1M seek=100000 count=500 conv=notrunc"));
  await assertEmpty();
});

test("a deleted file counts for as long as it is open", async () => {
  const command =
    "exec 3>/app/gone; rm /app/gone; dd if=/dev/zero bs=1M count=40 >&3; echo held; dd if=/dev/zero of=/app/more bs=1M count=500; du -sm /app";
  const filled = await fill(command);
  assert.match(filled.output, /held[^]*No space left on device/);
  const visibleMb = Number(/^(\d+)\s+\/app$/m.exec(filled.output)?.[1]);
  assert.ok(visibleMb <= 30, `${visibleMb} MB could still be written`);
  await assertEmpty();
});

test("files without end are refused too, and the neighbour makes its own", async () => {
  const filled = await fill(
    `perl -e 'my $n = 0; while (open(my $f, ">", "/app/f$n")) { $n++ } print "$n: $!\n"'`,
  );
  const [, count, reason] = /(\d+): (.*)/.exec(filled.output) ?? [];
  assert.match(reason ?? "", /No space left on device/);
  assert.ok(Number(count) > 4_000 && Number(count) < 20_000, `${count} files`);
  assert.equal(filled.full, "files");
  await assertEmpty();
});

test("/tmp is memory: it ends at its own size, and takes nothing of the disk", async () => {
  const filled = await fill("dd if=/dev/zero of=/tmp/filler bs=1M count=500; grep ' /tmp ' /proc/mounts");
  assert.match(filled.output, /No space left on device/);
  assert.match(filled.output, /^tmpfs \/tmp tmpfs .*size=65536k/m);
  assert.ok(filled.usedMb <= 3, `${filled.usedMb} MB`);
});

test("df shows the project its own disk", async () => {
  const { output } = await fill("df --output=size --block-size=1M /app /var/tmp /home/project | tail -3");
  for (const size of output.trim().split("\n"))
    assert.ok(Number(size) >= limitMb && Number(size) <= limitMb * 1.15, output);
});

const install = async (command: string) => {
  const resultDirectory = join(
    host.containers.dataDirectory,
    "projects",
    project,
    "versions",
    "1",
    "install",
  );
  const request = await host.containers.installRequest(command, { projectId: project, resultDirectory });
  const outcome = await host.containers.runtime.install(request, new AbortController().signal);
  assert.ok(!existsSync(resultDirectory));
  return outcome;
};

test("an install step ends at the limit, says so, and leaves nothing", async () => {
  const outcome = await install("mkdir d && dd if=/dev/zero of=d/filler bs=1M count=500");
  assert.deepEqual(outcome, { status: "failed", code: "install_failed", exitCode: 1, isDiskFull: true });
  await assertEmpty();
});

test("an install step that tidies up after itself is known by its words; one that fails for another reason is not", async () => {
  const tidied = await install("dd if=/dev/zero of=filler bs=1M count=500; rm filler; exit 3");
  assert.deepEqual(tidied, { status: "failed", code: "install_failed", exitCode: 3, isDiskFull: true });
  const other = await install("exit 4");
  assert.deepEqual(other, { status: "failed", code: "install_failed", exitCode: 4 });
});

test("an upload that does not fit beside what is there is refused with the reason, and leaves nothing", async () => {
  await host.containers.run("head -c 25000000 /dev/zero > /app/kept", { projectId: project });
  const version = join(host.containers.dataDirectory, "projects", project, "versions", "2");
  await mkdir(version, { recursive: true });
  const archive = join(version, "archive.zip");
  await writeFile(archive, await zipOf({ "index.js": "", "big.bin": randomBytes(25_000_000) }));
  const options = { signal: new AbortController().signal, limits: archiveLimits(limitMb) };
  const failure: unknown = await extractArchive(archive, join(version, "code"), options).catch(
    (error: unknown) => error,
  );
  assert.ok(!existsSync(join(version, "code")));
  const places = { disks: host.disks, dataDirectory: host.containers.dataDirectory };
  const fault = await diskFaultOf(places, project, failure);
  assert.ok(fault instanceof DiskFullError, String(failure));
  assert.equal(fault.of, "project");
  assert.match(ownerText(fault.forOwner), /^Não coube no disco do projeto \(\d+ MB de 64 MB usados\)\. /);
  await rm(version, { recursive: true });
  await assertEmpty();
});

test("another error is not taken for a full disk", async () => {
  const places = { disks: host.disks, dataDirectory: host.containers.dataDirectory };
  const error = new Error("no");
  assert.equal(await diskFaultOf(places, project, error), error);
});
