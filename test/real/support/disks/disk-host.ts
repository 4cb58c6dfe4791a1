/**
 * A host with containers whose projects have disks of their own; leaves no mount, loop device or image
 * behind.
 */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { ImageDisks } from "../../../../agent/src/disk/image-disks.ts";
import { ContainerHost, until } from "../host/container-host.ts";
import { loopFilesBelow, mountsBelow, unmountBelow } from "./project-disk.ts";

export class DiskHost implements AsyncDisposable {
  readonly containers: ContainerHost;
  /** Disks of the newest agent. */
  disks: ImageDisks;
  /** Log messages of the agent, newest last. */
  readonly said: string[];

  private constructor(containers: ContainerHost, disks: ImageDisks, said: string[]) {
    this.containers = containers;
    this.disks = disks;
    this.said = said;
  }

  static async create(): Promise<DiskHost> {
    const containers = await ContainerHost.create();
    const said: string[] = [];
    return new DiskHost(containers, await openDisks(containers.dataDirectory, said), said);
  }

  /** Reopens the disks as an agent that was killed and started again does. */
  async reopen(): Promise<void> {
    this.disks = await openDisks(this.containers.dataDirectory, this.said);
    await this.disks.recover();
  }

  /** Returns the room that the image takes on the host. */
  allocatedMb(projectId: string): number {
    return (statSync(this.#image(projectId)).blocks * 512) / 2 ** 20;
  }

  /** Resolves once nothing of the project's ended runs is being removed any more: run directories go last. */
  async untilIdle(projectId: string): Promise<void> {
    const runs = join(this.containers.dataDirectory, "runs", projectId);
    await until(() => !existsSync(runs) || readdirSync(runs).length === 0);
  }

  /**
   * Does to the disks what a power cut does, for which all projects must be stopped: afterwards no device
   * holds an image.
   */
  async losePower(): Promise<void> {
    const { dataDirectory } = this.containers;
    for (const projectId of await this.#projectIds()) await this.untilIdle(projectId);
    await unmountBelow(dataDirectory);
    await until(() => loopFilesBelow(dataDirectory).length === 0);
  }

  /**
   * Damages an image that is not mounted: with an error in its superblock, and a directory's inode as free.
   */
  tear(projectId: string): void {
    for (const request of ["set_super_value state 2", "freei /disk"]) {
      execFileSync("debugfs", ["-w", "-R", request, this.#image(projectId)], { stdio: "ignore" });
    }
  }

  async remove(projectId: string): Promise<void> {
    await this.containers.runtime.remove(projectId);
    await this.disks.remove(projectId);
  }

  /** Returns the projects, also those of which only what was put aside exists, as `.kept-<id>.<time>`. */
  async #projectIds(): Promise<string[]> {
    const names = await readdir(join(this.containers.dataDirectory, "projects"));
    return [...new Set(names.map((name) => name.replace(/^\.[a-z]+-([^.]+).*$/, "$1")))];
  }

  #image(projectId: string): string {
    return join(this.containers.dataDirectory, "disks", `${projectId}.img`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { dataDirectory } = this.containers;
    for (const projectId of await this.#projectIds()) await this.remove(projectId);
    await this.disks[Symbol.asyncDispose]();
    await until(() => loopFilesBelow(dataDirectory).length === 0).catch(() => {});
    assert.deepEqual([mountsBelow(dataDirectory), loopFilesBelow(dataDirectory)], [[], []]);
    assert.deepEqual(await readdir(join(dataDirectory, "disks")), []);
    await rm(join(dataDirectory, "disks"), { recursive: true });
    await this.containers[Symbol.asyncDispose]();
  }
}

function openDisks(dataDirectory: string, said: string[]): Promise<ImageDisks> {
  const say = (...words: unknown[]) =>
    void said.push(words.map((word) => (typeof word === "string" ? word : JSON.stringify(word))).join(" "));
  return ImageDisks.create({ dataDirectory, logger: { info: say, warn: say, error: say } });
}
