/**
 * Defines what the agent remembers of a project across its own restarts; saved in the ledger together with
 * what is reported to central.
 */

import { assignment, observedState } from "@tijolo/protocol";
import { z } from "zod";
import { logSets } from "../logs/writer/log-files.ts";

const appLayer = z.object({ directory: z.string(), uidBase: z.int() });

/**
 * A finished install: its version, the {@link installKey} of the settings it was made with, and the layers
 * that its steps made, topmost first. An older agent's has no layers; its only layer is the version's
 * directory `install`.
 */
const install = z.object({
  versionNumber: z.int(),
  key: z.string(),
  layers: z.array(appLayer).optional(),
  /** Number of the directory that holds the code; absent: the version's own. */
  directory: z.int().optional(),
  /** Hash of the archive, by which a rollback finds the install. */
  sha256: z.string().optional(),
  /** True for a static site that its install has built; otherwise the upload itself is served. */
  isBuilt: z.boolean().optional(),
  /** Mebibytes that the version's directory takes on the project's disk; absent while not measured. */
  sizeMb: z.number().optional(),
});

/** A version that can be started: its install, and the settings that it runs with. */
const deployed = z.object({
  installed: install,
  settings: assignment.shape.settings,
  configTag: observedState.shape.configTag,
  /** Layers of the image that it last ran on. */
  imageLayers: z.array(z.string()).default([]),
});

const details = observedState.shape.errorDetails.catch([]);

const next = z.object({
  versionNumber: z.int(),
  phase: z.enum(["extracting", "installing", "failed"]),
  /** Number of starts that people had asked for when it failed: a higher one asks for another try. */
  restartCount: z.int(),
  errorCode: observedState.shape.errorCode,
  errorDetails: details,
  /** The finished install; null before, and when the install failed. */
  deployed: deployed.nullable(),
});

const startedWith = z.object({
  language: z.string(),
  root: z.string().nullable(),
  port: z.int().nullable(),
  memoryMb: z.int(),
  spa: z.boolean().optional(),
});

/**
 * The run before the newest, which answers visits until the newest has come up; what the record says of the
 * newest run otherwise. See `leaving-run.ts`.
 */
const leavingRun = z.object({
  runNumber: z.int(),
  versionNumber: z.int(),
  /** Number of the directory that holds the version's code. */
  directory: z.int(),
  startedAt: z.string(),
  /** Time at which the next run took over the rest of the record, in milliseconds since 1970. */
  setAsideAtMs: z.int(),
  startedWith,
  logSet: z.enum(logSets),
  imageLayers: z.array(z.string()),
  runLayers: z.array(z.string()),
});

const projectRecord = z.object({
  /**
   * State of the version that runs, or is to run, and of its runs. While another version is prepared, and
   * after it failed, {@link next} lies above it in the report (`reported-state.ts`). Details in a shape of
   * another agent version are left out.
   */
  observed: z.object({ ...observedState.shape, errorDetails: details }),
  /** Number of the newest run on this host; 0 before the first. */
  runNumber: z.int(),
  /**
   * The newest run whose exit was recorded: an agent killed before it forgot the run finds the exit again.
   */
  endedRunNumber: z.int().default(0),
  /** The finished install of the version of `observed`; null when it has to be made. */
  installed: install.nullable(),
  /** Settings that the version of `observed` was started with last, or is to be; null before the first. */
  settings: assignment.shape.settings.nullable().catch(null).default(null),
  /** True once the version of `observed` has come up on this host, in any of its runs. */
  hasProven: z.boolean().default(false),
  /** Version that is started again when that of `observed` does not come up; it had come up here. */
  earlier: deployed.nullable().catch(null).default(null),
  /** Installs of still earlier versions that had come up, the newest first: a rollback takes one over. */
  kept: z.array(install).catch([]).default([]),
  /**
   * Version that is prepared beside the one that runs, or that has failed while that one goes on; null when
   * the version of `observed` is the newest.
   */
  next: next.nullable().catch(null).default(null),
  /**
   * Settings of the newest run that count while it is up, whatever is wanted of the next one; null before the
   * first.
   */
  startedWith: startedWith.nullable().default(null),
  /** The run that leaves once the newest has come up; null when there is none. */
  leaving: leavingRun.nullable().default(null),
  /** Number of a later run that did not come up, and gave way to the one that `runNumber` names. */
  failedRunNumber: z.int().default(0),
  /** The set of the log's streams that the newest run writes to. */
  logSet: z.enum(logSets).default("first"),
  /** Layers of the image that the newest run was started on: they are not pruned. */
  imageLayers: z.array(z.string()),
  /** Layers of /app that the newest run was started with. */
  runLayers: z.array(z.string()).default([]),
  /** Version whose files were merged with what the project wrote under /app; 0 for none. */
  mergedVersion: z.int(),
  /** Number of install steps of the next version that a fault of the host has interrupted. */
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
export type Install = z.infer<typeof install>;
export type Deployed = z.infer<typeof deployed>;
export type NextVersion = z.infer<typeof next>;
export type LeavingRun = z.infer<typeof leavingRun>;

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
  settings: null,
  hasProven: false,
  earlier: null,
  kept: [],
  next: null,
  startedWith: null,
  leaving: null,
  failedRunNumber: 0,
  logSet: "first",
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
  return parsed.data;
}

const savedFields = z.looseObject({ observed: z.looseObject({}) });

/** Returns the record with parts of `observed` replaced. */
export function withObserved(
  record: ProjectRecord,
  change: Partial<ProjectRecord["observed"]>,
): ProjectRecord {
  return { ...record, observed: { ...record.observed, ...change } };
}
