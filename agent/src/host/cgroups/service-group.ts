/**
 * Puts a process of the agent's that is to outlive it into a group beside those of projects, where a service
 * manager does not look for the agent's own processes.
 */

import { writeFile } from "node:fs/promises";
import type { Cgroups } from "./cgroup.ts";

/**
 * A group of one agent, without limits. A unit of systemd ends every process in its own group when it is
 * restarted; a process that has moved to this group keeps running.
 */
export interface ServiceGroup {
  /**
   * Moves the process here with all its threads. Changes nothing when it is here. Rejects when it is gone.
   */
  join(pid: number): Promise<void>;
  /** Makes the group, and returns the files into each of which a process writes `0` to come here by itself. */
  open(): Promise<string[]>;
  /** Kills what is in it and removes it. Does nothing when there is no such group. */
  remove(): Promise<void>;
}

/** `name` must not be a project's id. */
export function serviceGroup(cgroups: Cgroups, name: string): ServiceGroup {
  return {
    async join(pid) {
      await cgroups.create(name, null);
      for (const file of cgroups.joinFiles(name)) await writeFile(file, String(pid));
    },
    async open() {
      await cgroups.create(name, null);
      return cgroups.joinFiles(name);
    },
    async remove() {
      await cgroups.kill(name);
      await cgroups.remove(name);
    },
  };
}
