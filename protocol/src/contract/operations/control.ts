/** Start, stop and restart (spec: Endpoints). */

import { operation } from "../operation.ts";
import { none, oneProject, projectAnswer } from "./inputs.ts";

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
    tag: "Controle",
    summary: "Inicia o projeto",
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
    tag: "Controle",
    summary: "Para o projeto",
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
    tag: "Controle",
    summary: "Reinicia o projeto",
    access: { kind: "key", scope: "projects:control" },
    effect: "change",
    params: oneProject,
    query: none,
    body: { kind: "none" },
    answer: { kind: "json", status: 202, schema: projectAnswer },
    errors: startErrors,
  }),
};
