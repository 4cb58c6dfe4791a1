import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { diagnosisMessages } from "../project/diagnosis-messages.ts";
import { installMessages } from "../project/install-messages.ts";
import { ownerMessage } from "../project/owner-message.ts";
import { quote } from "../project/quotation.ts";
import { runMessages } from "../project/run-messages.ts";
import { ownerMessageText } from "./owner-message.ts";

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Returns a value that the schema takes, with words that are found again in a text. */
function sampleOf(schema: JsonSchema, word: string): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  const [alternative] = schema.anyOf ?? [];
  if (alternative !== undefined) return sampleOf(alternative, word);
  if (schema.type === "string") return word;
  if (schema.type === "boolean") return true;
  if (schema.type === "array") return [sampleOf(schema.items as JsonSchema, word)];
  if (schema.type !== "object") return 7;
  const properties = Object.entries(schema.properties ?? {});
  return Object.fromEntries(
    properties.map(([name, property], index) => [name, sampleOf(property as JsonSchema, `Word${index}`)]),
  );
}

test("every message is whole sentences in both languages, which differ and say the same words and numbers", () => {
  const { oneOf: kinds = [] } = z.toJSONSchema(ownerMessage, { io: "input" });
  const tables = [diagnosisMessages, installMessages, runMessages];
  const codes = tables.flatMap((table) => Object.keys(table));
  assert.deepEqual([kinds.length, kinds.length > 100], [codes.length, true], "no code stands in two tables");
  for (const kind of kinds) {
    const message = ownerMessage.parse(sampleOf(kind, ""));
    const [pt, en] = [ownerMessageText(message, "pt"), ownerMessageText(message, "en")];
    for (const text of [pt, en]) {
      // Of lower case there are names of files.
      assert.match(text, /^(?:\p{Lu}|\w+\.\w+ ).*\.$/u);
      assert.doesNotMatch(text, /undefined|\[object|\s{2}|!|\bfavor\b|\bplease\b/i);
      assert.ok(text.length < 380, text);
    }
    assert.notEqual(pt, en);
    assert.doesNotMatch(en, /[áéíóúâêôãõàç]/, en);
    const values = (text: string) => [...new Set(text.replace("7,0", "7.0").match(/Word\d|\b7\b/g))].sort();
    assert.deepEqual(values(pt), values(en), message.code);
  }
});

test("a text is no longer than 500 characters, and no character of it is cut in two", () => {
  const packages = Array.from({ length: 50 }, () => `x${"😀".repeat(20)}`);
  const text = ownerMessageText({ code: "system_packages_unavailable", packages, reason: "" }, "pt");
  assert.deepEqual([text.length, text.isWellFormed()], [500, true]);
  const word = quote("x".repeat(999));
  const message = { code: "python_submodule_missing", name: word, top: word } as const;
  for (const language of ["pt", "en"] as const)
    assert.match(ownerMessageText(message, language), / requirements\.txt\.$/);
});
