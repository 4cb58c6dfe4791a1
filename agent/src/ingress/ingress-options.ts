/** What the ingress is given, and the times it keeps. */

import { tunnelTimes, type TunnelTimes } from "@tijolo/protocol";
import type { Logger } from "pino";

/** Where a running project's visitors are answered. */
export type IngressTarget = { kind: "process"; address: string; port: number } | StaticTarget;

export interface StaticTarget {
  kind: "static";
  /** Absolute; its files are served. */
  directory: string;
  /** A name at the top of `directory` that is not for visitors. */
  hidden?: string;
}

export interface IngressOptions {
  /**
   * Undefined when the project does not run on this host now. Asked for each visit, and again while one waits
   * for a port.
   */
  findTarget: (projectId: string) => IngressTarget | undefined;
  centralUrl: string;
  /** Bearer of the link's current welcome; undefined while there is none. */
  bearer: () => string | undefined;
  logger: Pick<Logger, "info" | "warn" | "debug">;
  /** At least 0, below 1. */
  random: () => number;
  times?: Partial<IngressTimes>;
}

export interface IngressTimes extends TunnelTimes {
  /** How long a visit waits for a project that just started to listen on its port. */
  listenMs: number;
  /** In which a connection to a project must be made. */
  connectMs: number;
  /** Silence that a visit may have before the project's answer begins. */
  headMs: number;
  /** Silence in an answer or a WebSocket. */
  idleMs: number;
}

export const ingressTimes: IngressTimes = {
  ...tunnelTimes,
  listenMs: 4_000,
  connectMs: 5_000,
  headMs: 120_000,
  idleMs: 600_000,
};
