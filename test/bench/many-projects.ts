/**
 * A real cluster with many small projects on its one host: more than an upload each would bring there in the
 * time of a bench.
 */

import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { makeId, type Client, type Project } from "@tijolo/protocol";
import { openDatabase } from "../../central/src/store/sqlite/open-database.ts";
import { transact, type Database } from "../../central/src/store/store.ts";
import {
  findProject,
  insertProject,
  type ProjectRow,
} from "../../central/src/store/tables/projects/project.ts";
import { insertVersion } from "../../central/src/store/tables/projects/version.ts";
import type { TestAccount } from "../support/cluster/operator.ts";
import { until } from "../support/until.ts";
import { DeployedProject, shellBot } from "../real/support/projects/deployed-project.ts";
import { RealCluster } from "../real/support/cluster/real-cluster.ts";

/**
 * Memory in MiB that the host reserves for a project. A plan asks for more, so that the machine's memory
 * would end before the projects.
 */
const memoryMb = 48;
const projectsPerAccount = 10;
/** Room for more projects than a host of the tests has. */
const hostSettings = { TIJOLO_NETWORK_CIDR: "10.240.0.0/21", TIJOLO_UID_START: String(0x6000_0000) };
const timeoutMs = 180_000;

export class ManyProjects implements AsyncDisposable {
  readonly cluster: RealCluster;
  readonly count: number;
  readonly #accounts: readonly TestAccount[];

  private constructor(cluster: RealCluster, accounts: readonly TestAccount[], count: number) {
    this.cluster = cluster;
    this.#accounts = accounts;
    this.count = count;
  }

  /** Creates a cluster without projects yet. */
  static async create(count: number): Promise<ManyProjects> {
    const cluster = await RealCluster.create({ agentSettings: hostSettings });
    const accounts: TestAccount[] = [];
    for (let index = 0; index * projectsPerAccount < count; index++)
      accounts.push(await cluster.createAccount());
    return new ManyProjects(cluster, accounts, count);
  }

  /**
   * Uploads one that runs the command; central's database gets the others as copies of it while central is
   * down. Resolves once all are installed.
   */
  async install(command: string): Promise<void> {
    const { cluster } = this;
    const [first] = this.#accounts;
    if (first === undefined) throw new Error("there is no account");
    const uploaded = await DeployedProject.create(first.client, shellBot(command));
    await uploaded.is("running");
    await first.client.stopProject({ id: uploaded.id });
    await uploaded.is("stopped");
    await cluster.central.stop();
    await this.#copy(uploaded.id);
    await cluster.startCentral();
    await cluster.untilConnected();
    await this.#all(({ status }) => status === "stopped");
  }

  async startAll(): Promise<void> {
    const asked = this.#accounts.map(async ({ client }) => {
      const { projects } = await client.listProjects();
      for (const { id } of projects) await client.startProject({ id });
    });
    await Promise.all(asked);
    await this.#all(({ status }) => status === "running");
  }

  /** Resolves once all run again that ran at the time. */
  allRunSince(at: Date): Promise<void> {
    return this.#all(
      ({ status, startedAt }) => status === "running" && startedAt !== null && new Date(startedAt) > at,
    );
  }

  async #all(isReached: (project: Project) => boolean): Promise<void> {
    const areAll = async (client: Client) => (await client.listProjects()).projects.every(isReached);
    for (const { client } of this.#accounts) await until(() => areAll(client), { timeoutMs, everyMs: 100 });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.cluster[Symbol.asyncDispose]();
  }

  async #copy(projectId: string): Promise<void> {
    await using opened = await openDatabase(join(this.cluster.directory, "central", "central.sqlite"));
    const model = await findProject(opened.db, projectId);
    if (model === undefined) throw new Error("the uploaded project is gone");
    const owners = this.#accounts
      .flatMap(({ id }) => Array<string>(projectsPerAccount).fill(id))
      .slice(1, this.count);
    await insertCopies(opened.db, model, owners);
  }
}

async function insertCopies(db: Database, model: ProjectRow, owners: readonly string[]): Promise<void> {
  const { archive_sha256: sha256, size_bytes: sizeBytes } = await db
    .selectFrom("version")
    .select(["archive_sha256", "size_bytes"])
    .where("project_id", "=", model.id)
    .executeTakeFirstOrThrow();
  const { observed: _, runningSettings: __, variablesRevision: ___, ...row } = model;
  await transact(db, async (tx) => {
    for (const accountId of owners) {
      const id = makeId(Date.now(), randomBytes(10));
      const settings = { ...row.settings, memoryMb };
      await insertProject(tx, {
        ...row,
        id,
        accountId,
        settings,
        run: "off",
        restartCount: 0,
        startConfigTag: null,
      });
      await insertVersion(tx, {
        projectId: id,
        number: row.versionNumber,
        sha256,
        sizeBytes,
        trigger: "upload",
        by: { kind: "service", name: "bench" },
        settings,
        rolledBackFrom: null,
        createdAt: row.createdAt,
      });
    }
  });
}
