/**
 * Orphans: projects that a host holds and central does not have there, and what was put back after central's
 * database was set back.
 */

import { z } from "zod";
import { id } from "../values/id.ts";
import { hostChoice, type HostReference } from "./image.ts";

/**
 * Why central, which has an older state of a project on the same host, did not take the host's newer one
 * over: `unanswered`: the host did not send it; `unproven`: it does not carry central's signature;
 * `variables_unavailable`: central has no master key; `failed`: central's log has more.
 */
export type HeldBackReason = "unanswered" | "unproven" | "variables_unavailable" | "failed";

export interface Orphan {
  id: string;
  /** Null with `account` and `versionNumber`: the host has only files of it. */
  name: string | null;
  /** `name` is null for an account that central does not have. */
  account: { id: string; name: string | null } | null;
  versionNumber: number | null;
  isRunning: boolean;
  diskUsedMb: number | null;
  /** Since when central has not named it to its host. */
  unwantedSince: string | null;
  /**
   * Central has the bytes of its version. Without them it runs on, but cannot be installed anew before new
   * code is sent.
   */
  hasArchive: boolean;
  /** What the host says of it carries central's signature. */
  isProven: boolean;
  /** Where central has the project instead. */
  placedOn: HostReference | null;
  /** Null: central does not have it on this host. */
  heldBack: HeldBackReason | null;
}

export interface HostOrphans {
  host: HostReference;
  /** False: it is away, or its agent is too old to tell. */
  isReached: boolean;
  orphans: Orphan[];
}

/**
 * Describes a project that was put back in the last week. `installed_anew`: its host had nothing of it, so
 * its disk is empty.
 */
export interface RestoredProject {
  project: { id: string; name: string };
  account: { id: string };
  at: string;
  note: "adopted" | "installed_anew" | "taken_over";
}

export interface OrphanList {
  hosts: HostOrphans[];
  restored: RestoredProject[];
}

export const orphanChoice = hostChoice.extend({ projectId: id });

export const orphanAdoption = orphanChoice.extend({
  /** In place of its own, which central may not have. */
  accountId: id.optional(),
  /** Takes what the host says without central's signature. */
  isHostTrusted: z.boolean().default(false),
});
export type OrphanAdoption = z.output<typeof orphanAdoption>;

export interface OrphanAdopted {
  project: { id: string; name: string; subdomain: string | null; versionNumber: number };
  host: HostReference;
  hasArchive: boolean;
  /** Central can seal and keep them again: false where the host did not have them. */
  hasVariables: boolean;
}
