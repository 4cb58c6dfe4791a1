/** Names the result of an install step by everything that it depends on. */

import { createHash } from "node:crypto";
import type { InstallStep, SourceTree } from "../languages/language-rules.ts";

export interface StepCircumstances {
  tree: SourceTree;
  imageLayers: readonly string[];
  environment: Readonly<Record<string, string>>;
}

/** Raised when a step's result would be another for the same circumstances. */
const format = 2;
/** Another project's, or another upload's, and still the same install. */
const passingNames = ["SVC_PROJECT_ID", "SVC_VERSION"];

/**
 * SHA-256 in hex; values of variables are in it and cannot be read from it. Undefined for a step that may
 * depend on anything, what it asks of other machines included, and for one whose inputs are too large to be
 * looked through: it is made anew each time.
 */
export function stepKey(
  { command, inputs }: InstallStep,
  { tree, imageLayers, environment }: StepCircumstances,
): string | undefined {
  if (inputs === null) return undefined;
  const digests = tree.digests(inputs);
  if (digests === undefined) return undefined;
  const files = inputs.map((path, index) => [path, digests[index]]);
  const variables = Object.entries(environment)
    .filter(([name]) => !passingNames.includes(name))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash("sha256")
    .update(JSON.stringify([format, process.arch, command, files, imageLayers, variables]))
    .digest("hex");
}
