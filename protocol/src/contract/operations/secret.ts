/**
 * Defines the operators' operations on the keys that seal central's stored secrets, and on what those keys no
 * longer open.
 */

import { z } from "zod";
import { projectReference } from "../../nouns/account-summary.ts";
import { masterKeyRotated, masterKeyStatus } from "../../nouns/cluster/master-key.ts";
import { operation } from "../operation.ts";
import { asOperator, asOwner, asViewer, oneProjectOfAny } from "./operator-row.ts";
import { sharedWords } from "../shared-words.ts";
import { described } from "../described.ts";

export const secretOperations = {
  getMasterKeys: operation({
    ...asViewer,
    path: "/cluster/master-keys",
    summary: { pt: "Mostra as chaves mestras", en: "Shows the master keys" },
    text: { pt: "Os nomes, nunca as chaves.", en: "Their names, never the keys." },
    answer: { kind: "json", status: 200, schema: masterKeyStatus },
    errors: [],
  }),
  rotateMasterKey: operation({
    ...asOwner,
    method: "POST",
    path: "/cluster/master-keys/rotate",
    summary: { pt: "Troca a chave mestra", en: "Rotates the master key" },
    text: {
      pt: "Responde quando tudo o que abre está selado pela chave que vale.",
      en: "Responds when everything that can be opened is sealed by the key in use.",
    },
    answer: { kind: "json", status: 200, schema: masterKeyRotated },
    errors: ["variables_unavailable"],
  }),
  forgetVariables: operation({
    ...asOperator,
    method: "DELETE",
    path: "/cluster/projects/{projectId}/variables",
    summary: { pt: "Esquece variáveis que ninguém mais abre", en: "Forgets variables that nobody can open" },
    text: {
      pt: "O projeto fica sem nenhuma. Enquanto abrem, a resposta é `invalid_request`.",
      en: "The project has none from then on. While they open, the response is `invalid_request`.",
    },
    params: oneProjectOfAny,
    answer: {
      kind: "json",
      status: 200,
      schema: described(
        z.strictObject({ project: projectReference, isRestartRequired: z.boolean() }),
        sharedWords,
      ),
    },
    errors: ["not_found", "project_busy"],
  }),
};
