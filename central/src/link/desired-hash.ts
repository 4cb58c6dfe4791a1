/** Hashes of assignments and of sets of them, as both sides compute them. */

import { createHash } from "node:crypto";
import { canonicalAssignment, canonicalSet, type AssignmentOutline } from "@tijolo/protocol";

/** Hash by project id. */
export type AssignmentHashes = ReadonlyMap<string, string>;

export function hashAssignments(outlines: readonly AssignmentOutline[]): AssignmentHashes {
  return new Map(outlines.map((outline) => [outline.projectId, sha256(canonicalAssignment(outline))]));
}

export function hashSet(hashes: AssignmentHashes): string {
  return sha256(canonicalSet(hashes));
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
