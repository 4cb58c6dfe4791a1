/**
 * Matches the weight of a language. Texts for a person are in Portuguese, and in English for those who prefer
 * that (RFC 9110, 12.5.4). `negotiator` ranks an exact tag above the order of tags, so `pt-BR, en` would get
 * English.
 */

const weightPattern = /^q=([01](?:\.\d{0,3})?)$/;

export function languageOf(acceptLanguage: string | undefined): "pt" | "en" {
  const ranges = (acceptLanguage ?? "").toLowerCase().split(",").map(readRange);
  const english = placeOf("en", ranges);
  const portuguese = placeOf("pt", ranges);
  if (english.weight !== portuguese.weight) return english.weight > portuguese.weight ? "en" : "pt";
  return english.weight > 0 && english.index < portuguese.index ? "en" : "pt";
}

interface LanguageRange {
  tag: string;
  weight: number;
}

function readRange(range: string): LanguageRange {
  const [tag = "", ...parameters] = range.split(";").map((part) => part.trim());
  const weight = parameters
    .map((parameter) => weightPattern.exec(parameter)?.[1])
    .find((text) => text !== undefined);
  return { tag, weight: Number(weight ?? 1) };
}

/** Returns how much a language is wanted, and its place among the others; by `*` where it is not named. */
function placeOf(language: string, ranges: readonly LanguageRange[]): { weight: number; index: number } {
  const named = ranges.findIndex(({ tag }) => tag === language || tag.startsWith(`${language}-`));
  const index = named === -1 ? ranges.findIndex(({ tag }) => tag === "*") : named;
  return { weight: ranges[index]?.weight ?? 0, index };
}
