/** Defines the ingress's options and its timeouts. */

import { tunnelTimes, type TunnelTimes } from "@tijolo/protocol";
import type { Logger } from "pino";
import type { LinkTls } from "@tijolo/protocol/kit/link";
import type { SiteVisits } from "./site-visits.ts";

/**
 * Target of a site's visits: a process, files, or `soon` while a run is being replaced, restarted or started.
 */
export type IngressTarget = ProcessTarget | StaticTarget | SoonTarget;

export interface SoonTarget {
  kind: "soon";
  /** True while the run before is waited for: that time is not the next run's, which a visit waits for. */
  isEnding?: true;
}

export interface ProcessTarget {
  kind: "process";
  address: string;
  port: number;
  /** Number of the run: a connection that was kept open to one run is never used for another. */
  runNumber: number;
  /** True in the first minute of the run: until it listens, visitors are told that the site is starting. */
  isStarting: boolean;
}

export interface StaticTarget {
  kind: "static";
  /** Absolute path of the directory whose files are served. */
  directory: string;
  /** Name at the top of `directory` that is not for visitors. */
  hidden?: string;
  /** Absolute path of the directory with the same files compressed ahead (`sites/compress-site.ts`). */
  compressed?: string;
  /** True for an app of one page: an address without a file is answered with `index.html`. */
  isSpa?: boolean;
}

export interface IngressOptions {
  /**
   * Returns the target; undefined when the project does not run on this host and is not about to. Called for
   * each visit, and again while the visit is held.
   */
  findTarget: (projectId: string) => IngressTarget | undefined;
  /** Visits under way, which end before a run is stopped. Closed with the ingress. */
  visits: SiteVisits;
  centralUrl: string;
  /** The pinned authority of central; undefined without one. */
  tls?: LinkTls | undefined;
  /** Returns the bearer of the link's current welcome; undefined while there is none. */
  bearer: () => string | undefined;
  logger: Pick<Logger, "info" | "warn" | "debug">;
  /** Returns a number of at least 0 and below 1. */
  random: () => number;
  times?: Partial<IngressTimes>;
  heldBounds?: Partial<HeldBounds>;
}

/**
 * Bounds of what is held at the same time: the unread beginning of an upload lies in this process's memory.
 */
export interface HeldBounds {
  visitsPerProject: number;
  visits: number;
  bytesPerProject: number;
  bytes: number;
}

export interface IngressTimes extends TunnelTimes {
  /**
   * Milliseconds that a visit is held while its site's run is replaced, restarted, or in its first minute,
   * not counting those in which the run before ends.
   */
  holdMs: number;
  /** Milliseconds that a visit waits for a program that does not listen after the first minute of its run. */
  listenMs: number;
  /** Milliseconds in which a connection to a project must be made. */
  connectMs: number;
  /** Milliseconds of silence that a visit may have before the project's answer begins. */
  headMs: number;
  /** Milliseconds of silence in an answer or a WebSocket. */
  idleMs: number;
}

export const ingressTimes: IngressTimes = {
  ...tunnelTimes,
  holdMs: 10_000,
  listenMs: 4_000,
  connectMs: 5_000,
  headMs: 120_000,
  idleMs: 600_000,
};
