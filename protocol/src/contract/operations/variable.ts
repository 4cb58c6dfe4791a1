/** Environment variables (spec: GET and PUT /projects/{id}/variables). */

import { z } from "zod";
import { operation } from "../operation.ts";
import { variables, variablesChange, variablesReplacement } from "../../nouns/variable.ts";
import { none, oneProject } from "./inputs.ts";

const changeErrors = [
  "not_found",
  "unsupported_media_type",
  "payload_too_large",
  "project_busy",
  "variables_unavailable",
  "server_unavailable",
] as const;
const changeAnswer = z.strictObject({ variables, isRestartRequired: z.boolean() });

export const variableOperations = {
  listVariables: operation({
    method: "GET",
    path: "/projects/{id}/variables",
    tag: "Variáveis de ambiente",
    summary: "Lista as variáveis de ambiente",
    access: { kind: "key", scope: "variables:read" },
    effect: "read",
    params: oneProject,
    query: none,
    body: { kind: "none" },
    answer: { kind: "json", status: 200, schema: z.strictObject({ variables }) },
    errors: ["not_found", "variables_unavailable"],
  }),
  setVariables: operation({
    method: "PUT",
    path: "/projects/{id}/variables",
    tag: "Variáveis de ambiente",
    summary: "Troca todas as variáveis de ambiente",
    access: { kind: "key", scope: "variables:write" },
    effect: "change",
    params: oneProject,
    query: none,
    body: { kind: "json", schema: variablesReplacement },
    answer: { kind: "json", status: 200, schema: changeAnswer },
    errors: changeErrors,
  }),
  changeVariables: operation({
    method: "PATCH",
    path: "/projects/{id}/variables",
    tag: "Variáveis de ambiente",
    summary: "Altera algumas variáveis de ambiente; null remove",
    access: { kind: "key", scope: "variables:write" },
    effect: "change",
    params: oneProject,
    query: none,
    body: { kind: "json", schema: variablesChange },
    answer: { kind: "json", status: 200, schema: changeAnswer },
    errors: changeErrors,
  }),
};
