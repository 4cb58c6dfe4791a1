/**
 * Runs a cluster whose central is set back to a backup, with what such tests do: make projects, list orphans
 * and adopt them.
 */

import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Orphan, OrphanAdopted, OrphanList } from "@tijolo/protocol";
import { CommandLine } from "../commands/command-line.ts";
import { SimulatedProject } from "../projects/simulated-project.ts";
import { TestCluster, type TestAccount, type TestClusterOptions, type TestHost } from "./test-cluster.ts";
import { VariablesOf } from "../projects/variables-of.ts";

/** Writes a file as the project itself would. */
export async function writeCustomers({ dataDirectory }: TestHost, projectId: string): Promise<string> {
  const own = join(dataDirectory, "projects", projectId, "disk/app");
  await mkdir(own, { recursive: true });
  await writeFile(join(own, "customers.db"), "all that the project ever wrote");
  return join(own, "customers.db");
}

export class RestoreDrill implements AsyncDisposable {
  readonly cluster: TestCluster;
  readonly account: TestAccount;
  readonly #line: CommandLine;

  private constructor(cluster: TestCluster, account: TestAccount, line: CommandLine) {
    this.cluster = cluster;
    this.account = account;
    this.#line = line;
  }

  static async create(options: TestClusterOptions = {}): Promise<RestoreDrill> {
    const cluster = await TestCluster.create(options);
    const line = await CommandLine.create();
    line.environment = { TIJOLO_URL: cluster.centralUrl, TIJOLO_OPERATOR_TOKEN: cluster.operatorToken };
    const account = await cluster.createAccount({
      plan: "Empresas",
      scopes: ["projects:settings", "variables:read", "variables:write"],
    });
    return new RestoreDrill(cluster, account, line);
  }

  get host(): TestHost {
    return this.cluster.host;
  }

  async project(config: object = {}): Promise<SimulatedProject> {
    const project = await SimulatedProject.create(this.account, "sim run", { config });
    await project.is("running");
    return project;
  }

  variablesOf(project: SimulatedProject): VariablesOf {
    return new VariablesOf(this.cluster, this.account, project);
  }

  orphan(words: readonly string[], language?: "pt" | "en") {
    return this.#line.run(["cluster", "orphan", ...words], language);
  }

  async list(): Promise<OrphanList & { orphans: Orphan[] }> {
    const list = JSON.parse((await this.orphan(["list", "--json"])).stdout) as OrphanList;
    return { ...list, orphans: list.hosts.flatMap(({ orphans }) => orphans) };
  }

  /** Adopts an orphan, which the operators' record has then. */
  async adopt(projectId: string, ...words: string[]): Promise<OrphanAdopted> {
    const { code, stdout, stderr } = await this.orphan(["adopt", projectId, "--yes", "--json", ...words]);
    assert.equal(code, 0, stderr + stdout);
    const [entry] = (await this.cluster.operator.client().listAudit()).entries;
    assert.deepEqual(
      [entry?.action, entry?.subject.id, entry?.after?.["note"]],
      ["adoptOrphan", projectId, "adopted"],
    );
    return JSON.parse(stdout) as OrphanAdopted;
  }

  async deleteProject({ id }: SimulatedProject): Promise<void> {
    await this.cluster.client(this.cluster.operatorToken).deleteProject({ id });
  }

  startsOf({ id }: SimulatedProject): number {
    return this.host.machine.startCounts.get(id) ?? 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#line[Symbol.asyncDispose]();
    await this.cluster[Symbol.asyncDispose]();
  }
}
