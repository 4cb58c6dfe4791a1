/**
 * The parts of the agent that the workers of projects use, handed down as one object by the composition root.
 */

import type { Logger } from "pino";
import type { ContainerTrust } from "../images/container-trust.ts";
import type { ProjectDisks } from "../disk/project-disks.ts";
import type { Explainer } from "../diagnosis/explainer.ts";
import type { PortWatch } from "../diagnosis/port-watch.ts";
import type { SiteVisits } from "../ingress/site-visits.ts";
import type { InstallCache } from "../install-cache/install-cache.ts";
import type { ImageStore } from "../images/image-store.ts";
import type { MachineParts } from "../machine-parts.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { ProjectNetworks } from "../network/network.ts";
import type { SiteDrain } from "../link/link.ts";
import type { Runtime } from "../runtime/runtime.ts";
import type { ProjectLogs } from "../logs/project-logs.ts";
import type { ReplacedFiles } from "../versions/merge/replaced-files.ts";
import type { StaticSites } from "../statics/static-sites.ts";
import type { Slots } from "@tijolo/protocol/kit";

export interface WorkerContext {
  dataDirectory: string;
  clock: { now(): number };
  /** Returns a number from 0 to below 1. */
  random: () => number;
  logger: Logger;
  ledger: Ledger;
  disks: ProjectDisks;
  runtime: Runtime;
  images: Pick<ImageStore, "ensure">;
  installCache: Pick<InstallCache, "find" | "keep">;
  network: ProjectNetworks;
  /** Returns how many mebibytes of memory the host can give now. */
  freeMemoryMb: () => number;
  /** Serves static sites; undefined: only the ingress does. */
  statics?: Pick<StaticSites, "addressOf" | "serve" | "withdraw">;
  /** Returns the port at which a site on `port` is reached. Default: the same port. */
  portOf?: MachineParts["portOf"];
  /** True where projects of other hosts reach those of this one. Default: false. */
  hasMesh?: boolean;
  logs: ProjectLogs;
  replacedFiles: Pick<ReplacedFiles, "merge" | "restore">;
  portWatch: Pick<PortWatch, "watch">;
  explainer: Pick<Explainer, "explain">;
  trust: ContainerTrust;
  /** Returns notices about this machine, which the owner gets at each install. */
  installNotices?: MachineParts["installNotices"];
  /** First uid of the first project; each project has 65,536 of its own from there on. */
  uidStart: number;
  cpuCount: number;
  /** Bounds how many installs run at once. */
  installSlots: Slots;
  /** Bounds how many sites are compressed at once: it takes the threads that files are read with. */
  compressSlots: Slots;
  installTimeoutMs: number;
  /** Shortest pauses before restarts after crashes. Default: those of the restart policy. */
  restartPausesMs?: readonly number[];
  /** Fetches an archive of central into a file; rejects when it cannot be had. */
  fetchArchive: (
    archive: { sha256: string; sizeBytes: number },
    target: string,
    signal: AbortSignal,
  ) => Promise<void>;
  wakeOutbox: () => void;
  /** Must be called after a project was removed from this host. */
  noteRemoved: () => void;
  /** Closes runs to visitors before they are stopped, and opens them again. */
  visits: Pick<SiteVisits, "close" | "open">;
  /**
   * Keeps the gateways' visits from a run that is about to be stopped, and waits so many seconds for those
   * under way, or until `signal` is aborted; never rejects.
   */
  drainSite: (run: SiteDrain, signal: AbortSignal) => Promise<void>;
}
