/** Defines the project as the API shows it (spec: "Project" and its parts). */

import { z } from "zod";
import { component, named } from "../contract/described.ts";
import { sharedWords } from "../contract/shared-words.ts";
import { settingWords } from "../project/project-config.ts";
import { projectErrorCodes, projectStatuses, projectTypes } from "../project/project-status.ts";
import { id } from "../values/id.ts";
import { languages } from "./language.ts";
import { lengths } from "../values/lengths.ts";
import { systemPackage } from "../project/system-package.ts";

export * from "../project/project-status.ts";

export const projectType = z.enum(projectTypes);
export const projectStatus = z.enum(projectStatuses);
export const projectErrorCode = z.enum(projectErrorCodes);

/** ISO 8601, UTC, milliseconds, `Z`. */
export const timestamp = named("Timestamp", z.iso.datetime({ precision: 3 }), {
  text: {
    pt: "ISO 8601 em UTC, com milissegundos e `Z`.",
    en: "ISO 8601 in UTC, with milliseconds and `Z`.",
  },
});

/** Reason why the project is not up; `message` in the language of the answer. */
export const projectError = component(
  "ProjectError",
  z.strictObject({ code: projectErrorCode, message: z.string() }),
  {
    text: { pt: "Por que o projeto não está no ar.", en: "Why the project is not running." },
    fields: {
      code: { pt: "Motivo, fixo.", en: "The reason; it never changes." },
      message: {
        pt: "Explicação para uma pessoa; em inglês com `Accept-Language: en`.",
        en: "An explanation for a person; in English with `Accept-Language: en`.",
      },
    },
  },
);
export type ProjectError = z.infer<typeof projectError>;

export const lastExitWords = {
  pt: "A última vez que o processo terminou.",
  en: "The last time that the process ended.",
};

/** The last time the process ended. `code` is the exit code, 128 + signal for a death by signal. */
export const lastExit = component(
  "LastExit",
  z.strictObject({ code: z.int(), isOutOfMemory: z.boolean(), exitedAt: timestamp }),
  {
    text: lastExitWords,
    fields: {
      code: {
        pt: "Código de saída; 128 mais o número do sinal quando um sinal o terminou.",
        en: "The exit code; 128 plus the number of the signal when a signal ended it.",
      },
      isOutOfMemory: {
        pt: "Se passou da memória do projeto.",
        en: "Whether it exceeded the project's memory.",
      },
      exitedAt: { pt: "Quando terminou.", en: "When it ended." },
    },
  },
);
export type LastExit = z.infer<typeof lastExit>;

/** Current usage of a running project. `cpuPercent`: 100 = one full core. */
export const usage = component(
  "Usage",
  z.strictObject({
    memoryMb: z.int(),
    cpuPercent: z.number(),
    networkInBps: z.int(),
    networkOutBps: z.int(),
  }),
  {
    text: { pt: "O que o projeto usa agora.", en: "What the project uses now." },
    fields: {
      memoryMb: sharedWords.memoryInUse,
      cpuPercent: sharedWords.cpuInUse,
      networkInBps: sharedWords.networkInBps,
      networkOutBps: sharedWords.networkOutBps,
    },
  },
);
export type Usage = z.infer<typeof usage>;

