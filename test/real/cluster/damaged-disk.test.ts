/**
 * Tests a disk whose superblocks are all overwritten, which e2fsck cannot repair: what its owner and the
 * operator are told, and that it ends.
 */

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { closeSync, openSync, renameSync, writeSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { until } from "../../support/until.ts";
import { DeployedProject, shellBot } from "../support/projects/deployed-project.ts";
import { loopFilesBelow, mountsBelow } from "../support/disks/project-disk.ts";
import { RealCluster } from "../support/cluster/real-cluster.ts";
import { ownerText } from "../../support/projects/owner-text.ts";

const blockSize = 4096;

let cluster: RealCluster;
before(async () => {
  cluster = await RealCluster.create();
});
after(() => cluster[Symbol.asyncDispose]());

const said = async () =>
  (await cluster.host.agent.log()).split("\n").filter((line) => line.includes("damaged beyond"));

/** Overwrites the first superblock and every spare one. */
function overwriteSuperblocks(image: string): void {
  const layout = execFileSync("dumpe2fs", [image], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
    maxBuffer: 2 ** 26,
  });
  const blocks = [...layout.matchAll(/superblock at (\d+)/g)].map(([, block]) => Number(block));
  assert.ok(blocks.length > 1, layout.slice(0, 500));
  const file = openSync(image, "r+");
  for (const block of blocks) writeSync(file, Buffer.alloc(blockSize), 0, blockSize, block * blockSize);
  closeSync(file);
  assert.ok((spawnSync("e2fsck", ["-n", image]).status ?? 0) >= 4, "it can be mended");
}

test("its project is in error with a reason that names it, its operator is told once, and a good copy brings it back", async (t) => {
  const { host } = cluster;
  const account = await cluster.createAccount({ plan: "Free" });
  const project = await DeployedProject.create(
    account.client,
    shellBot("date >> /app/starts; echo starts $(wc -l < /app/starts); exec sleep 100000", {
      installCommand: "",
    }),
  );
  await project.prints("starts 1");
  const directory = join(host.dataDirectory, "projects", project.id);
  const image = join(host.dataDirectory, "disks", `${project.id}.img`);
  if (!mountsBelow(directory).includes(directory))
    return t.skip("disks are quotas of the host's file system here, whose check is the host's");
  await account.client.stopProject({ id: project.id });
  await project.is("stopped");
  await host.agent.stop();
  await until(() => spawnSync("umount", [directory]).status === 0, { timeoutMs: 30_000, everyMs: 100 });
  await until(() => !loopFilesBelow(host.dataDirectory).includes(image));
  const good = join(cluster.directory, "good.img");
  const copy = (from: string, to: string) => execFileSync("cp", ["--sparse=always", from, to]);
  copy(image, good);
  overwriteSuperblocks(image);
  await host.agent.start();
  await cluster.untilConnected();

  for (let attempt = 0; attempt < 2; attempt++) {
    await account.client.startProject({ id: project.id });
    const { error } = await project.is("error");
    assert.deepEqual(error, { code: "start_failed", message: ownerText({ code: "disk_damaged" }) });
  }
  const lines = await said();
  assert.equal(lines.length, 1, lines.join("\n"));
  for (const word of [project.id, image, "e2fsck"])
    assert.ok(lines[0]?.includes(word), `${word} in ${lines[0]}`);
  const log = (await project.lines({ section: "app" })).filter(
    ({ text }) => text === ownerText({ code: "disk_damaged" }),
  );
  assert.equal(log.length, 2, "one for each start that was asked for");

  await project.upload(shellBot("exec sleep 100000", { installCommand: "" }));
  assert.equal((await project.is("error")).error?.code, "install_interrupted");

  copy(good, `${image}.copy`);
  renameSync(`${image}.copy`, image);
  await project.upload(
    shellBot("date >> /app/starts; echo starts $(wc -l < /app/starts); exec sleep 100000", {
      installCommand: "",
    }),
  );
  await project.when(({ status }) => status === "stopped" || status === "running");
  await account.client.startProject({ id: project.id });
  await project.prints("starts 2");
});
