/** Defines the operations on operators and their tokens, and on the record of what operators change. */

import { z } from "zod";
import { auditEntry, newOperator, newOperatorPerson, operatorSummary } from "../../nouns/cluster/operator.ts";
import { issuedLink } from "../../nouns/account-summary.ts";
import { id } from "../../values/id.ts";
import { described } from "../described.ts";
import { operation } from "../operation.ts";
import { page } from "./inputs.ts";
import { asOperator, asOwner, asViewer, bodyErrors } from "./operator-row.ts";
import { sharedWords } from "../shared-words.ts";

export const operatorOperations = {
  listOperators: operation({
    ...asViewer,
    path: "/cluster/operators",
    summary: { pt: "Lista os operadores", en: "Lists the operators" },
    text: {
      pt: "Também os de prazo vencido, até serem revogados.",
      en: "Those that have expired as well, until they are revoked.",
    },
    answer: {
      kind: "json",
      status: 200,
      schema: described(z.strictObject({ operators: z.array(operatorSummary) }), {
        operators: { pt: "Os operadores, do mais velho ao mais novo.", en: "The operators, oldest first." },
      }),
    },
    errors: [],
  }),
  addOperator: operation({
    ...asOperator,
    method: "POST",
    path: "/cluster/operators",
    summary: { pt: "Cria um operador", en: "Adds an operator" },
    text: {
      pt: "Um operador não dá um papel acima do seu. O token inteiro só aparece nesta resposta.",
      en: "An operator gives no role above its own. The whole token appears only in this response.",
    },
    body: {
      kind: "json",
      example: { name: "Ana", role: "operator", expiresInMs: 2_592_000_000 },
      schema: newOperator,
    },
    answer: {
      kind: "json",
      status: 201,
      schema: described(z.strictObject({ operator: operatorSummary, token: z.string() }), {
        operator: { pt: "O operador.", en: "The operator." },
        token: { pt: "O token, `tjo_…`; só aparece aqui.", en: "The token, `tjo_…`; it appears only here." },
      }),
    },
    errors: [...bodyErrors, "operator_limit_reached"],
  }),
  addOperatorPerson: operation({
    ...asOperator,
    method: "POST",
    path: "/cluster/operators/people",
    summary: { pt: "Dá a uma pessoa o papel de operador", en: "Gives a person an operator's role" },
    text: {
      pt: "A pessoa já tem uma conta e entra no painel como sempre; para operar, precisa da entrada em duas etapas. Quem já opera passa a ter este papel. Um operador não dá um papel acima do seu.",
      en: "The person already has an account and signs in to the panel as always; running the cluster needs two-factor sign-in. A person who has a role already gets this one instead. An operator gives no role above its own.",
    },
    body: {
      kind: "json",
      example: { email: "ana@tijolo.dev", role: "operator" },
      schema: newOperatorPerson,
    },
    answer: {
      kind: "json",
      status: 201,
      schema: described(z.strictObject({ operator: operatorSummary }), {
        operator: { pt: "O operador.", en: "The operator." },
      }),
    },
    errors: [...bodyErrors, "not_found", "operator_limit_reached", "last_owner"],
  }),
  createStartLink: operation({
    ...asOwner,
    method: "POST",
    path: "/cluster/operators/link",
    summary: { pt: "Cria o link de início", en: "Creates the start link" },
    text: {
      pt: "Quem o abre cria, uma só vez e dentro de 24 horas, uma conta que opera o cluster como dono. O link anterior deixa de valer.",
      en: "Whoever opens it creates, once and within 24 hours, an account that runs the cluster as an owner. The link before it stops working.",
    },
    answer: {
      kind: "json",
      status: 201,
      schema: described(z.strictObject({ link: issuedLink }), {
        link: { pt: "O link.", en: "The link." },
      }),
    },
    errors: [],
  }),
  revokeOperator: operation({
    ...asOperator,
    method: "DELETE",
    path: "/cluster/operators/{operatorId}",
    summary: { pt: "Revoga um operador", en: "Revokes an operator" },
    text: {
      pt: "Um token ou uma pessoa; ela perde o papel, e a conta dela continua. Vale na próxima requisição; o que está aberto fecha. O último dono sem prazo não pode ser revogado.",
      en: "A token or a person, who loses the role and keeps the account. Takes effect with the next request; what is held open closes. The last owner without an expiry cannot be revoked.",
    },
    params: described(z.strictObject({ operatorId: id }), {
      operatorId: {
        pt: "Id do operador; de uma pessoa, o dela.",
        en: "The operator's id; of a person, the own.",
      },
    }),
    answer: { kind: "empty", status: 204 },
    errors: ["not_found", "last_owner"],
  }),
  listAudit: operation({
    ...asViewer,
    path: "/cluster/audit",
    summary: { pt: "Lista o que os operadores mudaram", en: "Lists what operators changed" },
    text: {
      pt: "Do mais novo ao mais antigo, guardado por 180 dias.",
      en: "Newest first, stored for 180 days.",
    },
    query: page,
    answer: {
      kind: "json",
      status: 200,
      schema: described(z.strictObject({ entries: z.array(auditEntry), nextCursor: z.string().nullable() }), {
        nextCursor: sharedWords.nextCursor,
        entries: { pt: "Os registros, do mais novo ao mais antigo.", en: "The entries, newest first." },
      }),
    },
    errors: [],
  }),
};