export const project = component(
  "Project",
  z.strictObject({
    id,
    name: z.string().max(lengths.projectName.most),
    description: z.string().max(lengths.projectDescription.most),
    type: projectType,
    language: z.enum(languages),
    version: z.string(),
    entry: z.string().nullable(),
    command: z.string(),
    installCommand: z.string().nullable(),
    root: z.string().nullable(),
    /** True for a static site of one page; absent for all others, which the specification describes. */
    spa: z.boolean().optional(),
    systemPackages: z.array(systemPackage),
    memoryMb: z.int(),
    port: z.int().nullable(),
    subdomain: z.string().nullable(),
    url: z.url().nullable(),
    internalHost: z.string().regex(/^svc-[0-9a-z]{8}$/),
    status: projectStatus,
    error: projectError.nullable(),
    hasAutoRestart: z.boolean(),
    consecutiveCrashes: z.int(),
    lastExit: lastExit.nullable(),
    usage: usage.nullable(),
    startedAt: timestamp.nullable(),
    templateId: z.string().nullable(),
    restoredFromBackupId: z.uuid().nullable(),
    createdAt: timestamp,
    updatedAt: timestamp,
  }),
  {
    text: {
      pt: "Um projeto. Todos os campos estão sempre presentes, menos `spa`.",
      en: "A project. Every field is always present, but for `spa`.",
    },
    example: {
      id: "01KAJ3W8M5T9Q2R7V4X6Z0B1CD",
      name: "loja",
      description: "",
      type: "site",
      language: "node",
      version: "24",
      entry: "server.js",
      command: "node server.js",
      installCommand: null,
      root: null,
      systemPackages: [],
      memoryMb: 512,
      port: 8080,
      subdomain: "loja",
      url: "https://loja.tijolo.dev/",
      internalHost: "svc-x6z0b1cd",
      status: "running",
      error: null,
      hasAutoRestart: true,
      consecutiveCrashes: 0,
      lastExit: null,
      usage: { memoryMb: 143, cpuPercent: 2.5, networkInBps: 812, networkOutBps: 4096 },
      startedAt: "2026-01-01T12:00:04.117Z",
      templateId: null,
      restoredFromBackupId: null,
      createdAt: "2026-01-01T12:00:00.000Z",
      updatedAt: "2026-01-01T12:00:04.117Z",
    },
    fields: {
      id: { pt: "Id do projeto.", en: "The project's id." },
      name: settingWords.name,
      description: {
        pt: 'Descrição que o painel mostra; `""` quando não há.',
        en: 'The description that the panel shows; `""` when there is none.',
      },
      type: settingWords.type,
      language: settingWords.language,
      version: {
        pt: 'Versão da linguagem; `""` em `static`.',
        en: 'The version of the language; `""` for `static`.',
      },
      entry: {
        pt: "Arquivo principal que o comando roda; null quando o comando é outro, como `npm start`.",
        en: "The main file that the command runs; null when the command is another one, such as `npm start`.",
      },
      command: { pt: 'Comando de início; `""` em `static`.', en: 'The start command; `""` for `static`.' },
      installCommand: {
        pt: 'Comando de instalação; null: instalação automática da linguagem; `""`: nada se instala. Em `static`, null se ninguém deu um comando para o build.',
        en: 'The install command; null: the automatic installation of the language; `""`: nothing is installed. For `static`, null unless somebody gave a command for the build.',
      },
      root: {
        pt: 'Só `static`: pasta servida (`""` é a raiz); null nas outras linguagens.',
        en: 'Only `static`: the folder that is served (`""` is the root); null for other languages.',
      },
      spa: settingWords.spa,
      systemPackages: {
        pt: "Pacotes de sistema, na ordem da lista.",
        en: "The system packages, in the order of the list.",
      },
      memoryMb: settingWords.memoryMb,
      port: {
        pt: "Só sites: porta em que o app escuta, também na variável `PORT`; null em bots.",
        en: "Sites only: the port that the app listens on, also in the variable `PORT`; null for bots.",
      },
      subdomain: {
        pt: "Só sites: nome no domínio dos sites; null em bots.",
        en: "Sites only: the name under the domain of the sites; null for bots.",
      },
      url: {
        pt: "Só sites: endereço público; null em bots.",
        en: "Sites only: the public address; null for bots.",
      },
      internalHost: {
        pt: "Nome interno fixo, pelo qual os outros projetos da conta alcançam este. Não é um endereço público.",
        en: "A fixed internal name, by which the account's other projects reach this one. It is not a public address.",
      },
      status: { pt: "Estado atual.", en: "The current status." },
      error: {
        pt: "O motivo, quando o estado é `error` ou `crash_loop`; senão null.",
        en: "The reason, when the status is `error` or `crash_loop`; otherwise null.",
      },
      hasAutoRestart: {
        pt: "Nos planos pagos o projeto volta sozinho depois de cair.",
        en: "On the paid plans the project restarts by itself after a crash.",
      },
      consecutiveCrashes: {
        pt: "Quedas seguidas desde a última vez que rodou 60 segundos; com 5, o estado é `crash_loop`.",
        en: "Crashes in a row since it last ran for 60 seconds; at 5, the status is `crash_loop`.",
      },
      lastExit: {
        pt: "A última vez que o processo terminou; null se nunca terminou.",
        en: "The last time that the process ended; null if it never did.",
      },
      usage: {
        pt: "Uso atual; só quando o estado é `running`.",
        en: "The current usage; only when the status is `running`.",
      },
      startedAt: {
        pt: "Quando subiu; só quando o estado é `running`.",
        en: "When it started; only when the status is `running`.",
      },
      templateId: {
        pt: "Template de que o projeto foi criado; null se veio de um .zip.",
        en: "The template that the project was created from; null if it came from a .zip.",
      },
      restoredFromBackupId: {
        pt: "Backup de que o projeto foi criado; null nos outros.",
        en: "The backup that the project was created from; null for the others.",
      },
      createdAt: sharedWords.createdAt,
      updatedAt: { pt: "Última mudança.", en: "The last change." },
    },
  },
);

/** Every field is always present. */
export type Project = z.infer<typeof project>;
