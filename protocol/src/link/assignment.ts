/**
 * What central wants of one host for one project, and how the two sides agree that they hold the same set.
 */

import { z } from "zod";
import { count, diskAmountMb, memoryAmountMb } from "../values/amounts.ts";
import { id } from "../values/id.ts";
import { plainText } from "../values/plain-text.ts";
import { projectSettings } from "../project/project-settings.ts";
import { timestamp } from "../nouns/project.ts";

/** Longer than any command that follows from an entry, or that an upload may name. */
const maxCommandLength = 8_000;
const command = z.string().max(maxCommandLength);
const path = z.string().max(1_000);

/**
 * Settings as they travel: what people wrote has a length, and the rules of its characters where it is taken
 * from them.
 */
const sentSettings = z.object({
  ...projectSettings.shape,
  version: plainText(20),
  entry: path.nullable(),
  command,
  installCommand: command.nullable(),
  root: path.nullable(),
  memoryMb: memoryAmountMb,
  port: z.int().min(1).max(65_535).nullable(),
});

/** No variable is larger than a frame; what an account's variables may take is a limit of the service. */
const maxVariableLength = 8 * 1024 * 1024;

/**
 * One project on one host. `generation` only grows; an older one never changes state (architecture:
 * placement).
 */
export const assignment = z.object({
  projectId: id,
  accountId: id,
  generation: count,
  run: z.enum(["on", "off"]),
  restartCount: count,
  versionNumber: count,
  archive: z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/), sizeBytes: count }),
  hasAutoRestart: z.boolean(),
  diskMb: diskAmountMb,
  settings: sentSettings,
  /** Names settings and variables: another text whenever one of them is another. */
  configTag: plainText(100).min(1),
  /**
   * Null: central cannot open them now. The host goes on with those it knows, and starts nothing without
   * having known them.
   */
  variables: z.record(z.string().max(256).regex(/^\w*$/), z.string().max(maxVariableLength)).nullable(),
  /**
   * What only central needs. A host keeps it, so that a central that was set back to an older database can
   * have it again. `revision` grows with each change of what is wanted of the project.
   */
  project: z
    .object({
      revision: count,
      name: z.string().max(1_000),
      description: z.string().max(10_000),
      subdomain: plainText(100).nullable(),
      createdAt: timestamp,
    })
    .optional(),
  /**
   * Central's signature of all of it for this host: what comes back with it is what central sent.
   */
  proof: plainText(100).optional(),
});

export type Assignment = z.infer<typeof assignment>;

/**
 * An assignment by which two sides compare what they hold: of the variables only whether they are known, as
 * `configTag` names them.
 */
export type AssignmentOutline = Omit<Assignment, "variables" | "proof"> & { hasVariables: boolean };

export function outlineOf({ variables, proof: _proof, ...rest }: Assignment): AssignmentOutline {
  return { ...rest, hasVariables: variables !== null };
}

/** The text that central signs for a host: all that an assignment says. */
export function textToProve(hostId: string, assignment: Assignment): string {
  return JSON.stringify([hostId, canonicalAssignment(outlineOf(assignment)), sortKeys(assignment.variables)]);
}

/** The text whose SHA-256 is an assignment's hash: keys sorted, so that both sides write the same. */
export function canonicalAssignment(outline: AssignmentOutline): string {
  return JSON.stringify(sortKeys(outline));
}

/** The text whose SHA-256 is the hash of a whole set: a line `id hash` per assignment, sorted by id. */
export function canonicalSet(hashes: ReadonlyMap<string, string>): string {
  return [...hashes]
    .map(([projectId, hash]) => `${projectId} ${hash}\n`)
    .sort()
    .join("");
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([key, entry]) => [key, sortKeys(entry)]),
  );
}
