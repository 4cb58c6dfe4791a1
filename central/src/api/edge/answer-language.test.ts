import assert from "node:assert/strict";
import { test } from "node:test";
import { languageOf } from "./answer-language.ts";

test("English goes to those who would rather read it than Portuguese, Portuguese to all others", () => {
  for (const english of [
    "en",
    "EN-us",
    "en-US,en;q=0.9,pt;q=0.1",
    "pt;q=0.1,en",
    "fr,en;q=0.5",
    "en, *;q=0.1",
    "en,pt",
    "en-US,pt",
    "pt;q=0,*",
  ]) {
    assert.deepEqual([english, languageOf(english)], [english, "en"]);
  }
  for (const portuguese of [
    undefined,
    "",
    "*",
    "pt-BR,pt;q=0.9,en;q=0.8",
    "en;q=0.1,pt",
    "en;q=0",
    "en;q=0.0, *",
    "fr",
    "eng",
    "pt,en",
    "pt-BR,en",
    "*;q=0.1,pt;q=0.5",
  ]) {
    assert.deepEqual([portuguese, languageOf(portuguese)], [portuguese, "pt"]);
  }
});
