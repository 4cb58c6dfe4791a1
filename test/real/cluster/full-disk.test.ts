/**
 * A project's own disk that is full to the last byte while its code is replaced, taken back or rolled back,
 * with real containers: one version of it is up all the same, and it is updated once there is room.
 */

import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import type { Project } from "@tijolo/protocol";
import type { TestAccount } from "../../support/cluster/operator.ts";
import { fillLargeDisk } from "../../support/machine/small-disk.ts";
import { until } from "../../support/until.ts";
import { DeployedProject, shellBot, type Upload } from "../support/projects/deployed-project.ts";
import { setDiskLimit } from "../support/disks/disk-limit.ts";
import { RealCluster } from "../support/cluster/real-cluster.ts";

let cluster: RealCluster;
let account: TestAccount;
before(async () => {
  cluster = await RealCluster.create();
  await setDiskLimit(cluster, 80);
  const scopes = ["projects:settings", "versions:rollback"] as const;
  account = await cluster.createAccount({ plan: "Empresas", scopes: [...scopes] });
});
after(() => cluster[Symbol.asyncDispose]());

const bot = (command: string, installCommand = "") => shellBot(command, { installCommand });
/** Says its name once, and takes 2 s to end when it is asked to. */
const slowToEnd = (name: string) =>
  bot(`trap 'echo ${name} ends; sleep 2; exit 0' TERM; echo ${name} is up; while :; do sleep 0.1; done`);

const ballastOf = ({ id }: DeployedProject) => join(cluster.host.dataDirectory, "projects", id, "ballast");
const fill = (project: DeployedProject) => fillLargeDisk(ballastOf(project));
const versionsOf = async ({ client, id }: DeployedProject) => (await client.listVersions({ id })).versions;
const hasComeUp = async (project: DeployedProject) => (await versionsOf(project))[0]?.status === "live";

async function comesUp(project: DeployedProject, name: string): Promise<void> {
  await project.prints(`${name} is up`);
  await project.when(() => hasComeUp(project));
}

interface Moment {
  name: string;
  /** Changes what runs, and fills the disk at its moment. */
  change: (project: DeployedProject) => Promise<void>;
  /** Names of the programs of which one is up afterwards. */
  up: string[];
}

async function fillOn(project: DeployedProject, upload: Upload, line: string): Promise<void> {
  await project.upload(upload);
  await project.prints(line);
  fill(project);
}

const moments: Moment[] = [
  {
    name: "before new code comes",
    change: async (project) => {
      fill(project);
      await project.upload(slowToEnd("two"));
    },
    up: ["one"],
  },
  {
    name: "while new code installs",
    change: async (project) => {
      await project.upload(
        bot("echo two is up; exec sleep 100000", "sleep 3; head -c 3000000 /dev/zero > big"),
      );
      await project.is("installing");
      fill(project);
    },
    up: ["one"],
  },
  {
    name: "while the run before the new one ends",
    change: (project) => fillOn(project, slowToEnd("two"), "one ends"),
    up: ["one", "two"],
  },
  {
    name: "while new code is tried that does not come up",
    change: (project) => fillOn(project, bot("echo two begins; sleep 2; exit 9"), "two begins"),
    up: ["one"],
  },
  {
    name: "while it goes back to the version before",
    change: async (project) => {
      await project.upload(slowToEnd("two"));
      await comesUp(project, "two");
      await account.client.rollbackProject({ id: project.id, number: 1 });
      await project.prints("two ends");
      fill(project);
    },
    up: ["one", "two"],
  },
];

suite("a project's disk that is full", { concurrency: 2 }, () => {
  for (const { name, change, up } of moments) {
    test(`${name} leaves a version up, and keeps no later one from it`, async (t) => {
      const project = await DeployedProject.create(account.client, slowToEnd("one"));
      await comesUp(project, "one");
      await change(project);
      const { status, error } = await project.when((now) => isSettled(project, now), { timeoutMs: 120_000 });
      const [newest] = await versionsOf(project);
      const last = await lastUp(project);
      t.diagnostic(`${status} ${error?.code ?? ""} ${error?.message ?? ""}; up is ${last}`);
      assert.ok(
        up.some((each) => last === `${each} is up`),
        last,
      );
      assert.equal(newest?.isServing, status === "running");
      await rm(ballastOf(project));
      await project.upload(slowToEnd("last"));
      await comesUp(project, "last");
      await account.client.stopProject({ id: project.id });
      await project.is("stopped");
    });
  }

  // What a file system holds back for writes under way is free once they are on the disk.
  const fillIt = "for file in a b c; do dd if=/dev/zero bs=4096 of=$file 2> /dev/null; sync $file; done";
  // A file in many pieces needs a longer list of them, for which the file system goes below its own reserve.
  const tearIt =
    "for at in $(seq 0 2 1400); do dd if=/dev/zero of=torn bs=4096 count=1 seek=$at conv=notrunc 2> /dev/null; done; sync torn";
  for (const { name, before, after } of [
    { name: "crashes", before: ":", after: ":" },
    { name: "crashes on a disk that is more than full", before: "fallocate -l 8M torn", after: tearIt },
  ]) {
    test(`while its program ${name} does not keep it from coming back`, async () => {
      const crash = `echo > crashed; ${before}; ${fillIt}; ${after}; echo full; exit 7`;
      const command = `if [ -e crashed ]; then echo back; exec sleep 100000; fi; ${crash}`;
      const project = await DeployedProject.create(account.client, bot(command));
      await project.prints("full");
      await project.prints("back");
      const { consecutiveCrashes, lastExit } = await project.is("running");
      assert.deepEqual([consecutiveCrashes, lastExit?.code], [1, 7]);
    });
  }
});

/** True when the change is over and one run is up, of the version that the project says. */
async function isSettled(project: DeployedProject, { status }: Project): Promise<boolean> {
  if (status !== "running" && status !== "error") return false;
  const versions = await versionsOf(project);
  if (versions[0]?.status !== (status === "running" ? "live" : "failed")) return false;
  const isServing = versions.some((version) => version.isServing);
  return isServing && cluster.host.pidsOf(project.id).length >= 4;
}

async function lastUp(project: DeployedProject): Promise<string | undefined> {
  await until(async () => (await project.output()).some((line) => line.endsWith(" is up")));
  return (await project.output()).findLast((line) => line.endsWith(" is up"));
}
