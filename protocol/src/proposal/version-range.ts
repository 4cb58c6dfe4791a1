/** Chooses a language's version by the range that a project names (`>=18`, `20.x`, `^8.2`, `~> 3.4`). */

import { defaultVersions, languageVersions, type Language } from "../nouns/language.ts";

/**
 * Returns the supported version that a range asks for; null where the recommended one is in it, where none
 * is, and for a text that is no range.
 */
export function versionFor(language: Language, range: string): string | null {
  const alternatives = range.split("||").map(comparatorsOf);
  const allows = (version: string) =>
    alternatives.some((all) => all.every((comparator) => isIn(comparator, numbersOf(version))));
  if (allows(defaultVersions[language])) return null;
  return languageVersions[language].toReversed().find(allows) ?? null;
}

interface Comparator {
  operator: string;
  numbers: number[];
}

function comparatorsOf(text: string): Comparator[] {
  const span = /^\s*v?([\d.]+)\s+-\s+v?([\d.]+)\s*$/.exec(text);
  if (span !== null) return comparatorsOf(`>=${span[1]} <=${span[2]}`);
  const found = text.matchAll(/(\^|~>|~=|~|>=|<=|==|!=|>|<|=)?\s*v?(\d+(?:\.(?:\d+|[xX*]))*)/g);
  return [...found].map(([, operator = "=", version = ""]) => ({ operator, numbers: numbersOf(version) }));
}

/** Returns the numbers of a version up to a wildcard. */
function numbersOf(version: string): number[] {
  const parts = version.split(".").map(Number);
  const wild = parts.findIndex((part) => Number.isNaN(part));
  return wild < 0 ? parts : parts.slice(0, wild);
}

/** Compares as precisely as the version of a runtime is known: `24` says nothing of a minor version. */
function isIn({ operator, numbers }: Comparator, version: number[]): boolean {
  const [major = 0, minor] = numbers;
  const [ownMajor = 0, ownMinor] = version;
  const isSameMinor = minor === undefined || ownMinor === undefined || minor === ownMinor;
  const difference =
    ownMajor - major || (minor === undefined || ownMinor === undefined ? 0 : ownMinor - minor);
  switch (operator) {
    case ">=":
      return difference >= 0;
    case ">":
      return difference > 0 || (difference === 0 && numbers.length > version.length);
    case "<":
      return difference < 0;
    case "<=":
      return difference <= 0;
    case "!=":
      return difference !== 0;
    case "^":
      return ownMajor === major && difference >= 0;
    case "~":
    case "~>":
    case "~=":
      return ownMajor === major && (numbers.length > 2 ? isSameMinor : difference >= 0);
    default:
      return ownMajor === major && isSameMinor;
  }
}
