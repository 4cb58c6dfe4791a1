/** Explains one fault that a schema found in words for a person. */

import { findInputReason, type Words } from "@tijolo/protocol";
import { inputProblems } from "@tijolo/protocol/texts/central";
import type { z } from "zod";

const missing = "missing";

/** Parse options of an input for which {@link reasonOf} is to report missing fields too. */
export const inputParsing = {
  error: ({ code, input }: { code?: string; input?: unknown }) =>
    code === "invalid_type" && input === undefined ? missing : undefined,
};

/** Returns the reason for a person; undefined where the schema's rule has none. */
export function reasonOf(issue: z.core.$ZodIssue): Words | undefined {
  const pt = reasonIn("pt", issue);
  const en = reasonIn("en", issue);
  return pt === undefined || en === undefined ? undefined : { pt, en };
}

function reasonIn(language: keyof Words, issue: z.core.$ZodIssue): string | undefined {
  const texts = inputProblems[language];
  switch (issue.code) {
    case "invalid_type": {
      if (issue.message === missing) return texts.missing;
      const type = find(texts.types, issue.expected);
      return type === undefined ? undefined : texts.mustBe(type);
    }
    case "too_small":
      return texts.atLeast(amountOf(issue.minimum, find(texts.units, issue.origin)));
    case "too_big":
      return texts.atMost(amountOf(issue.maximum, find(texts.units, issue.origin)));
    case "invalid_value": {
      const values = issue.values.map(String).join(", ");
      return values.length <= 300 ? texts.oneOf(values) : texts.oneOfMany;
    }
    case "unrecognized_keys":
      return texts.unknown;
    case "invalid_format":
      return find(texts.formats, issue.format) ?? findInputReason(issue.message)?.[language];
    case "invalid_key": {
      const [ofKey] = issue.issues;
      return ofKey === undefined ? undefined : reasonIn(language, ofKey);
    }
    case "custom":
    case "invalid_union":
      return findInputReason(issue.message)?.[language];
    case "not_multiple_of":
    case "invalid_element":
      return undefined;
  }
}

function amountOf(limit: number | bigint, [one, many]: readonly string[] = []): string {
  const unit = Number(limit) === 1 ? one : many;
  return unit === undefined ? String(limit) : `${limit} ${unit}`;
}

function find<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return table[name];
}
