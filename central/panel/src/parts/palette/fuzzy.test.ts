import assert from "node:assert/strict";
import { test } from "node:test";
import { plainText, scoreOf } from "./fuzzy.ts";

const score = (query: string, text: string) => scoreOf(plainText(query), plainText(text));

test("letters are found without accents and case, each word for itself", () => {
  assert.ok(score("configuracoes", "meu-bot Configurações") > 0);
  assert.ok(score("logs bot", "meu-bot Logs") > 0);
  assert.equal(score("logs sites", "meu-bot Logs"), 0);
  assert.equal(score("", "meu-bot"), 0);
});

test("the start of the text comes before the start of a word, that before its middle, that before spread letters", () => {
  const scores = ["bot-um", "meu-bot", "robot", "base-de-outro"].map((text) => score("bot", text));
  assert.deepEqual(
    scores.toSorted((one, other) => other - one),
    scores,
  );
  assert.ok(scores.every((value, index) => index === 0 || value < (scores[index - 1] ?? 0)));
  assert.ok((scores.at(-1) ?? 0) > 0);
});

test("letters in another order, or only within a word, are not what was meant", () => {
  assert.equal(score("tob", "meu-bot"), 0);
  assert.equal(score("eb", "meu-bot"), 0);
});

test("of two that answer equally, the shorter one comes first", () => {
  assert.ok(score("api", "api") > score("api", "api-de-teste"));
});
