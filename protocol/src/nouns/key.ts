/** Defines API keys as the account's owner sees and makes them (spec: Authentication 2 to 9). */

import { z } from "zod";
import { keyLevels, scope, scopes } from "../contract/access.ts";
import { component } from "../contract/described.ts";
import { id } from "../values/id.ts";
import { inputReasons } from "../contract/input-reasons.ts";
import { sharedWords } from "../contract/shared-words.ts";
import { timestamp } from "./project.ts";
import { lengths } from "../values/lengths.ts";
import { visibleName } from "../values/visible-name.ts";

export const apiKey = component(
  "ApiKey",
  z.strictObject({
    id,
    name: z.string(),
    prefix: z.string(),
    level: z.enum(keyLevels),
    scopes: z.array(scope),
    createdAt: timestamp,
    lastUsedAt: timestamp.nullable(),
  }),
  {
    text: {
      pt: "Uma chave de API. A chave inteira só aparece na resposta que a cria.",
      en: "An API key. The whole key appears only in the response that creates it.",
    },
    fields: {
      id: { pt: "Id da chave.", en: "The key's id." },
      name: { pt: "Nome que se deu à chave.", en: "The name that the key was given." },
      prefix: { pt: "Os primeiros caracteres da chave.", en: "The first characters of the key." },
      level: {
        pt: "`read`: Leitura; `write`: Leitura e escrita. Segue de `scopes`: com uma permissão que muda algo, é `write`.",
        en: "`read`: read; `write`: read and write. It follows from `scopes`: with a scope that changes something, it is `write`.",
      },
      scopes: { pt: "Tudo que a chave pode fazer.", en: "Everything that the key may do." },
      createdAt: sharedWords.createdAt,
      lastUsedAt: {
        pt: "Último uso, ao minuto; null se nunca foi usada.",
        en: "The last use, to the minute; null if it was never used.",
      },
    },
  },
);
export type ApiKey = z.infer<typeof apiKey>;

export const keyName = visibleName(lengths.keyName.most);

/**
 * With a level, `scopes` come on top of its preset; without one, the key has just these. The level of the key
 * that is made follows from all its scopes: it is not `read` when one of them changes something.
 */
export const newKey = component(
  "NewKey",
  z
    .strictObject({
      name: keyName,
      level: z.enum(keyLevels).optional(),
      scopes: z.array(scope).max(scopes.length).default([]),
      password: z.string().min(1).max(lengths.passphrase.most),
    })
    .refine((key) => key.level !== undefined || key.scopes.length > 0, inputReasons.noScopes.pt),
  {
    text: {
      pt: "A chave a criar: diga `level`, `scopes`, ou os dois.",
      en: "The key to create: give `level`, `scopes`, or both.",
    },
    fields: {
      name: { pt: "Nome da chave, para achá-la na lista.", en: "The key's name, to find it in the list." },
      level: {
        pt: "As permissões de Leitura (`read`) ou de Leitura e escrita (`write`), às quais se somam as de `scopes`.",
        en: "The scopes of read (`read`) or of read and write (`write`), to which those of `scopes` are added.",
      },
      scopes: {
        pt: "Permissões além das do nível; sem nível, só estas.",
        en: "Scopes beyond those of the level; without a level, only these.",
      },
      password: { pt: "A senha da conta, de novo.", en: "The account's password, again." },
    },
  },
);
