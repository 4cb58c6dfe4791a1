/** Makes an account with many projects. */

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ServiceLimits } from "@tijolo/protocol";
import { zipOf } from "../../support/archives/zip-of.ts";
import { TestCluster } from "../../support/cluster/test-cluster.ts";
import { PanelSession } from "../../support/people/panel.ts";

export interface ManyProjects extends AsyncDisposable {
  cluster: TestCluster;
  session: PanelSession;
}

export interface ManyProjectsOptions {
  /** Limits of the service beside those that let the projects be made at once. */
  limits?: Partial<ServiceLimits>;
  /** True starts them. Default: false. */
  start?: boolean;
}

/** Static sites, which need the least memory of a host; they are called bot-000, bot-001 and so on. */
export async function createManyProjects(
  count: number,
  { limits = {}, start = false }: ManyProjectsOptions = {},
): Promise<ManyProjects> {
  await using parts = new AsyncDisposableStack();
  const directory = await mkdtemp(join(tmpdir(), "tijolo-many-"));
  parts.defer(() => rm(directory, { recursive: true }));
  const plans = join(directory, "plans.json");
  await writeFile(
    plans,
    JSON.stringify({
      plans: { Empresas: { projects: count, sites: count, memoryMb: 64 * count } },
      limits: { uploadEveryMs: 0, uploadsAtOnce: 1_000, ...limits },
    }),
  );
  const centralSettings = { TIJOLO_PLANS_FILE: plans };
  const cluster = parts.use(await TestCluster.create({ hosts: 3, panel: true, centralSettings }));
  const session = await PanelSession.signUp(cluster, { plan: "Empresas" });
  const names = Array.from({ length: count }, (_, index) => `bot-${String(index).padStart(3, "0")}`);
  const files = {
    "svc.json": JSON.stringify({ language: "static", type: "site" }),
    "index.html": "<!doctype html><title>Tijolo</title>",
  };
  const file = new File([await zipOf(files)], "site.zip");
  const work = async () => {
    for (let name = names.pop(); name !== undefined; name = names.pop())
      await session.client.createProject({ fields: { name, ...(start && { start: "true" }) }, file });
  };
  await Promise.all([work(), work(), work(), work()]);
  const kept = parts.move();
  return { cluster, session, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}
