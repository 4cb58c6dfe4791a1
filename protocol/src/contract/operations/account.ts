/** The account: usage of its plan and its activity; what happened to a project. */

import { z } from "zod";
import { account, activityEntry, projectEvent } from "../../nouns/account.ts";
import { operation } from "../operation.ts";
import { none, oneProject, page } from "./inputs.ts";

export const accountOperations = {
  getAccount: operation({
    method: "GET",
    path: "/account",
    tag: "Conta",
    summary: "Mostra o plano e o uso da conta",
    access: { kind: "key", scope: "account:read" },
    effect: "read",
    params: none,
    query: none,
    body: { kind: "none" },
    answer: { kind: "json", status: 200, schema: z.strictObject({ account }) },
    errors: [],
  }),
  listActivity: operation({
    method: "GET",
    path: "/account/activity",
    tag: "Conta",
    summary: "Lista o que foi feito na conta, do mais novo ao mais antigo",
    access: { kind: "key", scope: "activity:read" },
    effect: "read",
    params: none,
    query: page,
    body: { kind: "none" },
    answer: {
      kind: "json",
      status: 200,
      schema: z.strictObject({ activity: z.array(activityEntry), nextCursor: z.string().nullable() }),
    },
    errors: [],
  }),
  listProjectEvents: operation({
    method: "GET",
    path: "/projects/{id}/events",
    tag: "Projetos",
    summary: "Lista o que aconteceu com o projeto, do mais novo ao mais antigo",
    access: { kind: "key", scope: "projects:read" },
    effect: "read",
    params: oneProject,
    query: page,
    body: { kind: "none" },
    answer: {
      kind: "json",
      status: 200,
      schema: z.strictObject({ events: z.array(projectEvent), nextCursor: z.string().nullable() }),
    },
    errors: ["not_found"],
  }),
};
