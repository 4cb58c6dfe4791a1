/**
 * Counts the visits that the programs of sites are answering, and keeps new ones from a run that is about to
 * be stopped.
 */

import { KeptConnections } from "./kept-connections.ts";

/** A visit that a program is answering. */
export interface VisitUnderWay {
  readonly runNumber: number;
  /** True once it is a WebSocket or a stream of events, which end only when one side leaves. */
  isStream: boolean;
}

interface SiteState {
  underWay: Set<VisitUnderWay>;
  /** The run that takes no new visits; 0 for none. */
  closedRun: number;
  /** Called after each visit that ends or becomes a stream. */
  onLess: (() => void) | undefined;
}

export class SiteVisits {
  readonly kept = new KeptConnections();
  readonly #sites = new Map<string, SiteState>();

  /** Notes a visit as under way until `finish` is called with it. */
  begin(projectId: string, runNumber: number): VisitUnderWay {
    const visit = { runNumber, isStream: false };
    this.#site(projectId).underWay.add(visit);
    return visit;
  }

  /** Notes that a visit is a stream from now on. */
  becomesStream(projectId: string, visit: VisitUnderWay): void {
    visit.isStream = true;
    this.#sites.get(projectId)?.onLess?.();
  }

  /** Notes that a visit is over. A second call changes nothing. */
  finish(projectId: string, visit: VisitUnderWay): void {
    const site = this.#sites.get(projectId);
    if (site?.underWay.delete(visit) !== true) return;
    site.onLess?.();
    this.#forgetIdle(projectId, site);
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
   * `signal` is aborted: then the run may be stopped. Streams are waited for with `hasStreams` only.
   */
  async close(
    projectId: string,
    runNumber: number,
    {
      finishMs,
      hasStreams = false,
      signal,
    }: { finishMs: number; hasStreams?: boolean; signal?: AbortSignal },
  ): Promise<void> {
    const site = this.#site(projectId);
    site.closedRun = Math.max(site.closedRun, runNumber);
    this.kept.close(runName(projectId, runNumber));
    const isWaitedFor = (visit: VisitUnderWay) =>
      visit.runNumber <= runNumber && (hasStreams || !visit.isStream);
    const isFinished = () => ![...site.underWay].some(isWaitedFor);
    if (!isFinished() && signal?.aborted !== true) await finished(site, isFinished, { finishMs, signal });
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
    const site: SiteState = { underWay: new Set(), closedRun: 0, onLess: undefined };
    this.#sites.set(projectId, site);
    return site;
  }

  #forgetIdle(projectId: string, site: SiteState): void {
    const isIdle = site.underWay.size === 0 && site.closedRun === 0;
    if (isIdle && this.#sites.get(projectId) === site) this.#sites.delete(projectId);
  }
}

/** Resolves when the visits have finished, after this time, or when the signal is aborted. */
function finished(
  site: SiteState,
  isFinished: () => boolean,
  { finishMs, signal }: { finishMs: number; signal: AbortSignal | undefined },
): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      site.onLess = undefined;
      resolve();
    };
    const timer = setTimeout(end, finishMs);
    signal?.addEventListener("abort", end);
    site.onLess = () => {
      if (isFinished()) end();
    };
  });
}

/** Names a run among those of all projects. */
export function runName(projectId: string, runNumber: number): string {
  return `${projectId} ${runNumber}`;
}
