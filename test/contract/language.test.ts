/** Errors speak Portuguese, and English to who asks for it; the code is the same. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { errorCodes, errorTable, makeId } from "@tijolo/protocol";
import { projectErrorTexts } from "@tijolo/protocol/texts/project";
import { apiRequest, type ApiRequest } from "../support/requests/api-request.ts";
import { multipartType, uploadBody } from "../support/requests/multipart.ts";
import { TestCluster } from "../support/cluster/test-cluster.ts";
import { zipOf } from "../support/archives/zip-of.ts";

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

test("what is wrong with a query, a body or a svc.json is said in both languages", async () => {
  await using cluster = await TestCluster.create({ hosts: 0 });
  const { key } = await cluster.createAccount({ scopes: ["activity:read", "projects:settings"] });
  const missing = makeId(0, new Uint8Array(10));
  const json = (body: string): Partial<ApiRequest> => ({
    method: "PATCH",
    headers: { "content-type": "application/json" },
    body,
  });
  const upload = async (svcJson: object, fields = {}): Promise<Partial<ApiRequest>> => ({
    method: "POST",
    headers: multipartType,
    body: uploadBody(await zipOf({ "svc.json": JSON.stringify(svcJson) }), fields),
  });
  const cases: [path: string, more: Partial<ApiRequest>, pt: string, en: string][] = [
    [
      "/account/activity?limit=1&limit=2",
      {},
      "Campo: limit (veio mais de uma vez).",
      "Field: limit (came more than once).",
    ],
    ["/account/activity?cursor=abc", {}, "Campo: cursor.", "Field: cursor."],
    [
      `/projects/${missing}`,
      json('{"__proto__":{}}'),
      "Campo: __proto__ (este nome não é aceito).",
      "Field: __proto__ (this name is not taken).",
    ],
    [`/projects/${missing}`, json("{"), "O corpo não é um JSON válido.", "The body is not valid JSON."],
    [`/projects/${missing}`, json("null"), "Corpo: deve ser um objeto.", "Body: must be an object."],
    [
      "/projects",
      await upload({ version: 22 }),
      "Campo: version (deve ser um texto).",
      "Field: version (must be a text).",
    ],
    [
      "/projects",
      await upload({}, { nothing: "1" }),
      "Campo: nothing (não existe aqui).",
      "Field: nothing (does not exist here).",
    ],
  ];
  for (const [path, more, pt, en] of cases) {
    for (const [language, detail] of Object.entries({ pt, en })) {
      const headers = { ...more.headers, "accept-language": language };
      const { json: body, text } = await apiRequest(cluster.central.url, {
        method: "GET",
        path: `/api${path}`,
        token: key,
        ...more,
        headers,
      });
      assert.ok((body as { message: string }).message.endsWith(` ${detail}`), text);
    }
  }
});

test("every message is whole sentences that say what to do", () => {
  const texts = errorCodes.flatMap((code) => [errorTable[code].message, errorTable[code].messageEn]);
  for (const text of [
    ...texts,
    ...Object.values(projectErrorTexts).flatMap((table) => Object.values(table)),
  ]) {
    assert.match(text, /^\p{Lu}.*[.…]$/u, text);
    assert.doesNotMatch(text, /\s{2}|!|\bfavor\b|\bplease\b|\berro desconhecido\b/i, text);
    assert.ok(text.length <= 220, text);
  }
  assert.ok(texts.length > 60);
});
