/**
 * One host of a real cluster: an agent process with containers, addresses and files of its own; can be
 * killed, "rebooted" and wiped.
 */

import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { testIndexAgeDays } from "../images/kept-images.ts";
import { Program } from "./program.ts";
import { unmountBelow } from "../disks/project-disk.ts";
import { instancePids, wipeInstance } from "../host/wipe-instance.ts";

export interface RealHostOptions {
  name: string;
  /** Tells the hosts of all tests that run at the same time apart; 0 to 447. */
  slot: number;
  directory: string;
  centralUrl: string;
  imagesDirectory: string;
  settings: Record<string, string>;
  /** See {@link ProgramOptions}. */
  within?: readonly string[];
}

/** First uid; the range ends at 2^31, where the kernel wants a gid to end. */
const firstUid = 0x2000_0000;
const uidsPerHost = 32 * 65_536;

export class RealHost {
  readonly name: string;
  readonly dataDirectory: string;
  readonly agent: Program;
  readonly joinTokenFile: string;

  constructor({
    name,
    slot,
    directory,
    centralUrl,
    imagesDirectory,
    settings,
    within = [],
  }: RealHostOptions) {
    this.name = name;
    this.dataDirectory = join(directory, name);
    this.joinTokenFile = join(directory, `${name}-token`);
    this.agent = new Program({
      name: "agent",
      logFile: join(directory, `${name}.log`),
      within,
      settings: {
        TIJOLO_CENTRAL_URL: centralUrl,
        TIJOLO_JOIN_TOKEN_FILE: this.joinTokenFile,
        TIJOLO_DATA_DIRECTORY: this.dataDirectory,
        TIJOLO_AGENT_NAME: name,
        TIJOLO_HOST_NAME: name,
        // On a machine of its own it takes the range that central gives it.
        ...(within.length === 0 && {
          TIJOLO_NETWORK_CIDR: `10.${224 + (slot >> 6)}.${(slot & 63) * 4}.0/22`,
        }),
        TIJOLO_UID_START: String(firstUid + slot * uidsPerHost),
        TIJOLO_IMAGES_DIRECTORY: imagesDirectory,
        TIJOLO_DEBIAN_INDEX_AGE_DAYS: String(testIndexAgeDays),
        ...settings,
      },
    });
  }

  /** Returns the host pids of a project's container, supervisor and log writer, in order. */
  pidsOf(projectId: string): number[] {
    return instancePids(this.name, projectId);
  }

  /** Returns the host pids of all containers. */
  pids(): number[] {
    return instancePids(this.name);
  }

  /** Names of the project's runs and installs that have left a directory. */
  runNames(projectId: string): string[] {
    return namesIn(join(this.dataDirectory, "runs", projectId));
  }

  /**
   * Leaves what a power cut and a new start of the kernel leave: the files, with run directories of another
   * boot.
   */
  async reboot(): Promise<void> {
    await this.wipe();
    for (const projectId of namesIn(join(this.dataDirectory, "runs"))) {
      for (const name of this.runNames(projectId)) {
        const file = join(this.dataDirectory, "runs", projectId, name, "run.json");
        if (!existsSync(file)) continue;
        writeFileSync(
          file,
          JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), bootId: "an earlier boot" }),
        );
      }
    }
  }

  /** Ends the agent and takes everything but its files off the machine. */
  async wipe(): Promise<void> {
    await this.agent.kill();
    await wipeInstance(this.name);
    await unmountBelow(this.dataDirectory);
  }
}

function namesIn(directory: string): string[] {
  return existsSync(directory) ? readdirSync(directory) : [];
}
