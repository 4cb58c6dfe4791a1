/**
 * Tests the disk of a project as its owner meets it: what does not fit, what is shown, and that everything of
 * it goes.
 */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { TestAccount } from "../../support/cluster/operator.ts";
import { until } from "../../support/until.ts";
import { DeployedProject, shellBot } from "../support/projects/deployed-project.ts";
import { setDiskLimit } from "../support/disks/disk-limit.ts";
import { loopFilesBelow, mountsBelow } from "../support/disks/project-disk.ts";
import { RealCluster } from "../support/cluster/real-cluster.ts";

const limitMb = 80;

let cluster: RealCluster;
let account: TestAccount;
before(async () => {
  cluster = await RealCluster.create();
  await setDiskLimit(cluster, limitMb);
  account = await cluster.createAccount();
});
after(() => cluster[Symbol.asyncDispose]());

const deploy = (command: string, config: Record<string, unknown> = {}) =>
  DeployedProject.create(account.client, shellBot(command, { installCommand: "", ...config }));
const mountOf = (project: DeployedProject) => join(cluster.host.dataDirectory, "projects", project.id);

test("a project that fills its disk gets an error itself, its neighbour writes on, and both see used and limit", async () => {
  const [filler, neighbour] = await Promise.all([
    deploy("dd if=/dev/zero of=/app/filler bs=1M count=500; echo over; exec sleep 100000"),
    deploy("while :; do head -c 1000000 /dev/zero > /app/file && echo wrote; sleep 1; done"),
  ]);
  await filler.prints("No space left on device");
  await filler.prints("over");
  await neighbour.prints("wrote");
  assert.equal((await filler.get()).status, "running");
  const metrics = () => account.client.getMetrics({ id: filler.id });
  assert.equal((await metrics()).diskLimitMb, limitMb);
  const usedMb = () => metrics().then(({ points }) => points.at(-1)?.diskMb ?? 0);
  await until(async () => (await usedMb()) >= limitMb * 0.9, { timeoutMs: 60_000, everyMs: 500 });
  assert.ok((await usedMb()) <= limitMb * 1.1);
});

test("what counts as installed is on the disk, where a power cut leaves it", async () => {
  const { config = {} } = shellBot("true", { installCommand: "" });
  const project = await DeployedProject.create(account.client, {
    files: { "code.txt": "the code\n" },
    config,
    start: false,
  });
  await project.is("stopped");
  const [image] = loopFilesBelow(cluster.host.dataDirectory).filter((file) => file.includes(project.id));
  assert.ok(image !== undefined);
  // The image's file as it is, past what the kernel keeps in memory of the file system in it.
  const argv = ["-R", "cat /versions/1/code/code.txt", image];
  assert.equal(
    execFileSync("debugfs", argv, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }),
    "the code\n",
  );
});

test("new code that does not fit beside what the project has written is install_failed with the figures, in Portuguese", async () => {
  const project = await deploy("head -c 60000000 /dev/zero > /app/mine; echo written; exec sleep 100000");
  await project.prints("written");
  const big = shellBot("exec sleep 100000", { installCommand: "" });
  await project.upload({ ...big, files: { "big.bin": randomBytes(30_000_000) } });
  const { error } = await project.is("error");
  assert.equal(error?.code, "install_failed");
  assert.match(error?.message ?? "", /disco do projeto.*\d+ MB de 80 MB/);
  assert.ok(!existsSync(join(mountOf(project), "versions", "2")));
  await project.upload(shellBot("ls -s --block-size=M /app/mine; exec sleep 100000", { installCommand: "" }));
  await project.prints("58M");
});

test("uploads whose install fails do not add up on the project's disk: the next one has room", async () => {
  const project = await deploy("exec sleep 100000");
  await project.is("running");
  const failing = shellBot("exec sleep 100000", { installCommand: "exit 1" });
  for (let upload = 2; upload <= 5; upload++) {
    await project.upload({ ...failing, files: { "big.bin": randomBytes(20_000_000) } });
    const { error } = await project.is("error");
    assert.match(error?.message ?? "", /Código de saída: 1/, `upload ${upload}`);
  }
  await project.upload({
    ...shellBot("exec sleep 100000", { installCommand: "" }),
    files: { "big.bin": randomBytes(20_000_000) },
  });
  await project.is("running");
  const versions = await readdir(join(mountOf(project), "versions"));
  assert.deepEqual(versions.sort(), ["1", "6"], "beside the new one, the one that ran until it came");
});

test("an install step that fills the disk is install_failed with the reason", async () => {
  const project = await deploy("true", { installCommand: "dd if=/dev/zero of=filler bs=1M count=500" });
  const { error } = await project.is("error");
  assert.equal(error?.code, "install_failed");
  assert.match(error?.message ?? "", /disco do projeto/);
});

test("disks come back after the agent's death and after a restart of the host, and go with the project", async () => {
  const project = await deploy(
    "echo x >> /home/project/runs; echo run $(wc -l < /home/project/runs); exec sleep 100000",
    {},
  );
  await project.prints("run 1");
  const { host } = cluster;
  await host.agent.kill();
  await host.agent.start();
  assert.ok(mountsBelow(host.dataDirectory).includes(mountOf(project)));
  await host.reboot();
  assert.deepEqual(mountsBelow(host.dataDirectory), []);
  await host.agent.start();
  await cluster.untilConnected();
  // Where nothing starts by itself, its owner does it.
  await until(
    async () => {
      if ((await project.get()).status === "stopped" || (await project.get()).status === "error")
        await account.client.startProject({ id: project.id }).catch(() => {});
      return (await project.output()).includes("run 2");
    },
    { timeoutMs: 60_000, everyMs: 300 },
  );
  await cluster.operator.client().deleteProject({ id: project.id });
  await until(() => !existsSync(mountOf(project)), { timeoutMs: 30_000, everyMs: 100 });
  await until(() => !loopFilesBelow(host.dataDirectory).some((file) => file.includes(project.id)), {
    timeoutMs: 30_000,
    everyMs: 100,
  });
});
