/** Names the result of an install step by everything that it depends on. */

import { createHash } from "node:crypto";
import type { InstallStep, SourceTree } from "../languages/language-rules.ts";

export interface StepCircumstances {
  tree: SourceTree;
  imageLayers: readonly string[];
  environment: Readonly<Record<string, string>>;
}

/** Format of the key; raised when a step would give another result for the same inputs. */
const format = 2;
/** Variables that are left out of the key: another project or upload has the same install. */
const passingNames = ["SVC_PROJECT_ID", "SVC_VERSION"];

/**
 * Returns a SHA-256 in hex; values of variables are in it and cannot be read from it. Undefined for a step
 * that may depend on anything, including other machines, and for one whose inputs are too large to be read:
 * such a step runs anew each time.
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
