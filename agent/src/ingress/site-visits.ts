/**
 * Counts the visits that the programs of sites are answering, and keeps new ones from a run that is about to
 * be stopped.
 */

import { KeptConnections } from "./kept-connections.ts";

interface SiteState {
  /** Visits that the site's program is answering and that end by themselves. */
  underWay: number;
  /** The run that takes no new visits; 0 for none. */
  closedRun: number;
  /** Called when the last visit under way has ended. */
  onFinished: (() => void) | undefined;
}

export class SiteVisits {
  readonly kept = new KeptConnections();
  readonly #sites = new Map<string, SiteState>();

  /** Counts a visit as under way until the returned function is called; further calls change nothing. */
  begin(projectId: string): () => void {
    const site = this.#site(projectId);
    site.underWay += 1;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      site.underWay -= 1;
      if (site.underWay > 0) return;
      site.onFinished?.();
      this.#forgetIdle(projectId, site);
    };
  }

  /** True when the run was closed: visits are held until there is another one. */
  isClosed(projectId: string, runNumber: number): boolean {
    const site = this.#sites.get(projectId);
    if (site === undefined || site.closedRun === 0) return false;
    if (runNumber <= site.closedRun) return true;
    this.open(projectId);
    return false;
  }

  /**
   * Closes a run to new visits. Resolves when those under way have finished, after `finishMs`, or when
   * `signal` is aborted: then the run may be stopped.
   */
  async close(
    projectId: string,
    runNumber: number,
    { finishMs, signal }: { finishMs: number; signal?: AbortSignal },
  ): Promise<void> {
    const site = this.#site(projectId);
    site.closedRun = Math.max(site.closedRun, runNumber);
    this.kept.close(runName(projectId, runNumber));
    if (site.underWay > 0 && signal?.aborted !== true) await finished(site, finishMs, signal);
    this.kept.close(runName(projectId, runNumber));
  }

  /** Lets visits in again: the run that was closed goes on, or the project is gone. */
  open(projectId: string): void {
    const site = this.#sites.get(projectId);
    if (site === undefined) return;
    site.closedRun = 0;
    this.#forgetIdle(projectId, site);
  }

  #site(projectId: string): SiteState {
    const known = this.#sites.get(projectId);
    if (known !== undefined) return known;
    const site: SiteState = { underWay: 0, closedRun: 0, onFinished: undefined };
    this.#sites.set(projectId, site);
    return site;
  }

  #forgetIdle(projectId: string, site: SiteState): void {
    const isIdle = site.underWay === 0 && site.closedRun === 0;
    if (isIdle && this.#sites.get(projectId) === site) this.#sites.delete(projectId);
  }
}

/** Resolves when no visit is under way any more, after this time, or when the signal is aborted. */
function finished(site: SiteState, ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      site.onFinished = undefined;
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener("abort", end);
    site.onFinished = end;
  });
}

/** Names a run among those of all projects. */
export function runName(projectId: string, runNumber: number): string {
  return `${projectId} ${runNumber}`;
}
