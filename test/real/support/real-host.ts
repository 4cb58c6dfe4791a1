/** One host of a real cluster: an agent process with containers, addresses and files of its own; can be killed, "rebooted" and wiped. */

import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findTraces } from "../../support/machine-traces.ts";
import { until } from "../../support/until.ts";
import { Program } from "./program.ts";

export interface RealHostOptions {
  name: string;
  /** Tells the hosts of all tests that run at the same time apart; 0 to 499. */
  slot: number;
  directory: string;
  centralUrl: string;
  imagesDirectory: string;
  settings: Record<string, string>;
}

const firstUid = 2_100_000_000;
const uidsPerHost = 64 * 65_536;

export class RealHost {
  readonly name: string;
  readonly dataDirectory: string;
  readonly agent: Program;
  readonly joinTokenFile: string;

  constructor({ name, slot, directory, centralUrl, imagesDirectory, settings }: RealHostOptions) {
    this.name = name;
    this.dataDirectory = join(directory, name);
    this.joinTokenFile = join(directory, `${name}-token`);
    this.agent = new Program({
      name: "agent",
      logFile: join(directory, `${name}.log`),
      settings: {
        TIJOLO_CENTRAL_URL: centralUrl,
        TIJOLO_JOIN_TOKEN_FILE: this.joinTokenFile,
        TIJOLO_DATA_DIRECTORY: this.dataDirectory,
        TIJOLO_AGENT_NAME: name,
        TIJOLO_HOST_NAME: name,
        TIJOLO_NETWORK_CIDR: `10.${224 + (slot >> 6)}.${(slot & 63) * 4}.0/22`,
        TIJOLO_UID_START: String(firstUid + slot * uidsPerHost),
        TIJOLO_IMAGES_DIRECTORY: imagesDirectory,
        ...settings,
      },
    });
  }

  /** Host pids of a project's container, supervisor and log writer, in order. */
  pidsOf(projectId: string): number[] {
    return this.#pids((group) => group.includes(`/${projectId}/`));
  }

  /** Host pids of all containers. */
  pids(): number[] {
    return this.#pids(() => true);
  }

  /** Names of the project's runs and installs that have left a directory. */
  runNames(projectId: string): string[] {
    return namesIn(join(this.dataDirectory, "runs", projectId));
  }

  /** What a power cut and a new start of the kernel leave: the files, with run directories of another boot. */
  async reboot(): Promise<void> {
    await this.agent.kill();
    await this.#wipeKernel();
    for (const projectId of namesIn(join(this.dataDirectory, "runs"))) {
      for (const name of this.runNames(projectId)) {
        const file = join(this.dataDirectory, "runs", projectId, name, "run.json");
        if (!existsSync(file)) continue;
        writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), bootId: "an earlier boot" }));
      }
    }
  }

  /** Ends the agent and takes everything but its files off the machine. */
  async wipe(): Promise<void> {
    await this.agent.kill();
    await this.#wipeKernel();
  }

  async #wipeKernel(): Promise<void> {
    const groups = this.#groups();
    if (existsSync("/run/systemd/system")) spawnSync("systemctl", ["stop", `tijolo-${this.name}-projects.service`]);
    for (const group of groups) writeIfThere(join(group, "cgroup.kill"), "1");
    await until(() => this.pids().length === 0);
    for (const group of groups) for (const each of deepestFirst(group)) rmdirSync(each);
    for (const { kind, what } of findTraces([this.name])) {
      if (kind === "interface") spawnSync("ip", ["link", "del", what]);
      if (kind === "network namespace") execFileSync("ip", ["netns", "del", what]);
      if (kind === "nftables table") execFileSync("nft", ["delete", "table", "inet", what]);
    }
  }

  #groups(): string[] {
    return findTraces([this.name]).filter(({ kind }) => kind === "cgroup").map(({ what }) => what);
  }

  #pids(isWanted: (group: string) => boolean): number[] {
    const [unified] = this.#groups().filter((group) => existsSync(join(group, "cgroup.kill")));
    if (unified === undefined) return [];
    const groups = deepestFirst(unified).filter((group) => isWanted(`${group}/`) && !group.endsWith("/holder"));
    const pids = groups.flatMap((group) => readFileSync(join(group, "cgroup.procs"), "utf8").split("\n").filter((line) => line !== "").map(Number));
    return [...new Set(pids)].sort((a, b) => a - b);
  }
}

function deepestFirst(directory: string): string[] {
  const below = readdirSync(directory, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return [...below.flatMap(({ name }) => deepestFirst(join(directory, name))), directory];
}

function namesIn(directory: string): string[] {
  return existsSync(directory) ? readdirSync(directory) : [];
}

function writeIfThere(file: string, text: string): void {
  if (existsSync(file)) writeFileSync(file, text);
}
