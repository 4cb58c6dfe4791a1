/** Hashes of assignments and of sets of them, as both sides of the link compute them. */

import { createHash } from "node:crypto";
import { canonicalAssignment, outlineOf, sumOfHashes, type Assignment } from "@tijolo/protocol";

export function hashAssignment(assignment: Assignment): string {
  return createHash("sha256")
    .update(canonicalAssignment(outlineOf(assignment)))
    .digest("hex");
}

/** Hashes a set; `hashes` are by project id. */
export function hashSet(hashes: ReadonlyMap<string, string>): string {
  return sumOfHashes(hashes.values());
}
