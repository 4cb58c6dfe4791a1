/** Names in an error the field of an input that breaks its schema, and what would be right. */

import type { AppErrorOptions, Words } from "@tijolo/protocol";
import { inputProblems } from "@tijolo/protocol/texts/central";
import type { z } from "zod";
import { reasonOf } from "./input-reason.ts";

/** Describes the first wrong field. `whole` names the input, for a fault of no single field. */
export function problemOf(
  error: z.ZodError,
  whole: Words,
): Pick<AppErrorOptions, "extra" | "detail" | "cause"> {
  const [issue] = error.issues;
  if (issue === undefined) return { cause: error };
  const path = issue.code === "unrecognized_keys" ? issue.keys.slice(0, 1) : issue.path;
  const reason = reasonOf(issue);
  const { pt, en } = inputProblems;
  if (path.length === 0) {
    return reason === undefined
      ? { cause: error }
      : { detail: { pt: pt.whole(whole.pt, reason.pt), en: en.whole(whole.en, reason.en) }, cause: error };
  }
  const place = path.map(String).join(".").slice(0, 200);
  const detail =
    reason === undefined
      ? { pt: pt.field(place), en: en.field(place) }
      : { pt: pt.fieldBecause(place, reason.pt), en: en.fieldBecause(place, reason.en) };
  return { extra: { field: String(path[0]).slice(0, 100) }, detail, cause: error };
}
