/** Provides a project with one version in a cluster of its own, and the file that holds its archive. */

import { join } from "node:path";
import { apiRequest, type ApiAnswer } from "../requests/api-request.ts";
import { SimulatedProject } from "../projects/simulated-project.ts";
import { TestCluster, type TestAccount } from "../cluster/test-cluster.ts";

export class StoredArchive implements AsyncDisposable {
  readonly cluster: TestCluster;
  readonly account: TestAccount;
  readonly project: SimulatedProject;
  /** Path of the archive in central's store. */
  readonly file: string;

  private constructor(cluster: TestCluster, account: TestAccount, project: SimulatedProject, file: string) {
    this.cluster = cluster;
    this.account = account;
    this.project = project;
    this.file = file;
  }

  static async create(): Promise<StoredArchive> {
    const cluster = await TestCluster.create();
    const account = await cluster.createAccount({ plan: "Empresas", scopes: ["versions:rollback"] });
    const project = await SimulatedProject.create(account, "sim run", { start: false });
    await project.is("stopped");
    const [version] = (await account.client.listVersions({ id: project.id })).versions;
    const file = archivePath(cluster, version?.sha256 ?? "");
    return new StoredArchive(cluster, account, project, file);
  }

  /** Requests the archive of version 1. */
  download(headers: Record<string, string> = {}, method = "GET"): Promise<ApiAnswer> {
    const path = `/api/projects/${this.project.id}/versions/1/archive`;
    return apiRequest(this.cluster.centralUrl, { method, path, headers, token: this.account.key });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.cluster[Symbol.asyncDispose]();
  }
}

/** Returns where central's store keeps an archive. */
export function archivePath({ directory }: Pick<TestCluster, "directory">, sha256: string): string {
  return join(directory, "central", "objects", "sha256", sha256.slice(0, 2), sha256);
}
