/** Defines the operations start, stop and restart (spec: Endpoints). */

import { operation } from "../operation.ts";
import { none, oneProject, projectAnswer } from "./inputs.ts";
import { tags } from "../tags.ts";

const startErrors = [
  "not_found",
  "project_busy",
  "install_pending",
  "plan_limit_reached",
  // After a downgrade an account has more than its plan lets it run.
  "project_limit_reached",
  "site_not_allowed",
  "site_limit_reached",
  "account_suspended",
  "beta_ending",
  "variables_unavailable",
  "server_unavailable",
] as const;

export const controlOperations = {
  startProject: operation({
    method: "POST",
    path: "/projects/{id}/start",
    tag: tags.control,
    summary: { pt: "Inicia o projeto", en: "Starts the project" },
    text: {
      pt: "Aceito, o projeto sobe em seguida. Iniciar um projeto que já está no ar, ou subindo, não muda nada; o que espera para voltar de uma queda volta na hora; enquanto ele ainda está parando, a resposta é `project_busy`. Zera `consecutiveCrashes`.",
      en: "Once accepted, the project starts shortly afterwards. Starting a project that is running or starting already changes nothing; one that waits to restart after a crash starts at once; while it is still stopping, the response is `project_busy`. Sets `consecutiveCrashes` to zero.",
    },
    access: { kind: "key", scope: "projects:control" },
    effect: "change",
    params: oneProject,
    query: none,
    body: { kind: "none" },
    answer: { kind: "json", status: 202, schema: projectAnswer },
    errors: startErrors,
  }),
  stopProject: operation({
    method: "POST",
    path: "/projects/{id}/stop",
    tag: tags.control,
    summary: { pt: "Para o projeto", en: "Stops the project" },
    text: {
      pt: "Passa à frente de um início ou reinício em andamento. Parar um projeto parado não muda nada. Vale também numa conta suspensa.",
      en: "Overtakes a start or a restart that is in progress. Stopping a stopped project changes nothing. Allowed in a suspended account too.",
    },
    access: { kind: "key", scope: "projects:control" },
    effect: "change",
    params: oneProject,
    query: none,
    body: { kind: "none" },
    answer: { kind: "json", status: 202, schema: projectAnswer },
    errors: ["not_found", "project_busy", "server_unavailable"],
  }),
  restartProject: operation({
    method: "POST",
    path: "/projects/{id}/restart",
    tag: tags.control,
    summary: { pt: "Reinicia o projeto", en: "Restarts the project" },
    text: {
      pt: "Um projeto que não está no ar é iniciado. Aplica as mudanças de configuração que esperam. Enquanto um início, uma parada ou outro reinício está em andamento, a resposta é `project_busy`.",
      en: "A project that is not running is started. Applies the changes of its configuration that are pending. While a start, a stop or another restart is in progress, the response is `project_busy`.",
    },
    access: { kind: "key", scope: "projects:control" },
    effect: "change",
    params: oneProject,
    query: none,
    body: { kind: "none" },
    answer: { kind: "json", status: 202, schema: projectAnswer },
    errors: startErrors,
  }),
};
