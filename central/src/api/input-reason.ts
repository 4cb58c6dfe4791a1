/** Says of one thing that a schema found wrong what would be right, in words for a person. */

import type { Words } from "@tijolo/protocol";
import type { z } from "zod";

const plain: Record<string, Words> = {
  string: { pt: "um texto", en: "a text" },
  number: { pt: "um número", en: "a number" },
  int: { pt: "um número inteiro", en: "a whole number" },
  boolean: { pt: "true ou false", en: "true or false" },
  array: { pt: "uma lista", en: "a list" },
  object: { pt: "um objeto", en: "an object" },
  record: { pt: "um objeto", en: "an object" },
};

/** Undefined where the schema's rule says nothing to a person (a pattern). */
export function reasonOf(issue: z.core.$ZodIssue): Words | undefined {
  switch (issue.code) {
    case "invalid_type": {
      const wanted = plain[issue.expected];
      return wanted === undefined ? undefined : { pt: `deve ser ${wanted.pt}`, en: `must be ${wanted.en}` };
    }
    case "too_small":
      return bound(issue.origin, issue.minimum, { pt: "no mínimo", en: "at least" });
    case "too_big":
      return bound(issue.origin, issue.maximum, { pt: "no máximo", en: "at most" });
    case "invalid_value": {
      const values = issue.values.map(String).join(", ");
      return values.length > 300 ? undefined : { pt: `deve ser um destes: ${values}`, en: `must be one of: ${values}` };
    }
    case "unrecognized_keys":
      return { pt: "não existe aqui", en: "does not exist here" };
    case "invalid_format":
    case "not_multiple_of":
    case "invalid_union":
    case "invalid_key":
    case "invalid_element":
    case "custom":
      return undefined;
  }
}

function bound(origin: string, limit: number | bigint, how: Words): Words {
  const unit = units[origin] ?? { pt: "", en: "" };
  return { pt: `${how.pt} ${limit}${unit.pt}`, en: `${how.en} ${limit}${unit.en}` };
}

const units: Record<string, Words> = {
  string: { pt: " caracteres", en: " characters" },
  array: { pt: " itens", en: " items" },
};
