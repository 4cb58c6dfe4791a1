/** Defines the events of a panel's live stream: the account's projects as they are, and each change of them. */

import { z } from "zod";
import { component, described, named } from "../contract/described.ts";
import { sharedWords } from "../contract/shared-words.ts";
import { id } from "../values/id.ts";
import { account } from "./account.ts";
import { notice } from "./notice.ts";
import { project, timestamp, usage } from "./project.ts";

/** Actions that a project's host has under way or has not begun yet. */
export const liveActions = ["installing", "starting", "restarting", "stopping"] as const;
export type LiveAction = (typeof liveActions)[number];

/** Fields of a project that take effect at its next start. */
export const waitingFields = [
  "type",
  "language",
  "version",
  "entry",
  "command",
  "installCommand",
  "root",
  "spa",
  "systemPackages",
  "memoryMb",
  "port",
  "subdomain",
  "variables",
] as const;
export type WaitingField = (typeof waitingFields)[number];

/** Reasons why a session ends: it was ended (a sign-out, a new password, "not me"), or its time is over. */
export const sessionEndReasons = ["ended", "expired"] as const;
export type SessionEndReason = (typeof sessionEndReasons)[number];

/** A project beside what only the live stream says of it. */
export const liveProject = component(
  "LiveProject",
  z.strictObject({
    project,
    action: z.enum(liveActions).nullable(),
    isSilent: z.boolean(),
    isRestartRequired: z.boolean(),
    waiting: z.array(z.enum(waitingFields)),
    isHostAway: z.boolean(),
    hostSeenAt: timestamp.nullable(),
  }),
  {
    text: {
      pt: "Um projeto e o que só o stream ao vivo diz dele.",
      en: "A project, and what only the live stream says of it.",
    },
    fields: {
      project: { pt: "O projeto.", en: "The project." },
      action: {
        pt: "O que está em andamento; null se nada está, ou se a máquina não responde.",
        en: "What is in progress; null if nothing is, or if the host does not answer.",
      },
      isSilent: {
        pt: "Se é um site cujo programa roda e que, desde o início, ainda não atendeu na sua porta.",
        en: "Whether it is a site whose program runs and that has not answered on its port since it was started.",
      },
      isRestartRequired: {
        pt: "Se há mudanças que esperam o próximo início.",
        en: "Whether changes wait for the next start.",
      },
      waiting: {
        pt: "Quais campos esperam o próximo início.",
        en: "Which fields wait for the next start.",
      },
      isHostAway: {
        pt: "Se a máquina do projeto está sem contato: então vale o que se sabia por último.",
        en: "Whether the project's host is out of contact: then everything is as it was last known.",
      },
      hostSeenAt: {
        pt: "Último contato com a máquina; null se não houve.",
        en: "The last contact with the host; null if there was none.",
      },
    },
  },
);
export type LiveProject = z.infer<typeof liveProject>;

const liveUsage = described(z.strictObject({ id, usage, hostSeenAt: timestamp.nullable() }), {
  id: { pt: "Id do projeto.", en: "The project's id." },
  usage: { pt: "O que ele usa agora.", en: "What it uses now." },
  hostSeenAt: { pt: "Último contato com a máquina.", en: "The last contact with its host." },
});

const snapshotPart = described(
  z.strictObject({
    at: timestamp,
    isFirst: z.boolean(),
    isLast: z.boolean(),
    projects: z.array(liveProject),
  }),
  {
    at: sharedWords.at,
    isFirst: {
      pt: "Se é a primeira parte: o que se sabia antes não vale mais.",
      en: "Whether it is the first part: what was known before counts no more.",
    },
    isLast: { pt: "Se é a última parte.", en: "Whether it is the last part." },
    projects: { pt: "Até 100 projetos.", en: "Up to 100 projects." },
  },
);

const usages = described(z.strictObject({ at: timestamp, projects: z.array(liveUsage) }), {
  at: sharedWords.at,
  projects: { pt: "Todos os que estão no ar.", en: "All that are running." },
});

const noticeData = described(z.strictObject({ notice: notice.nullable(), unread: z.int() }), {
  notice: {
    pt: "O aviso novo, ou repetido; null quando só mudou quantos não foram lidos.",
    en: "The notice that is new or was repeated; null when only the number of unread ones changed.",
  },
  unread: { pt: "Quantos avisos não foram lidos.", en: "How many notices are unread." },
});

