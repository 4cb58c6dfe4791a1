/** Defines the account as its owner sees it: plan, usage of it, and activity. */

import { z } from "zod";
import { component, described } from "../contract/described.ts";
import { sharedWords } from "../contract/shared-words.ts";
import { id } from "../values/id.ts";
import { planName } from "./plan.ts";
import { projectError, timestamp } from "./project.ts";
import { replacedNames } from "./replaced-files.ts";

const quota = described(z.strictObject({ limit: z.int(), used: z.int(), free: z.int() }), {
  limit: sharedWords.limit,
  used: sharedWords.used,
  free: { pt: "O que resta.", en: "What is left." },
});
const requestWindow = described(
  z.strictObject({ limit: z.int(), remaining: z.int(), resetSeconds: z.int() }),
  {
    limit: sharedWords.limit,
    remaining: { pt: "Requisições que ainda cabem.", en: "Requests that are still allowed." },
    resetSeconds: {
      pt: "Segundos até a janela recomeçar.",
      en: "Seconds until the window starts again.",
    },
  },
);

export const account = component(
  "Account",
  z.strictObject({
    id,
    name: z.string(),
    plan: planName,
    memoryMb: quota,
    projects: quota,
    sites: quota,
    domains: quota,
    requests: described(z.strictObject({ perMinute: requestWindow, perDay: requestWindow }), {
      perMinute: { pt: "Janela de um minuto.", en: "The window of one minute." },
      perDay: { pt: "Janela de um dia.", en: "The window of one day." },
    }),
    suspendedAt: timestamp.nullable(),
    stopsAt: timestamp.nullable(),
    betaEndsAt: timestamp.nullable(),
    createdAt: timestamp,
  }),
  {
    text: {
      pt: "A conta: plano, o que ele dá e o que já se usa dele.",
      en: "The account: its plan, what the plan gives and what is used of it.",
    },
    fields: {
      id: { pt: "Id da conta.", en: "The account's id." },
      name: sharedWords.name,
      plan: { pt: "Plano.", en: "Plan." },
      memoryMb: {
        pt: "Memória reservada pelos projetos, em MB.",
        en: "Memory that the projects have reserved, in MB.",
      },
      projects: { pt: "Projetos.", en: "Projects." },
      sites: { pt: "Sites entre os projetos.", en: "Sites among the projects." },
      domains: {
        pt: "Domínios próprios de todos os sites, também os que esperam pelo DNS.",
        en: "Own domains of all sites, also those that wait for DNS.",
      },
      requests: {
        pt: "Requisições com chave, todas as chaves somadas.",
        en: "Requests with a key, all keys together.",
      },
      suspendedAt: {
        pt: "Desde quando a conta está suspensa; null se não está.",
        en: "Since when the account is suspended; null if it is not.",
      },
      stopsAt: {
        pt: "Quando os projetos de uma conta suspensa param; null se ela não está suspensa.",
        en: "When the projects of a suspended account stop; null if it is not suspended.",
      },
      betaEndsAt: {
        pt: "Quando a conta volta ao plano Free; null se não há data.",
        en: "When the account returns to the plan Free; null if there is no date.",
      },
      createdAt: sharedWords.createdAt,
    },
  },
);
export type Account = z.infer<typeof account>;

/** `service`: Tijolo itself, for example when a suspension's grace is over. */
export const actorKinds = ["key", "session", "operator", "service"] as const;
export type ActorKind = (typeof actorKinds)[number];

export const actor = described(z.strictObject({ kind: z.enum(actorKinds), name: z.string() }), {
  kind: {
    pt: "`key`: chave de API; `session`: pessoa no painel; `operator`: operador; `service`: o próprio serviço.",
    en: "`key`: an API key; `session`: a person in the panel; `operator`: an operator; `service`: the service itself.",
  },
  name: { pt: "Nome da chave ou da pessoa.", en: "The name of the key or the person." },
});

export const activityActions = [
  "project.create",
  "project.upload",
  "project.rollback",
  "project.settings",
  "project.site_settings",
  "project.site_page",
  "project.delete",
  "project.start",
  "project.stop",
  "project.restart",
  "project.variables",
  "project.restore",
  "project.files_restore",
  "domain.add",
  "domain.remove",
  "domain.active",
  "domain.failed",
  "domain.certificate",
  "key.create",
  "key.revoke",
  "account.sign_up",
  "account.sign_in",
  "account.sign_out",
  "account.session_end",
  "account.password_change",
  "account.password_reset",
  "account.password_reset_request",
  "account.two_factor_on",
  "account.two_factor_off",
  "account.recovery_codes",
  "account.passkey_add",
  "account.passkey_rename",
  "account.passkey_remove",
  "account.not_me",
  "account.plan",
  "account.suspend",
  "account.resume",
  "account.beta_ending",
  "account.notice_channels",
] as const;
export type ActivityAction = (typeof activityActions)[number];

/** Fields before and after, without secrets: of variables only the names. */
export const changedFields = z.record(z.string(), z.json());

