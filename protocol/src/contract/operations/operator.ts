/** Defines the operations on operators and their tokens, and on the record of what operators change. */

import { z } from "zod";
import { auditEntry, newOperator, operatorSummary } from "../../nouns/operator.ts";
import { id } from "../../values/id.ts";
import { described } from "../described.ts";
import { operation } from "../operation.ts";
import { page } from "./inputs.ts";
import { asOperator, asViewer, bodyErrors } from "./operator-row.ts";
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
  revokeOperator: operation({
    ...asOperator,
    method: "DELETE",
    path: "/cluster/operators/{operatorId}",
    summary: { pt: "Revoga um operador", en: "Revokes an operator" },
    text: {
      pt: "Vale na próxima requisição; o que o token mantém aberto fecha. O último dono sem prazo não pode ser revogado.",
      en: "Takes effect with the next request; what the token holds open closes. The last owner without an expiry cannot be revoked.",
    },
    params: described(z.strictObject({ operatorId: id }), {
      operatorId: { pt: "Id do operador.", en: "The operator's id." },
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
