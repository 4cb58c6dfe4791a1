/** The panel's texts: each is used, short, in the voice of the panel, and stands in the tables alone. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { test } from "node:test";
import { panelFiles, panelRoot, panelSource } from "../support/panel/panel-sources.ts";

interface Text {
  /** As `keysTexts.levels.read`. */
  name: string;
  /** The table and the key in it, by which sources name the text. */
  table: string;
  key: string;
  text: string;
}

/** Letters that a person reads at once. */
const mostLetters = 280;
/** Languages are named in their own words, wherever they stand. */
const ownNames = /"pt-BR"|Português/;
const files = panelFiles("texts/**/*.ts").filter((file) => file !== "texts/in-both.ts");
const sources = panelFiles("**/*.{ts,tsx}").map((file) => ({ file, source: panelSource(file) }));

/** Reads all tables; the modules are the browser's own, so they are loaded by their addresses. */
async function readTexts(language: "pt" | "en"): Promise<Text[]> {
  const texts: Text[] = [];
  for (const file of files) {
    const module = (await import(pathToFileURL(join(panelRoot, "src", file)).href)) as Record<
      string,
      unknown
    >;
    for (const [table, value] of Object.entries(module)) {
      const inLanguage = (value as Record<string, unknown> | null)?.[language];
      if (typeof inLanguage !== "object" || inLanguage === null) continue;
      for (const [key, entry] of Object.entries(inLanguage))
        for (const leaf of leavesOf(entry, `${table}.${key}`)) texts.push({ ...leaf, table, key });
    }
  }
  return texts;
}

function leavesOf(value: unknown, name: string): { name: string; text: string }[] {
  if (typeof value === "string") return [{ name, text: value }];
  // What the function is called with does not matter here; where it does not take a word, its source tells.
  if (typeof value === "function") return [{ name, text: spoken(value as (...args: unknown[]) => unknown) }];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, entry]) => leavesOf(entry, `${name}.${key}`));
}

function spoken(text: (...args: unknown[]) => unknown): string {
  try {
    return String(text(...Array<unknown>(text.length).fill(2)));
  } catch {
    return [...text.toString().matchAll(/[`"]([^`"]*)[`"]/g)].map(([, words]) => words).join(" ");
  }
}

test("every text is used", async () => {
  const unused: string[] = [];
  for (const { table, key, name } of await readTexts("pt")) {
    const consumers = sources.filter(
      ({ file, source }) => !file.startsWith("texts/") && new RegExp(`\\b${table}\\b`).test(source),
    );
    const text = consumers.map(({ source }) => source).join("\n");
    // A table that is looked into by what the server says: a status, a scope, an error.
    const isLookedInto = new RegExp(
      `${table}\\)?(?:\\)|\\.pt|\\.en)?\\[|Object\\.(?:entries|keys)\\(|\\btexts\\[`,
    ).test(text);
    const isNamed = new RegExp(`\\.${key}\\b|"${key}"|\\b${key}[,\\s}][^;]*= useTexts`).test(text);
    if (consumers.length === 0 || (!isLookedInto && !isNamed)) unused.push(name);
  }
  assert.deepEqual(unused, []);
});

test("every text is short, finished, and speaks as the panel does", async () => {
  for (const language of ["pt", "en"] as const) {
    const texts = await readTexts(language);
    assert.ok(texts.length > 100, `only ${texts.length} texts were found`);
    const wrong = (isWrong: (text: string) => boolean) =>
      texts.filter(({ text }) => isWrong(text)).map(({ name, text }) => `${language} ${name}: ${text}`);
    assert.deepEqual(
      wrong((text) => text.length > mostLetters),
      [],
      "too long",
    );
    assert.deepEqual(
      wrong((text) => /!|\bo+ps\b|\buh\b|\bplease\b|\bpor favor\b|\bsorry\b|\bdesculpe\b/i.test(text)),
      [],
      "not in the voice of the panel",
    );
    assert.deepEqual(
      wrong((text) => text.trim() !== text || /^(?:…|\.\.\.|)$|\bTODO\b|\blorem\b|\s{2}|\.\.\./i.test(text)),
      [],
      "not finished",
    );
    assert.deepEqual(
      wrong((text) => /\bundefined\b|\[object|\bNaN\b|=>/.test(text)),
      [],
    );
  }
});

test("no source beside the tables holds a Portuguese text", () => {
  const found = sources
    .filter(({ file }) => !file.startsWith("texts/"))
    .flatMap(({ file, source }) =>
      withoutComments(source)
        .split("\n")
        .filter((line) => !ownNames.test(line) && /[À-ÖØ-öø-ÿ]|\b(?:pt|en): ["'`]/.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    );
  assert.deepEqual(found, []);
});

const withoutComments = (source: string) => source.replaceAll(/(?<=^|\s)(?:\/\*[\s\S]*?\*\/|\/\/.*$)/gm, "");