export const activityEntry = component(
  "ActivityEntry",
  z.strictObject({
    id,
    at: timestamp,
    actor,
    action: z.enum(activityActions),
    project: described(z.strictObject({ id, name: z.string() }), sharedWords).nullable(),
    address: z.string().nullable(),
    before: changedFields.nullable(),
    after: changedFields.nullable(),
  }),
  {
    text: {
      pt: "O que foi feito na conta, por quem e de onde. Nunca leva segredos: de variáveis, só os nomes.",
      en: "What was done in the account, by whom and from where. It never holds secrets: of variables only the names.",
    },
    fields: {
      id: { pt: "Id do registro.", en: "The entry's id." },
      at: sharedWords.at,
      actor: { pt: "Quem fez.", en: "Who did it." },
      action: { pt: "O que foi feito.", en: "What was done." },
      project: {
        pt: "Em qual projeto, com o nome daquele momento; null se em nenhum.",
        en: "In which project, with its name at that time; null if in none.",
      },
      address: {
        pt: "De onde veio a requisição; null quando foi o próprio serviço.",
        en: "Where the request came from; null when it was the service itself.",
      },
      before: { pt: "Os campos antes da mudança.", en: "The fields before the change." },
      after: { pt: "Os campos depois da mudança.", en: "The fields after the change." },
    },
  },
);
export type ActivityEntry = z.infer<typeof activityEntry>;

/** Kinds of events by which new code, or a project, failed; an end of a single run is `exit` or `crash`. */
export const failureKinds = ["install_failed", "start_failed", "crash_loop"] as const;
export type FailureKind = (typeof failureKinds)[number];

export const projectEventKinds = [
  "create",
  "upload",
  "rollback",
  "settings",
  "variables",
  "start",
  "stop",
  "restart",
  "files_restore",
  "exit",
  "crash",
  ...failureKinds,
  "files_replaced",
  "domain_add",
  "domain_remove",
  "domain_active",
  "domain_failed",
] as const;

/** Event of a project, with its cause. */
export const projectEvent = component(
  "ProjectEvent",
  z.strictObject({
    id: z.string(),
    at: timestamp,
    kind: z.enum(projectEventKinds),
    actor: actor.nullable(),
    exit: described(z.strictObject({ code: z.int(), isOutOfMemory: z.boolean() }), {
      code: { pt: "Código de saída.", en: "The exit code." },
      isOutOfMemory: {
        pt: "Se passou da memória do projeto.",
        en: "Whether it exceeded the project's memory.",
      },
    }).nullable(),
    versionNumber: z.int().nullable(),
    rolledBackFrom: z.int().nullable(),
    error: projectError.nullable(),
    replaced: replacedNames.nullable(),
    domain: z.string().nullable(),
  }),
  {
    text: { pt: "O que aconteceu com o projeto, e por quê.", en: "What happened to the project, and why." },
    fields: {
      id: { pt: "Id do evento.", en: "The event's id." },
      at: sharedWords.at,
      kind: {
        pt: "O que aconteceu. `exit` e `crash`: uma execução terminou, bem ou com erro; `install_failed`: a instalação de uma versão falhou; `start_failed`: uma versão não subiu, e a anterior, se estava no ar, voltou; `crash_loop`: o projeto caiu vezes demais e parou de reiniciar.",
        en: "What happened. `exit` and `crash`: a run ended, well or with an error; `install_failed`: the install of a version failed; `start_failed`: a version did not come up, and the one before, if it was running, was brought back; `crash_loop`: the project crashed too many times and stopped restarting.",
      },
      actor: {
        pt: "Quem causou; null quando foi o próprio programa.",
        en: "Who caused it; null when it was the program itself.",
      },
      exit: {
        pt: "Em `exit` e `crash`: como o processo terminou.",
        en: "In `exit` and `crash`: how the process ended.",
      },
      versionNumber: {
        pt: "Em `create`, `upload`, `rollback`, `files_replaced` e nas falhas: a versão; senão, null.",
        en: "In `create`, `upload`, `rollback`, `files_replaced` and in failures: the version; otherwise null.",
      },
      rolledBackFrom: {
        pt: "Em `rollback`: a versão de onde veio o código; senão, null.",
        en: "In `rollback`: the version that the code comes from; otherwise null.",
      },
      error: { pt: "Nas falhas: o motivo; senão, null.", en: "In failures: the reason; otherwise null." },
      domain: {
        pt: "Em `domain_add`, `domain_remove`, `domain_active` e `domain_failed`: o domínio; senão, null.",
        en: "In `domain_add`, `domain_remove`, `domain_active` and `domain_failed`: the domain; otherwise null.",
      },
      replaced: {
        pt: "Em `files_replaced`: os arquivos que o programa tinha mudado e que o envio trouxe também; estão guardados.",
        en: "In `files_replaced`: the files that the program had changed and that the upload brought, too; they are kept.",
      },
    },
  },
);
export type ProjectEvent = z.infer<typeof projectEvent>;
