/** Limits how many visits may be under way at once, so that one site cannot use up what all share. */

import { maxTunnelStreams } from "@tijolo/protocol";

/** Streams beyond the visits' places: a place is free a moment before its stream is closed. */
const closingStreams = 64;

export class VisitLimit {
  readonly #counts = new Map<string, number>();
  readonly #perProject: number;

  constructor(perProject = maxTunnelStreams / 4) {
    this.#perProject = perProject;
  }

  /**
   * Takes a place for the project and one on its host's tunnel; undefined when there is none. The returned
   * function gives it back, once.
   */
  enter({ projectId, hostId }: { projectId: string; hostId: string }): (() => void) | undefined {
    const ofProject = this.#counts.get(projectId) ?? 0;
    const ofHost = this.#counts.get(hostId) ?? 0;
    if (ofProject >= this.#perProject || ofHost >= maxTunnelStreams - closingStreams) return undefined;
    this.#counts.set(projectId, ofProject + 1);
    this.#counts.set(hostId, ofHost + 1);
    return () => {
      this.#leave(projectId);
      this.#leave(hostId);
    };
  }

  #leave(key: string): void {
    const count = this.#counts.get(key) ?? 0;
    if (count <= 1) this.#counts.delete(key);
    else this.#counts.set(key, count - 1);
  }
}
