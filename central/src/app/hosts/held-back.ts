/**
 * Projects of which a host has a newer state than central's database, which was set back, and which central
 * could not take over. Central sends nothing of them to that host: an older assignment would overwrite the
 * only copy of the newer state.
 */

import type { HeldBackReason } from "@tijolo/protocol";

export class HeldBackProjects {
  /** By host id, then by project id; a host's are replaced with each of its inventories. */
  readonly #hosts = new Map<string, Map<string, HeldBackReason>>();

  /**
   * The host's inventory shows a newer state of these projects. They are held back until each is taken over.
   */
  begin(hostId: string, projectIds: readonly string[]): void {
    this.#hosts.set(hostId, new Map(projectIds.map((projectId) => [projectId, "unanswered"])));
  }

  /** Says why a project that is held back was not taken over. */
  explain(hostId: string, projectId: string, reason: HeldBackReason): void {
    const projects = this.#hosts.get(hostId);
    if (projects?.has(projectId) === true) projects.set(projectId, reason);
  }

  /** What central has of the project counts on this host from now on. */
  release(hostId: string, projectId: string): void {
    this.#hosts.get(hostId)?.delete(projectId);
  }

  /** Returns why the project is held back from the host; undefined when it is not. */
  find(hostId: string, projectId: string): HeldBackReason | undefined {
    return this.#hosts.get(hostId)?.get(projectId);
  }
}
