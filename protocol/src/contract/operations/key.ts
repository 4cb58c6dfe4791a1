/**
 * Defines the operations on API keys: panel only, so that a key never makes or revokes another (spec:
 * Authentication 9).
 */

import { z } from "zod";
import { id } from "../../values/id.ts";
import { apiKey, newKey } from "../../nouns/key.ts";
import { described } from "../described.ts";
import { operation } from "../operation.ts";
import { none } from "./inputs.ts";
import { tags } from "../tags.ts";

export const keyOperations = {
  listKeys: operation({
    method: "GET",
    path: "/account/keys",
    tag: tags.account,
    summary: { pt: "Lista as chaves de API", en: "Lists the API keys" },
    text: {
      pt: "Com os primeiros caracteres de cada chave e o último uso.",
      en: "With the first characters of each key and its last use.",
    },
    access: { kind: "panel" },
    effect: "read",
    params: none,
    query: none,
    body: { kind: "none" },
    answer: {
      kind: "json",
      status: 200,
      schema: described(z.strictObject({ keys: z.array(apiKey) }), {
        keys: { pt: "As chaves.", en: "The keys." },
      }),
    },
    errors: [],
  }),
  createKey: operation({
    method: "POST",
    path: "/account/keys",
    tag: tags.account,
    summary: {
      pt: "Cria uma chave de API; a chave inteira só aparece nesta resposta",
      en: "Creates an API key; the whole key appears only in this response",
    },
    text: {
      pt: "No máximo 10 chaves por conta. Pede a senha da conta de novo.",
      en: "At most 10 keys per account. Asks for the account's password again.",
    },
    access: { kind: "panel" },
    effect: "change",
    params: none,
    query: none,
    body: {
      kind: "json",
      example: {
        name: "deploy",
        level: "write",
        scopes: ["projects:settings"],
        password: "minha senha longa",
      },
      schema: newKey,
    },
    answer: {
      kind: "json",
      status: 201,
      schema: described(z.strictObject({ key: apiKey, secret: z.string() }), {
        key: { pt: "A chave como a lista a mostra.", en: "The key as the list shows it." },
        secret: {
          pt: "A chave inteira. Guarde agora: não aparece outra vez.",
          en: "The whole key. Store it now: it is not shown again.",
        },
      }),
    },
    errors: ["unsupported_media_type", "payload_too_large", "wrong_password", "key_limit_reached"],
  }),
  revokeKey: operation({
    method: "DELETE",
    path: "/account/keys/{keyId}",
    tag: tags.account,
    summary: { pt: "Revoga uma chave de API", en: "Revokes an API key" },
    text: {
      pt: "Vale na próxima requisição; streams de log abertos com ela fecham em até 20 segundos.",
      en: "Takes effect with the next request; log streams that were opened with it close within 20 seconds.",
    },
    access: { kind: "panel" },
    effect: "change",
    params: described(z.strictObject({ keyId: id }), { keyId: { pt: "Id da chave.", en: "The key's id." } }),
    query: none,
    body: { kind: "none" },
    answer: { kind: "empty", status: 204 },
    errors: ["not_found"],
  }),
};
