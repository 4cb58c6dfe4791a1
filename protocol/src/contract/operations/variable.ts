/** Defines the operations on environment variables (spec: GET and PUT /projects/{id}/variables). */

import { z } from "zod";
import { described } from "../described.ts";
import { operation } from "../operation.ts";
import { sharedWords } from "../shared-words.ts";
import { variables, variablesChange, variablesReplacement } from "../../nouns/variable.ts";
import { none, oneProject } from "./inputs.ts";
import { tags } from "../tags.ts";

const changeErrors = [
  "not_found",
  "unsupported_media_type",
  "payload_too_large",
  "project_busy",
  "variables_unavailable",
  "server_unavailable",
] as const;
const changeAnswer = described(z.strictObject({ variables, isRestartRequired: z.boolean() }), sharedWords);

export const variableOperations = {
  listVariables: operation({
    method: "GET",
    path: "/projects/{id}/variables",
    tag: tags.variables,
    summary: { pt: "Lista as variáveis de ambiente", en: "Lists the environment variables" },
    text: {
      pt: "Os valores vêm abertos: por isso a permissão é de escrita no nível Leitura e escrita.",
      en: "The values come in plain text: that is why the scope is one of writing, in the level read and write.",
    },
    access: { kind: "key", scope: "variables:read" },
    effect: "read",
    params: oneProject,
    query: none,
    body: { kind: "none" },
    answer: {
      kind: "json",
      status: 200,
      schema: described(z.strictObject({ variables }), sharedWords),
    },
    errors: ["not_found", "variables_unavailable"],
  }),
  setVariables: operation({
    method: "PUT",
    path: "/projects/{id}/variables",
    tag: tags.variables,
    summary: { pt: "Troca todas as variáveis de ambiente", en: "Replaces all environment variables" },
    text: {
      pt: "Valem no próximo início; enquanto um início, uma parada ou um reinício está em andamento, a resposta é `project_busy`. Nomes usam letras, números e `_`, sem número no começo, até 256 caracteres; `PORT`, `HOST` e `SVC_*` são do serviço. Nomes e valores somam no máximo 32 KB.",
      en: "They take effect at the next start; while a start, a stop or a restart is in progress, the response is `project_busy`. Names consist of letters, digits and `_`, without a digit at the beginning, up to 256 characters; `PORT`, `HOST` and `SVC_*` belong to the service. Names and values together take at most 32 KB.",
    },
    access: { kind: "key", scope: "variables:write" },
    effect: "change",
    params: oneProject,
    query: none,
    body: {
      kind: "json",
      example: { variables: { TOKEN: "segredo", DEBUG: "1" } },
      schema: variablesReplacement,
    },
    answer: { kind: "json", status: 200, schema: changeAnswer },
    errors: changeErrors,
  }),
  changeVariables: operation({
    method: "PATCH",
    path: "/projects/{id}/variables",
    tag: tags.variables,
    summary: {
      pt: "Altera algumas variáveis de ambiente; null remove",
      en: "Changes some environment variables; null removes",
    },
    text: {
      pt: "Como PUT, mas só muda o que vem: um valor define, null remove.",
      en: "Like PUT, but changes only what is sent: a value sets, null removes.",
    },
    access: { kind: "key", scope: "variables:write" },
    effect: "change",
    params: oneProject,
    query: none,
    body: {
      kind: "json",
      example: { variables: { DEBUG: null, LANG: "pt_BR.UTF-8" } },
      schema: variablesChange,
    },
    answer: { kind: "json", status: 200, schema: changeAnswer },
    errors: changeErrors,
  }),
};
