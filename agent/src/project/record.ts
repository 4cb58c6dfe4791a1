/**
 * Defines what the agent remembers of a project across its own restarts; saved in the ledger together with
 * what is reported to central.
 */

import { observedState } from "@tijolo/protocol";
import { z } from "zod";

const appLayer = z.object({ directory: z.string(), uidBase: z.int() });

const projectRecord = z.object({
  /** The state that is reported to central; details in a shape of another agent version are left out. */
  observed: z.object({ ...observedState.shape, errorDetails: observedState.shape.errorDetails.catch([]) }),
  /** Number of the newest run on this host; 0 before the first. */
  runNumber: z.int(),
  /**
   * The newest run whose exit was recorded: an agent killed before it forgot the run finds the exit again.
   */
  endedRunNumber: z.int().default(0),
  /**
   * The finished install: which version, {@link installKey} of the settings it was made with, and the layers
   * that its steps made, topmost first. Without layers it is an earlier agent's, whose only layer is the
   * version's directory `install`.
   */
  installed: z
    .object({ versionNumber: z.int(), key: z.string(), layers: z.array(appLayer).optional() })
    .nullable(),
  /**
   * Settings of the newest run that count while it is up, whatever is wanted of the next one; null before the
   * first.
   */
  startedWith: z
    .object({
      language: z.string(),
      root: z.string().nullable(),
      port: z.int().nullable(),
      memoryMb: z.int(),
      spa: z.boolean().optional(),
    })
    .nullable()
    .default(null),
  /** Layers of the image that the newest run was started on: they are not pruned. */
  imageLayers: z.array(z.string()),
  /** Layers of /app that the newest run was started with. */
  runLayers: z.array(z.string()).default([]),
  /** Version whose files were merged with what the project wrote under /app; 0 for none. */
  mergedVersion: z.int(),
  /** Number of install steps of this version that a fault of the host has interrupted. */
  interruptedInstalls: z.int(),
  /**
   * Time of the next start in milliseconds since 1970, with phase `waiting`, and with `failed` for a damaged
   * disk.
   */
  retryAtMs: z.int().nullable(),
  /** Number of starts in a row that a damaged disk has prevented. */
  damagedStarts: z.int().default(0),
});

export type ProjectRecord = z.infer<typeof projectRecord>;

export const newRecord: ProjectRecord = {
  observed: {
    phase: "extracting",
    versionNumber: 0,
    restartCount: 0,
    errorCode: null,
    errorDetails: [],
    consecutiveCrashes: 0,
    lastExit: null,
    startedAt: null,
    configTag: null,
    servingVersion: null,
    hasComeUp: false,
  },
  runNumber: 0,
  endedRunNumber: 0,
  installed: null,
  startedWith: null,
  imageLayers: [],
  runLayers: [],
  mergedVersion: 0,
  interruptedInstalls: 0,
  retryAtMs: null,
  damagedStarts: 0,
};

/**
 * Parses a record that an agent saved, also an older or a newer one: missing fields are as in a new record,
 * unknown ones are left out. Undefined when nothing, or nothing readable, was saved.
 */
export function readRecord(saved: unknown): ProjectRecord | undefined {
  const fields = savedFields.safeParse(saved);
  if (!fields.success) return undefined;
  const parsed = projectRecord.safeParse({
    ...newRecord,
    ...fields.data,
    observed: { ...newRecord.observed, ...fields.data.observed },
  });
  return parsed.success ? parsed.data : undefined;
}

const savedFields = z.looseObject({ observed: z.looseObject({}) });

/** Returns the record with parts of `observed` replaced. */
export function withObserved(
  record: ProjectRecord,
  change: Partial<ProjectRecord["observed"]>,
): ProjectRecord {
  return { ...record, observed: { ...record.observed, ...change } };
}
