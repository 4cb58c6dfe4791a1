/** Defines operators: who they are, what their tokens may do, and the record of what they changed. */

import { z } from "zod";
import { operatorRoles } from "../contract/access.ts";
import { component, described } from "../contract/described.ts";
import { id } from "../values/id.ts";
import { visibleName } from "../values/visible-name.ts";
import { changedFields } from "./account.ts";
import { timestamp } from "./project.ts";
import { sharedWords } from "../contract/shared-words.ts";

export const operatorRole = z.enum(operatorRoles);

const roleWords = {
  pt: "`viewer` só olha; `operator` também muda; `owner` também dá o papel `owner` e troca a chave mestra.",
  en: "`viewer` only looks; `operator` also changes; `owner` also gives the role `owner` and rotates the master key.",
};

export const operatorSummary = component(
  "Operator",
  z.strictObject({
    id,
    name: z.string(),
    role: operatorRole,
    prefix: z.string(),
    expiresAt: timestamp.nullable(),
    createdAt: timestamp,
  }),
  {
    text: {
      pt: "Um operador. O token inteiro só aparece na resposta que o cria.",
      en: "An operator. The whole token appears only in the response that creates it.",
    },
    fields: {
      id: sharedWords.id,
      name: sharedWords.name,
      createdAt: sharedWords.createdAt,
      role: roleWords,
      prefix: { pt: "Os primeiros caracteres do token.", en: "The first characters of the token." },
      expiresAt: {
        pt: "Quando o token deixa de valer; null: nunca.",
        en: "When the token stops working; null: never.",
      },
    },
  },
);
export type OperatorSummary = z.infer<typeof operatorSummary>;

const dayMs = 24 * 60 * 60 * 1000;

export const newOperator = described(
  z.strictObject({
    name: visibleName(40),
    role: operatorRole,
    expiresInMs: z
      .int()
      .min(60_000)
      .max(5 * 366 * dayMs)
      .optional(),
  }),
  {
    name: sharedWords.name,
    role: roleWords,
    expiresInMs: {
      pt: "Por quanto tempo o token vale, em milissegundos; sem ele, até ser revogado.",
      en: "How long the token works, in milliseconds; without it, until it is revoked.",
    },
  },
);

/** Kinds of things that an operator's change is made to; `cluster`: nothing that has an id. */
export const auditSubjectKinds = ["account", "project", "host", "operator", "image", "cluster"] as const;
export type AuditSubjectKind = (typeof auditSubjectKinds)[number];

const auditSubject = described(
  z.strictObject({ kind: z.enum(auditSubjectKinds), id: z.string().nullable(), name: z.string().nullable() }),
  {
    kind: { pt: "De que tipo é o que mudou.", en: "What kind of thing was changed." },
    id: {
      pt: "O id do que mudou; null onde não há.",
      en: "The id of what was changed; null where there is none.",
    },
    name: {
      pt: "O nome que tinha então; null onde não há.",
      en: "Its name at that time; null where there is none.",
    },
  },
);
export type AuditSubject = z.infer<typeof auditSubject>;

export const auditEntry = component(
  "AuditEntry",
  z.strictObject({
    id,
    at: timestamp,
    operator: described(z.strictObject({ id, name: z.string() }), sharedWords),
    address: z.string(),
    action: z.string(),
    subject: auditSubject,
    before: changedFields.nullable(),
    after: changedFields.nullable(),
  }),
  {
    text: {
      pt: "O que um operador mudou, de onde, e os campos antes e depois. Nunca leva segredos.",
      en: "What an operator changed, from where, and the fields before and after. It never holds secrets.",
    },
    fields: {
      id: sharedWords.id,
      at: sharedWords.at,
      operator: { pt: "Quem mudou.", en: "Who made the change." },
      address: { pt: "De onde veio a requisição.", en: "Where the request came from." },
      action: { pt: "A operação, pelo `operationId`.", en: "The operation, by its `operationId`." },
      subject: { pt: "O que mudou.", en: "What was changed." },
      before: {
        pt: "Os campos antes; null onde não há.",
        en: "The fields before; null where there are none.",
      },
      after: {
        pt: "Os campos depois; null onde não há.",
        en: "The fields after; null where there are none.",
      },
    },
  },
);
export type AuditEntry = z.infer<typeof auditEntry>;
