/**
 * Defines the messages in which a host reports what it holds: an outline after each welcome, and whole
 * projects that central asks for.
 */

import { z } from "zod";
import { count, diskAmountMb } from "../values/amounts.ts";
import { assignment } from "./assignment.ts";
import { id } from "../values/id.ts";
import { timestamp } from "../nouns/project.ts";
import { observedState } from "../project/observed-state.ts";

/** Reason why a project no longer belongs to a host. Without one of these a host gives up nothing. */
export const departureReason = z.enum([
  /** The project's owner or an operator deleted it: it is stopped, and its disk is free at once. */
  "deleted",
  /** Another host has the project now: it is stopped, and its disk is kept for a day. */
  "moved",
  /**
   * Central has the project on another host, without a record of a move: it is stopped, and its disk is kept
   * until an operator decides.
   */
  "elsewhere",
]);
export type DepartureReason = z.infer<typeof departureReason>;

export const departure = z.object({ projectId: id, reason: departureReason });
export type Departure = z.infer<typeof departure>;

/** Most projects of one host in its report. */
export const maxHeldProjects = 20_000;

/** One project that a host has something of. */
export const heldOutline = z.object({
  projectId: id,
  generation: z
    .int()
    .min(0)
    .max(2 ** 31),
  /** Desired state as the host knows it; null: unknown. `revision` null: unknown revision. */
  wanted: z
    .object({
      revision: count.nullable(),
      versionNumber: count,
      sha256: assignment.shape.archive.shape.sha256,
    })
    .nullable(),
});
export type HeldOutline = z.infer<typeof heldOutline>;

export const inventory = z.object({ projects: z.array(heldOutline).max(maxHeldProjects) });

/** A project whole, as its host knows it. */
export const heldProject = z.object({
  projectId: id,
  generation: z
    .int()
    .min(0)
    .max(2 ** 31),
  /** Assignment as central last wanted it; null where the host does not know. */
  assignment: assignment.nullable(),
  observed: observedState.nullable(),
  /** Time since which central has no longer named it; null: it does, or the host does not know. */
  unwantedSince: timestamp.nullable(),
  isRunning: z.boolean(),
  /** Disk usage; null: it has no disk, or it cannot be read. */
  diskUsedMb: diskAmountMb.nullable(),
});
export type HeldProject = z.infer<typeof heldProject>;

export const heldProjects = z.object({ projects: z.array(heldProject).max(1_000) });
