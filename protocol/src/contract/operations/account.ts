/** Defines the operations of the account: usage of its plan, its activity, and the events of a project. */

import { z } from "zod";
import { account, activityEntry, projectEvent } from "../../nouns/account.ts";
import { described } from "../described.ts";
import { operation } from "../operation.ts";
import { sharedWords } from "../shared-words.ts";
import { none, oneProject, page } from "./inputs.ts";
import { tags } from "../tags.ts";

export const accountOperations = {
  getAccount: operation({
    method: "GET",
    path: "/account",
    tag: tags.account,
    summary: { pt: "Mostra o plano e o uso da conta", en: "Shows the account's plan and usage" },
    text: {
      pt: "Plano, o que ele dá, o que já se usa e as janelas de requisições.",
      en: "The plan, what it gives, what is used of it, and the windows of the request limits.",
    },
    access: { kind: "key", scope: "account:read" },
    effect: "read",
    params: none,
    query: none,
    body: { kind: "none" },
    answer: {
      kind: "json",
      status: 200,
      schema: described(z.strictObject({ account }), sharedWords),
    },
    errors: [],
  }),
  listActivity: operation({
    method: "GET",
    path: "/account/activity",
    tag: tags.account,
    summary: {
      pt: "Lista o que foi feito na conta, do mais novo ao mais antigo",
      en: "Lists what was done in the account, newest first",
    },
    text: {
      pt: "Quem fez o quê, com qual chave, de onde, e os campos antes e depois.",
      en: "Who did what, with which key, from where, and the fields before and after.",
    },
    access: { kind: "key", scope: "activity:read" },
    effect: "read",
    params: none,
    query: page,
    body: { kind: "none" },
    answer: {
      kind: "json",
      status: 200,
      schema: described(
        z.strictObject({ activity: z.array(activityEntry), nextCursor: z.string().nullable() }),
        {
          activity: { pt: "Os registros, do mais novo ao mais antigo.", en: "The entries, newest first." },
          nextCursor: sharedWords.nextCursor,
        },
      ),
    },
    errors: [],
  }),
  listProjectEvents: operation({
    method: "GET",
    path: "/projects/{id}/events",
    tag: tags.projects,
    summary: {
      pt: "Lista o que aconteceu com o projeto, do mais novo ao mais antigo",
      en: "Lists what happened to the project, newest first",
    },
    text: {
      pt: "Envios, voltas a outra versão, inícios, paradas, quedas e falhas, cada um com sua causa, e os arquivos do programa que um envio trocou.",
      en: "Uploads, rollbacks, starts, stops, crashes and failures, each with its cause, and the program's files that an upload replaced.",
    },
    access: { kind: "key", scope: "projects:read" },
    effect: "read",
    params: oneProject,
    query: page,
    body: { kind: "none" },
    answer: {
      kind: "json",
      status: 200,
      schema: described(
        z.strictObject({ events: z.array(projectEvent), nextCursor: z.string().nullable() }),
        {
          events: { pt: "Os eventos, do mais novo ao mais antigo.", en: "The events, newest first." },
          nextCursor: sharedWords.nextCursor,
        },
      ),
    },
    errors: ["not_found"],
  }),
};
