/**
 * Defines what central wants of one host for one project, and how both sides check that they hold the same.
 */

import { z } from "zod";
import { count, diskAmountMb, memoryAmountMb } from "../values/amounts.ts";
import { id } from "../values/id.ts";
import { drainSeconds, healthPath } from "../nouns/site-settings.ts";
import { plainText } from "../values/plain-text.ts";
import { defaultOnFailure } from "../project/on-failure.ts";
import { projectSettings } from "../project/project-settings.ts";
import { maxMorePackages, systemPackages } from "../project/system-package.ts";
import { timestamp } from "../nouns/project.ts";

/** Longest command; longer than any that follows from an entry, or that an upload may name. */
const maxCommandLength = 8_000;
const command = z.string().max(maxCommandLength);
const path = z.string().max(1_000);

/**
 * Settings as they travel: what people wrote has a length only; rules for its characters apply where it is
 * entered.
 */
const sentSettings = z.object({
  ...projectSettings.shape,
  version: plainText(20),
  entry: path.nullable(),
  command,
  installCommand: command.nullable(),
  root: path.nullable(),
  systemPackages: projectSettings.shape.systemPackages.max(systemPackages.length + maxMorePackages),
  memoryMb: memoryAmountMb,
  port: z.int().min(1).max(65_535).nullable(),
});

/** Longest variable, less than a frame; the total of an account's variables is a limit of the service. */
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
  /** Tag of settings and variables: another text whenever one of them changes. */
  configTag: plainText(100).min(1),
  /**
   * What a run of a site is asked for, to know that it is ready, and the hostname that it is asked under.
   * Absent: a run is ready once it listens on its port.
   */
  health: z.object({ path: healthPath, host: plainText(253).min(1) }).optional(),
  /** Absent: what `defaultDrainSeconds` says. */
  drainSeconds: drainSeconds.optional(),
  /**
   * `overlap`: the next run of the site starts beside the one before, and what a run writes to its disk lasts
   * as long as the run. Decided at the start of a run. Absent: `hold`, as for bots and static sites.
   */
  deploy: z.literal("overlap").optional(),
  /**
   * Variables; null: central cannot open them now. The host continues with those it knows, and starts nothing
   * without having known them.
   */
  variables: z.record(z.string().max(256).regex(/^\w*$/), z.string().max(maxVariableLength)).nullable(),
  /**
   * Fields that only central needs. A host stores them, so that a central that was restored from an older
   * database can get them back. `revision` grows with each change of what is wanted of the project.
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
  /** Central's signature of all of it for this host: with it, what is returned is what central sent. */
  proof: plainText(100).optional(),
});

export type Assignment = z.infer<typeof assignment>;

/**
 * An assignment without its variables, by which two sides compare what they hold: of the variables only
 * whether they are known, as `configTag` names them.
 */
export type AssignmentOutline = Omit<Assignment, "variables" | "proof"> & { hasVariables: boolean };

export function outlineOf({ variables, proof: _proof, ...rest }: Assignment): AssignmentOutline {
  return { ...rest, hasVariables: variables !== null };
}

/** Returns the text that central signs for a host: all that an assignment contains. */
export function textToProve(hostId: string, assignment: Assignment): string {
  return JSON.stringify([hostId, canonicalAssignment(outlineOf(assignment)), sortKeys(assignment.variables)]);
}

/**
 * Returns the text whose SHA-256 is an assignment's hash: keys sorted, so that both sides write the same. A
 * choice of `onFailure` that is the default is left out: programs from before the field write the same, and
 * what they signed stays proven.
 */
export function canonicalAssignment({ settings, ...outline }: AssignmentOutline): string {
  const { onFailure, ...rest } = settings;
  return JSON.stringify(sortKeys({ ...outline, settings: onFailure === defaultOnFailure ? rest : settings }));
}

/**
 * Returns the hash of a set of assignments: the sum of their hashes modulo 2^256, as 64 hexadecimal digits.
 * So a change of one assignment costs one addition, however large the set is. Both sides compute it, and it
 * detects mistakes; it is no proof against somebody who chooses the assignments.
 */
export function sumOfHashes(hashes: Iterable<string>): string {
  let sum = 0n;
  for (const hash of hashes) sum += BigInt(`0x${hash}`);
  return textOfSum(sum);
}

/** Returns the hash of a set after the exchange of one assignment; null stands for none. */
export function exchangeHash(setHash: string, before: string | null, after: string | null): string {
  const valueOf = (hash: string | null) => (hash === null ? 0n : BigInt(`0x${hash}`));
  return textOfSum(valueOf(setHash) - valueOf(before) + valueOf(after));
}

function textOfSum(sum: bigint): string {
  return BigInt.asUintN(256, sum).toString(16).padStart(64, "0");
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
