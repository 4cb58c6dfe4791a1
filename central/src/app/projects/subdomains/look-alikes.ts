/** Derives how a subdomain reads to a person who does not look closely. */

/**
 * Returns the texts that may be read in it: digits as letters, pairs of letters that look like one, a letter
 * too many.
 */
export function readingsOf(subdomain: string): string[] {
  let texts = [subdomain.toLowerCase()];
  for (const [pair, letter] of pairs) texts = texts.flatMap((text) => [text, text.replace(pair, letter)]);
  const shaped = new Set(texts.flatMap((text) => [digitsKept(text), letterShape(text)]));
  return [
    ...new Set(
      [...shaped].flatMap((text) => [text, text.replace(/([a-z])\1{2,}/g, "$1$1"), withoutDoubles(text)]),
    ),
  ];
}

const pairs: readonly (readonly [pair: RegExp, letter: string])[] = [
  [/rn/g, "m"],
  [/vv/g, "w"],
  [/c[l1]/g, "d"],
];

const letterOfDigit: Readonly<Record<string, string>> = {
  0: "o",
  1: "i",
  2: "z",
  3: "e",
  4: "a",
  5: "s",
  6: "g",
  7: "t",
  8: "b",
  9: "g",
};

/** Returns digits as the letters they stand for; `l` and `i` are one. */
export function letterShape(text: string): string {
  return digitsKept(text.replace(/\d/g, (digit) => letterOfDigit[digit] ?? digit));
}

/**
 * Does what {@link letterShape} does, for names that are known by their digits: as letters, `c6` would be a
 * common abbreviation.
 */
export function digitsKept(text: string): string {
  return text.replaceAll("l", "i");
}

export function withoutDoubles(text: string): string {
  return text.replace(/([a-z])\1+/g, "$1");
}
