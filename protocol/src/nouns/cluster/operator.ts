/** Defines operators: who they are, what their tokens may do, and the record of what they changed. */

import { z } from "zod";
import { operatorRoles } from "../../contract/access.ts";
import { component, described } from "../../contract/described.ts";
import { id } from "../../values/id.ts";
import { visibleName } from "../../values/visible-name.ts";
import { changedFields } from "../account.ts";
import { timestamp } from "../project.ts";
import { sharedWords } from "../../contract/shared-words.ts";
import { email } from "../session.ts";

export const operatorRole = z.enum(operatorRoles);

const roleWords = {
  pt: "`viewer` só olha; `operator` também muda; `owner` também dá o papel `owner` e troca a chave mestra.",
  en: "`viewer` only looks; `operator` also changes; `owner` also gives the role `owner` and rotates the master key.",
};

/** Kinds of operators: a token, for programs and the command line, or a person who signs in to the panel. */
export const operatorKinds = ["token", "person"] as const;
export type OperatorKind = (typeof operatorKinds)[number];

export const operatorSummary = component(
  "Operator",
  z.strictObject({
    id,
    kind: z.enum(operatorKinds),
    name: z.string(),
    email: z.string().nullable(),
    role: operatorRole,
    hasTwoFactor: z.boolean().nullable(),
    prefix: z.string(),
    expiresAt: timestamp.nullable(),
    createdAt: timestamp,
  }),
  {
    text: {
      pt: "Um operador: um token, que só aparece inteiro na resposta que o cria, ou uma pessoa que entra no painel.",
      en: "An operator: a token, which appears whole only in the response that creates it, or a person who signs in to the panel.",
    },
    fields: {
      id: sharedWords.id,
      name: sharedWords.name,
      createdAt: sharedWords.createdAt,
      kind: {
        pt: "`token`, para a linha de comando e programas; `person`, uma pessoa que entra no painel.",
        en: "`token`, for the command line and programs; `person`, who signs in to the panel.",
      },
      email: { pt: "O e-mail da pessoa; null para um token.", en: "The person's e-mail; null for a token." },
      role: roleWords,
      hasTwoFactor: {
        pt: "Se a pessoa tem a entrada em duas etapas, sem a qual não opera nada; null para um token.",
        en: "Whether the person has two-factor sign-in, without which nothing can be done; null for a token.",
      },
      prefix: {
        pt: "Os primeiros caracteres do token; vazio para uma pessoa.",
        en: "The first characters of the token; empty for a person.",
      },
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

export const newOperatorPerson = described(z.strictObject({ email, role: operatorRole }), {
  email: {
    pt: "O e-mail com que a pessoa entra na conta dela.",
    en: "The e-mail with which the person signs in to the own account.",
  },
  role: roleWords,
});

/** Kinds of things that an operator's change is made to; `cluster`: nothing that has an id. */
export const auditSubjectKinds = [
  "account",
  "project",
  "host",
  "gateway",
  "operator",
  "image",
  "cluster",
  "certificate",
] as const;
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
