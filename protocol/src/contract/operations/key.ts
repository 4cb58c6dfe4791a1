/** API keys: panel only, so that a key never makes or revokes another (spec: Authentication 9). */

import { z } from "zod";
import { id } from "../../values/id.ts";
import { apiKey, newKey } from "../../nouns/key.ts";
import { operation } from "../operation.ts";
import { none } from "./inputs.ts";

export const keyOperations = {
  listKeys: operation({
    method: "GET",
    path: "/account/keys",
    tag: "Conta",
    summary: "Lista as chaves de API",
    access: { kind: "panel" },
    effect: "read",
    params: none,
    query: none,
    body: { kind: "none" },
    answer: { kind: "json", status: 200, schema: z.strictObject({ keys: z.array(apiKey) }) },
    errors: [],
  }),
  createKey: operation({
    method: "POST",
    path: "/account/keys",
    tag: "Conta",
    summary: "Cria uma chave de API; a chave inteira só aparece nesta resposta",
    access: { kind: "panel" },
    effect: "change",
    params: none,
    query: none,
    body: { kind: "json", schema: newKey },
    answer: { kind: "json", status: 201, schema: z.strictObject({ key: apiKey, secret: z.string() }) },
    errors: ["unsupported_media_type", "payload_too_large", "wrong_password", "key_limit_reached"],
  }),
  revokeKey: operation({
    method: "DELETE",
    path: "/account/keys/{keyId}",
    tag: "Conta",
    summary: "Revoga uma chave de API",
    access: { kind: "panel" },
    effect: "change",
    params: z.strictObject({ keyId: id }),
    query: none,
    body: { kind: "none" },
    answer: { kind: "empty", status: 204 },
    errors: ["not_found"],
  }),
};
