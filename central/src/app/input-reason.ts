/** Says of one thing that a schema found wrong what would be right, in words for a person. */

import { findInputReason, type Words } from "@tijolo/protocol";
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

const formats: Record<string, Words> = {
  email: {
    pt: "deve ser um e-mail, como ana@exemplo.com",
    en: "must be an e-mail address, like ana@example.com",
  },
  datetime: {
    pt: "deve ser uma data e hora em UTC, como 2026-01-31T12:00:00Z",
    en: "must be a time in UTC, like 2026-01-31T12:00:00Z",
  },
};

const missing = "missing";

/** For parsing an input of which {@link reasonOf} is to say also what is missing. */
export const inputParsing = {
  error: ({ code, input }: { code?: string; input?: unknown }) =>
    code === "invalid_type" && input === undefined ? missing : undefined,
};

/** Undefined where the schema's rule says nothing to a person. */
export function reasonOf(issue: z.core.$ZodIssue): Words | undefined {
  switch (issue.code) {
    case "invalid_type": {
      if (issue.message === missing) return { pt: "é obrigatório", en: "is required" };
      const wanted = plain[issue.expected];
      return wanted === undefined ? undefined : { pt: `deve ser ${wanted.pt}`, en: `must be ${wanted.en}` };
    }
    case "too_small":
      return bound(issue.origin, issue.minimum, { pt: "no mínimo", en: "at least" });
    case "too_big":
      return bound(issue.origin, issue.maximum, { pt: "no máximo", en: "at most" });
    case "invalid_value":
      return oneOf(issue.values.map(String).join(", "));
    case "unrecognized_keys":
      return { pt: "não existe aqui", en: "does not exist here" };
    case "invalid_format":
      return formats[issue.format] ?? findInputReason(issue.message);
    case "invalid_key": {
      const [ofKey] = issue.issues;
      return ofKey === undefined ? undefined : reasonOf(ofKey);
    }
    case "custom":
    case "invalid_union":
      return findInputReason(issue.message);
    case "not_multiple_of":
    case "invalid_element":
      return undefined;
  }
}

function oneOf(values: string): Words {
  if (values.length <= 300) return { pt: `deve ser um destes: ${values}`, en: `must be one of: ${values}` };
  return {
    pt: "não é um dos valores aceitos, que /api/docs lista",
    en: "is none of the accepted values, which /api/docs lists",
  };
}

function bound(origin: string, limit: number | bigint, how: Words): Words {
  const [one, many] = units[origin] ?? [noUnit, noUnit];
  const unit = Number(limit) === 1 ? one : many;
  return { pt: `${how.pt} ${limit}${unit.pt}`, en: `${how.en} ${limit}${unit.en}` };
}

const noUnit: Words = { pt: "", en: "" };
const units: Record<string, readonly [one: Words, many: Words]> = {
  string: [
    { pt: " caractere", en: " character" },
    { pt: " caracteres", en: " characters" },
  ],
  array: [
    { pt: " item", en: " item" },
    { pt: " itens", en: " items" },
  ],
};
