/** Defines the operations of projects: list, show, create, new code, settings, delete (spec: Endpoints). */

import { z } from "zod";
import { id } from "../../values/id.ts";
import { described } from "../described.ts";
import { operation } from "../operation.ts";
import { projectPatch, uploadForm, uploadFormWords } from "../../project/project-config.ts";
import { project } from "../../nouns/project.ts";
import { none, oneProject, pageLimit, projectAnswer } from "./inputs.ts";
import { sharedWords } from "../shared-words.ts";
import { tags } from "../tags.ts";

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

export const projectOperations = {
  listProjects: operation({
    method: "GET",
    path: "/projects",
    tag: tags.projects,
    summary: { pt: "Lista os projetos da conta", en: "Lists the account's projects" },
    text: {
      pt: "Os projetos da conta, do mais velho ao mais novo: todos, ou uma página deles com `limit` ou `cursor`.",
      en: "The account's projects, oldest first: all of them, or one page with `limit` or `cursor`.",
    },
    access: { kind: "key", scope: "projects:read" },
    effect: "read",
    params: none,
    // Without either it answers them all and no cursor (spec: GET /projects).
    query: described(z.strictObject({ limit: pageLimit.optional(), cursor: id.optional() }), {
      limit: {
        pt: "Quantos por página, de 1 a 200; só com `cursor`, 100.",
        en: "How many per page, from 1 to 200; with `cursor` alone, 100.",
      },
      cursor: sharedWords.cursor,
    }),
    body: { kind: "none" },
    answer: {
      kind: "json",
      status: 200,
      // Without the other fields it is the answer of the spec (GET /projects).
      schema: described(
        z.strictObject({
          projects: z.array(project),
          startingIds: z.array(id).min(1).optional(),
          nextCursor: id.nullable().optional(),
        }),
        {
          projects: sharedWords.projects,
          startingIds: {
            pt: "Só quando há: os `id` dos sites que estão no primeiro minuto no ar e ainda não atendem na sua porta, como `isStarting` de um projeto.",
            en: "Only when there are any: the `id`s of sites in the first minute of a run that do not answer on their port yet, like `isStarting` of one project.",
          },
          nextCursor: {
            pt: "Só com `limit` ou `cursor`: cursor da próxima página; null no fim.",
            en: "Only with `limit` or `cursor`: the cursor of the next page; null at the end.",
          },
        },
      ),
    },
    errors: [],
  }),
  getProject: operation({
    method: "GET",
    path: "/projects/{id}",
    tag: tags.projects,
    summary: { pt: "Mostra um projeto", en: "Shows a project" },
    text: {
      pt: "Um projeto que não existe e um projeto de outra conta respondem o mesmo: `not_found`.",
      en: "A project that does not exist and a project of another account get the same response: `not_found`.",
    },
    access: { kind: "key", scope: "projects:read" },
    effect: "read",
    params: oneProject,
    query: none,
    body: { kind: "none" },
    answer: {
      kind: "json",
      status: 200,
      // Without the further fields it is the answer of the spec (GET /projects/{id}).
      schema: described(
        z.strictObject({
          project,
          isStarting: z.literal(true).optional(),
          onFailure: z.literal("keep").optional(),
        }),
        {
          project: sharedWords.project,
          onFailure: {
            pt: "Só quando não é o padrão: código novo que não sobe fica, e a versão anterior não volta.",
            en: "Only when it is not the default: new code that does not come up stays, and the version before it does not return.",
          },
          isStarting: {
            pt: "Só no primeiro minuto de um site que está no ar, enquanto ele ainda não atende na sua porta: as visitas veem que ele está iniciando.",
            en: "Only in the first minute of a site that runs, while it does not answer on its port yet: visitors are told that it is starting.",
          },
        },
      ),
    },
    errors: ["not_found"],
  }),
  createProject: operation({
    method: "POST",
    path: "/projects",
    tag: tags.projects,
    summary: { pt: "Cria um projeto a partir de um .zip", en: "Creates a project from a .zip" },
    text: {
      pt: "O código vai num .zip, no campo `file`. A configuração vem do `svc.json` dentro do .zip ou dos campos do formulário; um campo do formulário vence o do `svc.json`. Num campo `type`, `version`, `memoryMb`, `port` ou `onFailure` vazio vale o padrão. Um `entry` ou `root` que não está no .zip, e que nada na instalação poderia criar, é `invalid_config`. A resposta chega quando o .zip foi guardado e conferido; a instalação segue, e o estado a acompanha.",
      en: "The code comes in a .zip, in the field `file`. The configuration comes from the `svc.json` inside the .zip or from the fields of the form; a field of the form wins over `svc.json`. An empty field `type`, `version`, `memoryMb`, `port` or `onFailure` stands for its default. An `entry` or a `root` that is not in the .zip, and that nothing in the installation could make, is `invalid_config`. The response arrives when the .zip has been stored and checked; the installation follows, and the status reports it.",
    },
    access: { kind: "key", scope: "projects:deploy" },
    effect: "change",
    params: none,
    query: none,
    body: {
      kind: "upload",
      fields: described(uploadForm.clone(), {
        ...uploadFormWords,
        start: {
          pt: "`true` inicia o projeto depois da instalação. Sem isso, um projeto novo fica parado.",
          en: "`true` starts the project after the installation. Without it, a new project stays stopped.",
        },
      }),
    },
    answer: { kind: "json", status: 201, schema: projectAnswer },
    errors: [...uploadErrors, "project_limit_reached"],
  }),
  uploadCode: operation({
    method: "POST",
    path: "/projects/{id}/code",
    tag: tags.projects,
    summary: { pt: "Envia um novo .zip para o projeto", en: "Sends a new .zip for the project" },
    text: {
      pt: "Troca os arquivos que vieram do envio anterior e mantém o que o próprio projeto gravou. Um arquivo que o projeto mudou ou criou e que o .zip traz também é trocado pelo do .zip e fica guardado por 14 dias. Um campo que o `svc.json` anterior tinha e o novo não tem volta ao padrão, e também um que vem com null; o que foi mudado por PATCH, pelo painel ou pelo formulário fica, e sem `svc.json` nada muda. Um projeto no ar continua no ar durante a instalação e volta sozinho com o código novo. Enquanto um início, uma parada ou um reinício está em andamento, a resposta é `project_busy`. O que o `svc.json` ou o formulário muda na configuração exige da chave também `projects:settings`, como em PATCH; sem ela, a resposta é `insufficient_scope`.",
      en: "Replaces the files that came with the previous upload and keeps what the project itself has written. A file that the project changed or made and that the .zip brings, too, is replaced by that of the .zip and kept for 14 days. A field that the previous `svc.json` had and the new one does not have returns to its default, and so does one that is null; what was set by PATCH, by the panel or by the form stays, and without an `svc.json` nothing changes. A running project goes on running during the installation and restarts by itself with the new code. While a start, a stop or a restart is in progress, the response is `project_busy`. What `svc.json` or the form changes of the settings also needs a key with `projects:settings`, as PATCH does; without it, the response is `insufficient_scope`.",
    },
    access: { kind: "key", scope: "projects:deploy" },
    effect: "change",
    params: oneProject,
    query: none,
    body: {
      kind: "upload",
      fields: described(uploadForm.clone(), {
        ...uploadFormWords,
        start: {
          pt: "`true` inicia depois da instalação; um projeto que estava no ar volta sozinho.",
          en: "`true` starts it after the installation; a project that was running restarts by itself.",
        },
      }),
    },
    answer: { kind: "json", status: 202, schema: projectAnswer },
    errors: ["not_found", ...uploadErrors],
  }),
  updateProject: operation({
    method: "PATCH",
    path: "/projects/{id}",
    tag: tags.projects,
    summary: { pt: "Altera a configuração do projeto", en: "Changes the project's configuration" },
    text: {
      pt: "`name`, `description` e `onFailure` valem na hora; os outros campos, no próximo início, e `isRestartRequired` diz se algo espera por ele. A resposta mostra os valores novos. Enquanto um início, uma parada ou um reinício está em andamento, a resposta é `project_busy`.",
      en: "`name`, `description` and `onFailure` take effect at once; the other fields at the next start, and `isRestartRequired` says whether something waits for it. The response shows the new values. While a start, a stop or a restart is in progress, the response is `project_busy`.",
    },
    access: { kind: "key", scope: "projects:settings" },
    effect: "change",
    params: oneProject,
    query: none,
    body: { kind: "json", example: { memoryMb: 512, command: "npm start" }, schema: projectPatch },
    answer: {
      kind: "json",
      status: 200,
      schema: described(z.strictObject({ project, isRestartRequired: z.boolean() }), sharedWords),
    },
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
      "no_capacity",
      "server_unavailable",
    ],
  }),
  deleteProject: operation({
    method: "DELETE",
    path: "/projects/{id}",
    tag: tags.projects,
    summary: { pt: "Apaga o projeto", en: "Deletes the project" },
    text: {
      pt: "Para o projeto e apaga arquivos e variáveis.",
      en: "Stops the project and deletes its files and variables.",
    },
    access: { kind: "panel", operator: "operator" },
    effect: "change",
    params: oneProject,
    query: none,
    body: { kind: "none" },
    answer: { kind: "empty", status: 204 },
    errors: ["not_found", "insufficient_role"],
  }),
};
