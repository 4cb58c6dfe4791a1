import assert from "node:assert/strict";
import { test } from "node:test";
import type { Language } from "../nouns/language.ts";
import { versionFor } from "./version-range.ts";

test("a range chooses a version where the recommended one is not in it", () => {
  const rows: [language: Language, range: string, expected: string | null][] = [
    ["node", "", null],
    ["node", "lts/*", null],
    ["node", ">=18", null],
    ["node", "24.x", null],
    ["node", "20", "20"],
    ["node", "20.11.1", "20"],
    ["node", "v22", "22"],
    ["node", "^20 || ^22", "22"],
    ["node", ">=18 <21", "20"],
    ["node", "18 - 20", "20"],
    ["node", ">24", "26"],
    ["node", "16.x", null],
    ["node", "*", null],
    ["python", ">=3.10", null],
    ["python", "3.12.4", "3.12"],
    ["python", ">=3.11,<3.13", "3.12"],
    ["python", "~=3.11", null],
    ["php", "^8.2", null],
    ["php", "8.5.*", "8.5"],
    ["ruby", "~> 3.4", null],
    ["ruby", "4.0.1", "4.0"],
    ["go", ">=1.26", null],
  ];
  for (const [language, range, expected] of rows)
    assert.equal(versionFor(language, range), expected, `${language} ${range}`);
});
