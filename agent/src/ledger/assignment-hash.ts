/** Hashes of assignments and of sets of them, as both sides of the link compute them. */

import { createHash } from "node:crypto";
import { canonicalAssignment, canonicalSet, outlineOf, type Assignment } from "@tijolo/protocol";

export function hashAssignment(assignment: Assignment): string {
  return sha256(canonicalAssignment(outlineOf(assignment)));
}

/** `hashes`: by project id. */
export function hashSet(hashes: ReadonlyMap<string, string>): string {
  return sha256(canonicalSet(hashes));
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
