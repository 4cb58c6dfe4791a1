/** Defines the ingress's options and its timeouts. */

import { tunnelTimes, type TunnelTimes } from "@tijolo/protocol";
import type { Logger } from "pino";

/** The place that answers a running project's visitors. */
export type IngressTarget = { kind: "process"; address: string; port: number } | StaticTarget;

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
   * Finds the target; undefined when the project does not run on this host now. Called for each visit, and
   * again while one waits for a port.
   */
  findTarget: (projectId: string) => IngressTarget | undefined;
  centralUrl: string;
  /** Returns the bearer of the link's current welcome; undefined while there is none. */
  bearer: () => string | undefined;
  logger: Pick<Logger, "info" | "warn" | "debug">;
  /** Returns a number of at least 0 and below 1. */
  random: () => number;
  times?: Partial<IngressTimes>;
}

export interface IngressTimes extends TunnelTimes {
  /** Milliseconds that a visit waits for a project that just started to listen on its port. */
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
  listenMs: 4_000,
  connectMs: 5_000,
  headMs: 120_000,
  idleMs: 600_000,
};
