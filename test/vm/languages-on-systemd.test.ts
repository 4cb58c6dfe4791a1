/**
 * Languages on a host with systemd and cgroup v2: each example is installed, runs, answers and stops cleanly,
 * in the images that were built outside.
 */

import { after, before, test } from "node:test";
import { defaultVersions, type Language } from "@tijolo/protocol";
import type { TestAccount } from "../support/cluster/operator.ts";
import { until } from "../support/until.ts";
import { DeployedProject } from "../real/support/projects/deployed-project.ts";
import { exampleUpload } from "../real/support/uploads/example-upload.ts";
import { RealCluster } from "../real/support/cluster/real-cluster.ts";
import { secondsSince, stopCleanly } from "../real/support/projects/stop-cleanly.ts";
import { visit } from "../real/support/projects/visit.ts";
import { imageLanguages } from "./work-disk.ts";

/** The machine is emulated: what takes a second elsewhere takes half a minute here. */
const timeoutMs = 400_000;

const pages: Partial<Record<Language, string>> = {
  node: "<dd>v",
  python: "Python ",
  php: "PHP ",
  static: "<h1>Um site estático</h1>",
};

let cluster: RealCluster;
let account: TestAccount;

before(async () => {
  cluster = await RealCluster.create();
  account = await cluster.createAccount();
});
after(() => cluster[Symbol.asyncDispose]());

for (const language of [...imageLanguages, "static"] as const) {
  test(`${language}: installs, runs, answers and stops cleanly`, async (t) => {
    const begunMs = performance.now();
    const version = defaultVersions[language];
    const subdomain = `shown-${language}`;
    const project = await DeployedProject.create(
      account.client,
      exampleUpload(`site-${language}`, { version, subdomain }),
    );
    await project.is("running", timeoutMs);
    const page = `${pages[language]}${language === "static" ? "" : version}`;
    await until(async () => (await visit(cluster.gatewayPort, subdomain)).text.includes(page), {
      timeoutMs,
      everyMs: 500,
    });
    const up = secondsSince(begunMs);
    const { seconds, exitCode } = await stopCleanly(cluster.host, project, language === "static" ? 0 : 1);
    t.diagnostic(`${version}: answered after ${up}, stopped in ${seconds}, exit ${exitCode ?? "-"}`);
    await cluster.operator.client().deleteProject({ id: project.id });
  });
}
