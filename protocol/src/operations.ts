/**
 * Every operation of the HTTP interface (spec: Endpoints).
 * Handlers, permission checks, the OpenAPI document, the typed client and the authorization test are derived from this table.
 */

import { z } from "zod";
import { id } from "./id.ts";
import { logEvent, logLine, logQuery } from "./log.ts";
import { operation } from "./operation.ts";
import type { Operation } from "./operation.ts";
import { projectPatch, uploadForm } from "./project-config.ts";
import { project } from "./project.ts";

const none = z.strictObject({});
const oneProject = z.strictObject({ id });
const projectAnswer = z.strictObject({ project });

const uploadErrors = [
  "invalid_zip",
  "unsafe_zip",
  "missing_config",
  "invalid_config",
  "unsupported_language",
  "insufficient_memory",
  "invalid_subdomain",
  "reserved_subdomain",
  "site_not_allowed",
  "site_limit_reached",
  "subdomain_taken",
  "no_capacity",
  "project_busy",
  "account_suspended",
  "beta_ending",
  "variables_unavailable",
  "server_unavailable",
  "too_many_requests",
  "unsupported_media_type",
] as const;

const startErrors = [
  "not_found",
  "project_busy",
  "install_pending",
  "plan_limit_reached",
  "account_suspended",
  "beta_ending",
  "variables_unavailable",
  "server_unavailable",
] as const;

export const operations = {
  listProjects: operation({
    method: "GET",
    path: "/projects",
    tag: "Projetos",
    summary: "Lista os projetos da conta",
    access: { kind: "key", scope: "projects:read" },
    effect: "read",
    params: none,
    query: none,
    body: { kind: "none" },
    answer: { kind: "json", status: 200, schema: z.strictObject({ projects: z.array(project) }) },
    errors: [],
  }),
  getProject: operation({
    method: "GET",
    path: "/projects/{id}",
    tag: "Projetos",
    summary: "Mostra um projeto",
    access: { kind: "key", scope: "projects:read" },
    effect: "read",
    params: oneProject,
    query: none,
    body: { kind: "none" },
    answer: { kind: "json", status: 200, schema: projectAnswer },
    errors: ["not_found"],
  }),
  createProject: operation({
    method: "POST",
    path: "/projects",
    tag: "Projetos",
    summary: "Cria um projeto a partir de um .zip",
    access: { kind: "key", scope: "projects:deploy" },
    effect: "change",
    params: none,
    query: none,
    body: { kind: "upload", fields: uploadForm },
    answer: { kind: "json", status: 201, schema: projectAnswer },
    errors: [...uploadErrors, "project_limit_reached"],
  }),
  uploadCode: operation({
    method: "POST",
    path: "/projects/{id}/code",
    tag: "Projetos",
    summary: "Envia um novo .zip para o projeto",
    access: { kind: "key", scope: "projects:deploy" },
    effect: "change",
    params: oneProject,
    query: none,
    body: { kind: "upload", fields: uploadForm },
    answer: { kind: "json", status: 202, schema: projectAnswer },
    errors: ["not_found", ...uploadErrors],
  }),
  updateProject: operation({
    method: "PATCH",
    path: "/projects/{id}",
    tag: "Projetos",
    summary: "Altera a configuração do projeto",
    access: { kind: "key", scope: "projects:settings" },
    effect: "change",
    params: oneProject,
    query: none,
    body: { kind: "json", schema: projectPatch },
    answer: { kind: "json", status: 200, schema: z.strictObject({ project, isRestartRequired: z.boolean() }) },
    errors: [
      "not_found",
      "unsupported_media_type",
      "payload_too_large",
      "project_busy",
      "subdomain_taken",
      "invalid_subdomain",
      "reserved_subdomain",
      "invalid_config",
      "unsupported_language",
      "insufficient_memory",
      "site_not_allowed",
      "site_limit_reached",
      "server_unavailable",
    ],
  }),
  deleteProject: operation({
    method: "DELETE",
    path: "/projects/{id}",
    tag: "Projetos",
    summary: "Apaga o projeto",
    access: { kind: "panel" },
    effect: "change",
    params: oneProject,
    query: none,
    body: { kind: "none" },
    answer: { kind: "empty", status: 204 },
    errors: ["not_found"],
  }),
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
  streamLogs: operation({
    method: "GET",
    path: "/projects/{id}/logs",
    tag: "Logs e métricas",
    summary: "Acompanha os logs ao vivo",
    access: { kind: "key", scope: "logs:read" },
    effect: "read",
    params: oneProject,
    query: logQuery,
    body: { kind: "none" },
    answer: {
      kind: "events",
      event: logEvent,
      page: z.strictObject({ lines: z.array(logLine), nextCursor: z.string().nullable() }),
    },
    errors: ["not_found", "too_many_requests", "server_unavailable"],
  }),
} satisfies Record<string, Operation>;

export type Operations = typeof operations;

export type OperationName = keyof Operations;

export const operationNames = Object.keys(operations).filter((name): name is OperationName => Object.hasOwn(operations, name));

/** Input of an operation after its schemas were applied. */
export type OperationParams<Name extends OperationName> = z.output<Operations[Name]["params"]>;
export type OperationQuery<Name extends OperationName> = z.output<Operations[Name]["query"]>;
export type OperationBody<Name extends OperationName> = Operations[Name]["body"] extends {
  kind: "json";
  schema: infer Schema extends z.ZodType;
}
  ? z.output<Schema>
  : Operations[Name]["body"] extends { kind: "upload"; fields: infer Fields extends z.ZodType }
    ? z.output<Fields>
    : undefined;

/** The JSON document that an operation answers; undefined for those that answer none. */
export type OperationAnswer<Name extends OperationName> = Operations[Name]["answer"] extends {
  kind: "json";
  schema: infer Schema extends z.ZodType;
}
  ? z.input<Schema>
  : undefined;
