import type { Words } from "../values/words.ts";

type Text = string | ((...given: never[]) => string);

type Paired<Texts> = {
  readonly [Name in keyof Texts]: Texts[Name] extends (...given: infer Given) => string
    ? (...given: Given) => Words
    : Words;
};

/** Joins a table of texts with its translation: each text becomes a pair, each function returns one. */
export function inBothLanguages<Texts extends Readonly<Record<string, Text>>>(
  pt: Texts,
  en: NoInfer<Texts>,
): Paired<Texts> {
  const pairs = Object.keys(pt).map((name) => [name, pairOf(pt[name], en[name])]);
  return Object.fromEntries(pairs) as Paired<Texts>;
}

function pairOf(pt: unknown, en: unknown): unknown {
  if (typeof pt !== "function" || typeof en !== "function") return { pt, en };
  return (...given: unknown[]): unknown => ({ pt: pt(...given), en: en(...given) });
}
