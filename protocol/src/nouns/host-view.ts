/**
 * A host as operators see it: what it has and has promised, what holds the projects on it, and what each uses
 * of its limits.
 */

import type { HostMachine, HostProjectState } from "../link/host-state.ts";
import type { HostResources } from "../link/link-messages.ts";
import type { PlanName } from "./plan.ts";
import type { ProjectErrorCode, ProjectStatus } from "./project.ts";
import type { RunLimits } from "../project/run-limits.ts";

export interface HostSummary {
  id: string;
  name: string;
  state: "connected" | "unknown" | "never_connected";
  /**
   * What it says of itself. Null before its first connection, as `countedMemoryMb`, `agentVersion` and
   * `lastSeenAt`.
   */
  resources: HostResources | null;
  /** The memory that projects are placed by: no more than an operator, or else its own first word, said. */
  countedMemoryMb: number | null;
  agentVersion: string | null;
  reservedMemoryMb: number;
  projects: number;
  lastSeenAt: string | null;
  createdAt: string;
}

/** One of the projects placed on a host: by central, and by the host where it has answered. */
export interface HostProject {
  id: string;
  name: string;
  account: { id: string; name: string; plan: PlanName };
  status: ProjectStatus;
  errorCode: ProjectErrorCode | null;
  /** What it holds of the host's memory, running or not. */
  reservedMemoryMb: number;
  /** Null: it does not run, or the host is away. */
  usage: { memoryMb: number; cpuPercent: number; pids: number | null } | null;
  /** {@link HostProjectState.limits}. */
  limits: RunLimits | null;
  disk: HostProjectState["disk"];
  /** What the plan gives it, and its host is to hold it to. */
  planDiskMb: number;
}

export interface HostView {
  host: HostSummary;
  /**
   * Memory for further projects: the host's, less what it keeps for itself, less what is reserved. Null
   * before its first connection.
   */
  memory: { keptBackMb: number; freeMb: number } | null;
  /**
   * What the disks of its projects may take together. They take only what is on them, so that it may be more
   * than the host has.
   */
  promisedDiskMb: number;
  /** Newest figures of the host as a whole; null: none yet, or it is away. */
  usage: { memoryUsedMb: number; cpuPercent: number; diskFreeMb: number } | null;
  /**
   * `older_agent`: it is connected, but knows no such request yet. Without an answer there are no limits,
   * only what central knows.
   */
  answer: "complete" | "away" | "older_agent";
  machine: HostMachine | null;
  projects: HostProject[];
}
