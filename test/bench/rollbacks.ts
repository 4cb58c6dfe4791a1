/**
 * Measures how long a rollback takes: one whose install is still on the host, and one that installs anew,
 * beside a plain restart of the same site and its program alone.
 */

import { execFile } from "node:child_process";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { DeployedProject, nodeProgram, type Upload } from "../real/support/projects/deployed-project.ts";
import { RealCluster } from "../real/support/cluster/real-cluster.ts";
import { until } from "../support/until.ts";
import type { Bench, Figure } from "./bench.ts";
import { nodeImage } from "./bench-images.ts";
import { LogFollow } from "./follow-log.ts";
import { mountRoot } from "./mount-root.ts";
import { interleave, Sample } from "./sample.ts";

const rounds = 10;
const warmUps = 2;
const aimBeyondProgramMs = 1_000;
const patience = { timeoutMs: 120_000, everyMs: 5 };
const now = () => performance.timeOrigin + performance.now();

export const rollbacks: Bench = {
  name: "rollbacks",
  async run(context): Promise<Figure[]> {
    const { resources, say } = context;
    const root = await mountRoot(await nodeImage(context), resources);
    const cluster = resources.use(await RealCluster.create());
    const site = resources.use(await TwoVersions.create(cluster));
    const toUp = { restart: [] as number[], kept: [] as number[], anew: [] as number[] };
    const first = async (name: keyof typeof toUp, ask: () => Promise<unknown>) => {
      const { firstLineMs, upMs } = await site.timesOf(ask);
      toUp[name].push(upMs);
      return firstLineMs;
    };
    await writeFile(join(root, "program.js"), `console.log("ready")`);
    say(`${rounds} rounds of a restart and two rollbacks`);
    const lines = await interleave(
      {
        alone: async () => {
          const askedMs = now();
          await promisify(execFile)("chroot", [root, "node", "/program.js"], {
            env: { PATH: "/usr/local/bin:/usr/sbin:/usr/bin:/bin" },
          });
          return now() - askedMs;
        },
        restart: () => first("restart", () => site.restart()),
        kept: () => first("kept", () => site.goBack()),
        anew: async () => {
          await site.forgetOther();
          return first("anew", () => site.goBack());
        },
      },
      { rounds, warmUps },
    );
    const measured = (values: readonly number[]) => new Sample(values.slice(warmUps));
    const names = {
      kept: "rollback, its install still there",
      anew: "rollback that installs anew",
      restart: "plain restart",
    };
    return [
      {
        title: "Rollback requested → first line of the program seen by the client",
        unit: "ms",
        rows: [
          { name: names.kept, sample: lines.kept },
          { name: names.anew, sample: lines.anew },
          { name: names.restart, sample: lines.restart },
          { name: "the program alone, in a bare fork", sample: lines.alone },
        ],
        aim: {
          of: "install still there, beyond the program",
          value: lines.kept.median - lines.alone.median,
          unit: "ms",
          limit: aimBeyondProgramMs,
          isReachedBy: "at most",
        },
      },
      {
        title: "Rollback requested → site is up (it listens, and central says so)",
        unit: "ms",
        rows: [
          { name: names.kept, sample: measured(toUp.kept) },
          { name: names.anew, sample: measured(toUp.anew) },
          { name: names.restart, sample: measured(toUp.restart) },
        ],
        aim: null,
      },
    ];
  },
};

/** A site with two versions, of which the other one is gone back to each time. */
class TwoVersions implements AsyncDisposable {
  readonly #cluster: RealCluster;
  readonly #project: DeployedProject;
  readonly #log: LogFollow;
  #isFirstUp = false;

  private constructor(cluster: RealCluster, project: DeployedProject) {
    this.#cluster = cluster;
    this.#project = project;
    this.#log = new LogFollow(project);
  }

  static async create(cluster: RealCluster): Promise<TwoVersions> {
    const scopes = ["projects:settings", "versions:rollback"] as const;
    const { client } = await cluster.createAccount({ plan: "Empresas", scopes: [...scopes] });
    const project = await DeployedProject.create(client, site("first"));
    const versions = new TwoVersions(cluster, project);
    await versions.#isUp();
    await project.upload(site("second"));
    await versions.#isUp();
    await versions.#log.opened();
    return versions;
  }

  restart(): Promise<unknown> {
    const { client, id } = this.#project;
    return client.restartProject({ id });
  }

  async goBack(): Promise<unknown> {
    const { client, id } = this.#project;
    const { versions } = await client.listVersions({ id });
    const current = versions[0]?.sha256;
    const other = versions.find(({ sha256 }) => sha256 !== current);
    this.#isFirstUp = !this.#isFirstUp;
    return client.rollbackProject({ id, number: other?.number ?? 0 });
  }

  /** Removes from the host what it has kept of the version that does not run. */
  async forgetOther(): Promise<void> {
    const directory = join(this.#cluster.host.dataDirectory, "projects", this.#project.id, "versions");
    const other = this.#isFirstUp ? "second" : "first";
    for (const name of await readdir(directory)) {
      const code = await readFile(join(directory, name, "code", "index.js"), "utf8").catch(() => "");
      if (code.includes(other)) await rm(join(directory, name), { recursive: true });
    }
  }

  /** Returns the times from the request to the first line of the next run, and to a site that is up. */
  async timesOf(ask: () => Promise<unknown>): Promise<{ firstLineMs: number; upMs: number }> {
    // What the last run left is removed a moment later, which is not to fall into this time.
    await until(() => this.#cluster.host.runNames(this.#project.id).length === 1, patience);
    const line = this.#log.line(({ text }) => text.startsWith("ready"));
    const askedMs = now();
    await ask();
    const { arrivedMs } = await line;
    await this.#isUp();
    return { firstLineMs: arrivedMs - askedMs, upMs: now() - askedMs };
  }

  async #isUp(): Promise<void> {
    const { client, id } = this.#project;
    await until(async () => {
      const { isStarting, project } = await client.getProject({ id });
      if (project.status !== "running" || isStarting === true) return false;
      return (await client.listVersions({ id })).versions[0]?.status === "live";
    }, patience);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#log[Symbol.asyncDispose]();
  }
}

function site(name: string): Upload {
  const source = `console.log("ready ${name}");
require("node:http").createServer((_, answer) => answer.end("${name}")).listen(process.env.PORT);`;
  const config = { type: "site", subdomain: "volta", installCommand: "mkdir -p made && date > made/file" };
  return nodeProgram(source, config);
}
