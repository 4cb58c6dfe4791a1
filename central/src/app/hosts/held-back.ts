/**
 * Tracks projects of which central sends nothing to a host, after its database was set back. Either the host
 * has a newer state that central has not taken over: an older assignment would overwrite the only copy of it.
 * Or the project is awaited: the database places it on this host, which has nothing of it, and a host that
 * has yet to tell what it holds may have it.
 */

import type { HeldBackReason } from "@tijolo/protocol";

interface OfHost {
  newer: Map<string, HeldBackReason>;
  awaited: Set<string>;
}

export class HeldBackProjects {
  /** State by host id; replaced with each inventory of the host. */
  readonly #hosts = new Map<string, OfHost>();

  /**
   * Holds back the projects of which the host's inventory shows a newer state, or nothing, until they are
   * released.
   */
  begin(hostId: string, { newer, awaited }: { newer: readonly string[]; awaited: readonly string[] }): void {
    this.#hosts.set(hostId, {
      newer: new Map(newer.map((projectId) => [projectId, "unanswered"])),
      awaited: new Set(awaited),
    });
  }

  /** Records why a newer state was not taken over. */
  explain(hostId: string, projectId: string, reason: HeldBackReason): void {
    const newer = this.#hosts.get(hostId)?.newer;
    if (newer?.has(projectId) === true) newer.set(projectId, reason);
  }

  /** Makes central's state of the project count on this host from now on. */
  release(hostId: string, projectId: string): void {
    const host = this.#hosts.get(hostId);
    host?.newer.delete(projectId);
    host?.awaited.delete(projectId);
  }

  /** Forgets a host that was revoked: nothing is awaited from it. */
  forget(hostId: string): void {
    this.#hosts.delete(hostId);
  }

  has(hostId: string, projectId: string): boolean {
    return (
      this.find(hostId, projectId) !== undefined || this.#hosts.get(hostId)?.awaited.has(projectId) === true
    );
  }

  /** Returns why the host's newer state of the project is not taken over; undefined when there is none. */
  find(hostId: string, projectId: string): HeldBackReason | undefined {
    return this.#hosts.get(hostId)?.newer.get(projectId);
  }

  /** Returns the awaited projects that no host has reported to have. */
  awaited(): { hostId: string; projectId: string }[] {
    const isTold = (projectId: string) => [...this.#hosts.values()].some(({ newer }) => newer.has(projectId));
    const all = [...this.#hosts].flatMap(([hostId, { awaited }]) =>
      [...awaited].map((projectId) => ({ hostId, projectId })),
    );
    return all.filter(({ projectId }) => !isTold(projectId));
  }
}
