/** System packages of real projects: there in the run, or the project's error says why they are not. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { TestAccount } from "../../support/cluster/operator.ts";
import { DeployedProject, shellBot } from "../support/projects/deployed-project.ts";
import { RealCluster } from "../support/cluster/real-cluster.ts";

/** Nothing listens there. */
const deadMirror = "http://127.0.0.1:9/";

let cluster: RealCluster;
let account: TestAccount;
before(async () => {
  cluster = await RealCluster.create({ agentSettings: { TIJOLO_DEBIAN_MIRROR: deadMirror } });
  account = await cluster.createAccount();
});
after(() => cluster[Symbol.asyncDispose]());

test("packages that cannot be had are system_packages_failed, with the reason in the error and in the log", async () => {
  const bot = shellBot("zip -v; exec sleep 100000", { systemPackages: ["sqlite3", "zip"] });
  const project = await DeployedProject.create(account.client, bot);
  const { error } = await project.is("error");
  assert.equal(error?.code, "system_packages_failed");
  assert.match(error.message, /pacotes de sistema sqlite3 e zip.*127\.0\.0\.1/s);
  const log = (await project.lines({ section: "install" })).map(({ text }) => text).join("\n");
  assert.match(log, /pacotes de sistema sqlite3 e zip.*127\.0\.0\.1.*envie o código de novo/s);
  assert.deepEqual(cluster.host.pidsOf(project.id), []);
});
