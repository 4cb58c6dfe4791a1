/** Errors speak Portuguese, and English to who asks for it; the code is the same. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { errorCodes, errorTable, projectErrorMessages } from "@tijolo/protocol";
import { apiRequest } from "../support/api-request.ts";
import { TestCluster } from "../support/test-cluster.ts";

test("an error is in English when Accept-Language prefers it, and Portuguese otherwise, its detail too", async () => {
  await using cluster = await TestCluster.create({ hosts: 0 });
  const { key } = await cluster.createAccount();
  const ask = (language?: string) =>
    apiRequest(cluster.central.url, {
      method: "GET",
      path: "/api/projects?nothing=1",
      token: key,
      headers: language === undefined ? {} : { "accept-language": language },
    });
  const messages = new Map<string | undefined, unknown>();
  for (const language of [undefined, "pt-BR", "fr", "en", "en-US,en;q=0.9,pt;q=0.1", "en;q=0.1,pt"]) {
    const { code, json } = await ask(language);
    assert.equal(code, "invalid_request");
    messages.set(language, (json as { message: string }).message);
  }
  const { message, messageEn } = errorTable.invalid_request;
  for (const language of [undefined, "pt-BR", "fr", "en;q=0.1,pt"])
    assert.equal(messages.get(language), `${message} Campo: nothing (não existe aqui).`);
  for (const language of ["en", "en-US,en;q=0.9,pt;q=0.1"])
    assert.equal(messages.get(language), `${messageEn} Field: nothing (does not exist here).`);
});

test("every message is whole sentences that say what to do", () => {
  const texts = errorCodes.flatMap((code) => [errorTable[code].message, errorTable[code].messageEn]);
  for (const text of [...texts, ...Object.values(projectErrorMessages)]) {
    assert.match(text, /^\p{Lu}.*[.…]$/u, text);
    assert.doesNotMatch(text, /\s{2}|!|\bfavor\b|\bplease\b|\berro desconhecido\b/i, text);
    assert.ok(text.length <= 220, text);
  }
  assert.ok(texts.length > 60);
});