const accountData = described(z.strictObject({ account }), { account: sharedWords.account });

const deletedData = described(z.strictObject({ id }), {
  id: { pt: "Id do projeto.", en: "The project's id." },
});

const endedData = described(z.strictObject({ reason: z.enum(sessionEndReasons) }), {
  reason: {
    pt: "`ended`: encerrada, por uma saída, uma senha nova ou “não fui eu”; `expired`: venceu.",
    en: '`ended`: ended by a sign-out, a new password or "not me"; `expired`: its time is over.',
  },
});

const words = {
  event: { pt: "Tipo do evento.", en: "The kind of event." },
  id: {
    pt: "Lugar deste evento, para continuar depois dele.",
    en: "The place of this event, to continue after it.",
  },
  data: { pt: "O conteúdo do evento.", en: "The content of the event." },
};
const place = z.string().optional();

/** Events of the stream, one SSE event each. Only those with an `id` can be continued after. */
export const liveEvent = named(
  "LiveEvent",
  z.discriminatedUnion("event", [
    described(z.strictObject({ event: z.literal("snapshot"), id: place, data: snapshotPart }), words),
    described(z.strictObject({ event: z.literal("project"), id: place, data: liveProject }), words),
    described(z.strictObject({ event: z.literal("project_deleted"), id: place, data: deletedData }), words),
    described(z.strictObject({ event: z.literal("usage"), id: place, data: usages }), words),
    described(z.strictObject({ event: z.literal("account"), id: place, data: accountData }), words),
    described(z.strictObject({ event: z.literal("notice"), id: place, data: noticeData }), words),
    described(z.strictObject({ event: z.literal("session_ended"), id: place, data: endedData }), words),
  ]),
  {
    text: {
      pt: "Um evento do stream ao vivo. `snapshot`: todos os projetos, em partes; `project`: um projeto mudou; `project_deleted`: foi apagado; `usage`: o uso de todos os que estão no ar, a cada 5 s; `account`: a conta mudou; `notice`: um aviso; `session_ended`: a sessão acabou, e o stream também. Na rede, `event` e `id` são campos SSE e `data` é JSON.",
      en: "An event of the live stream. `snapshot`: all projects, in parts; `project`: a project changed; `project_deleted`: it was deleted; `usage`: the usage of all that are running, every 5 s; `account`: the account changed; `notice`: a notice; `session_ended`: the session has ended, and the stream with it. On the wire, `event` and `id` are SSE fields and `data` is JSON.",
    },
  },
);
export type LiveEvent = z.infer<typeof liveEvent>;

/** What the stream begins with, as one document. */
export const liveSnapshot = component(
  "LiveSnapshot",
  z.strictObject({
    at: timestamp,
    cursor: z.string(),
    account,
    unread: z.int(),
    projects: z.array(liveProject),
  }),
  {
    text: {
      pt: "Tudo o que o stream ao vivo diz primeiro, num documento.",
      en: "All that the live stream says first, in one document.",
    },
    fields: {
      at: sharedWords.at,
      cursor: { pt: "Continua daqui no stream.", en: "The stream continues from here." },
      account: sharedWords.account,
      unread: { pt: "Quantos avisos não foram lidos.", en: "How many notices are unread." },
      projects: { pt: "Todos os projetos.", en: "All projects." },
    },
  },
);
export type LiveSnapshot = z.infer<typeof liveSnapshot>;

/** Query of `GET /events`. */
export const liveQuery = described(
  z.strictObject({
    follow: z
      .enum(["true", "false"])
      .transform((text) => text === "true")
      .default(true),
    cursor: z.string().max(100).optional(),
  }),
  {
    follow: {
      pt: "`false`: um documento JSON com o que há, em vez do stream.",
      en: "`false`: a JSON document with what there is, instead of the stream.",
    },
    cursor: {
      pt: "Continua depois deste evento; o mesmo que o cabeçalho `Last-Event-ID`.",
      en: "Continues after this event; the same as the header `Last-Event-ID`.",
    },
  },
);
