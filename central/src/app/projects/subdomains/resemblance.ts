/**
 * Tells whether a subdomain is, or could be taken for, a name that is not its owner's: the lists beside this
 * file hold the names.
 */

import bait from "./bait.json" with { type: "json" };
import banks from "./banks.json" with { type: "json" };
import brands from "./brands.json" with { type: "json" };
import publicBodies from "./public-bodies.json" with { type: "json" };
import { digitsKept, letterShape, readingsOf, withoutDoubles } from "./look-alikes.ts";
import service from "./service.json" with { type: "json" };

/**
 * Names of a list, by how they are searched for, hyphens aside: `anywhere`: also inside other text, since no
 * common word holds it; `word`: as a whole word, or grown together with bait (`meuitau`); `withBait`: a
 * common word too, so only alone or beside bait (`caixa-login`, but not `caixa-de-som`).
 */
export interface NameList {
  anywhere: readonly string[];
  word: readonly string[];
  withBait: readonly string[];
}

export const nameLists: readonly NameList[] = [banks, brands, publicBodies];

/** True for a reserved name. Never throws; any text may be checked. */
export function isReservedName(subdomain: string): boolean {
  if (subdomain.startsWith("xn--")) return true; // shown to visitors as letters of other alphabets
  return readingsOf(subdomain).some((reading) => isServiceName(reading) || resemblesName(reading));
}

const serviceNames: ReadonlySet<string> = new Set(service.map((name) => letterShape(name)));
const longNames = nameLists.flatMap(({ anywhere }) => anywhere);
const names = longNames.map((name) => ({ name: letterShape(name), masked: maskable(digitsKept(name)) }));
const wordNames = nameLists.flatMap(({ word }) => word);
const baitedNames = nameLists.flatMap(({ withBait }) => withBait);
const words: ReadonlySet<string> = new Set([...wordNames, ...longNames].flatMap(shapesOfWord));
const baitedWords: ReadonlySet<string> = new Set(baitedNames.flatMap(shapesOfWord));
const strongBait: ReadonlySet<string> = new Set(bait.strong.map((word) => letterShape(word)));
const grownTogether = [
  grownTogetherWith([...bait.strong, ...bait.weak], wordNames),
  grownTogetherWith(bait.strong, baitedNames),
];

/** Returns the shapes of a word. A short name that lost a doubled letter would be another word. */
function shapesOfWord(name: string): string[] {
  const shape = digitsKept(name);
  const collapsed = withoutDoubles(shape);
  return collapsed.length >= 4 ? [shape, collapsed] : [shape];
}

/** Matches names with letters written as digits: `n0bank` is read as nubank. */
function maskable(name: string): RegExp {
  return new RegExp(name.replaceAll(/./g, "[$&\\d]"));
}

/** Matches bait, one of the names, bait, without anything between: `loginitau`, `meuitau`. */
function grownTogetherWith(baits: readonly string[], names: readonly string[]): RegExp {
  const anyOf = (list: readonly string[]) => `(?:${[...new Set(list)].map(digitsKept).join("|")})`;
  return new RegExp(`^(?:${anyOf(baits)}*${anyOf(names)}${anyOf(baits)}+|${anyOf(baits)}+${anyOf(names)})$`);
}

function isServiceName(reading: string): boolean {
  return serviceNames.has(reading) || serviceNames.has(reading.replaceAll("-", ""));
}

function resemblesName(reading: string): boolean {
  const tokens = reading.split("-").filter((token) => token !== "");
  const joined = tokens.join("");
  return (
    holdsName(tokens, joined) ||
    [...tokens, joined].some(
      (text) => words.has(text) || grownTogether.some((pattern) => pattern.test(text)),
    ) ||
    baitedWords.has(joined) ||
    (tokens.some((token) => baitedWords.has(token)) && tokens.some((token) => strongBait.has(token)))
  );
}

/**
 * Searches inside one word anywhere; over several words only from the beginning of a word: `nu-bank`, but not
 * `menu-bank`.
 */
function holdsName(tokens: readonly string[], joined: string): boolean {
  const starts = tokens.map((_, index) => tokens.slice(0, index).join("").length);
  return names.some(({ name, masked }) => {
    if (tokens.some((token) => token.includes(name) || isMasked(token, masked))) return true;
    return starts.some((start) => joined.startsWith(name, start));
  });
}

function isMasked(token: string, masked: RegExp): boolean {
  if (!/\d/.test(token)) return false;
  const match = masked.exec(token)?.[0];
  return match !== undefined && match.replace(/\D/g, "").length * 3 <= match.length;
}
