/** Defines notices as the API shows them, and the channels that carry them out of it. */

import { z } from "zod";
import { component, described } from "../contract/described.ts";
import { inputReasons } from "../contract/input-reasons.ts";
import { sharedWords } from "../contract/shared-words.ts";
import { id } from "../values/id.ts";
import { visibleName } from "../values/visible-name.ts";
import { changedFields } from "./account.ts";
import { noticeKinds, sentNoticeKinds } from "./notice-content.ts";
import { timestamp } from "./project.ts";

export const notice = component(
  "Notice",
  z.strictObject({
    id,
    kind: z.enum(noticeKinds),
    projectId: id.nullable(),
    title: z.string(),
    message: z.string(),
    at: timestamp,
    lastAt: timestamp,
    count: z.int(),
    isRead: z.boolean(),
    data: changedFields,
  }),
  {
    text: {
      pt: "Um aviso à conta. O que se repete dentro de uma hora é um aviso só, com `count`.",
      en: "A notice to the account. What repeats within an hour is one notice, with `count`.",
    },
    example: {
      id: "01KAJ3W8M5T9Q2R7V4X6Z0B1CD",
      kind: "out_of_memory",
      projectId: "01KAJ3W8M5T9Q2R7V4X6Z0B1CE",
      title: "bot ficou sem memória",
      message: "O projeto passou de 256 MB e foi encerrado.",
      at: "2026-01-01T12:00:00.000Z",
      lastAt: "2026-01-01T12:20:00.000Z",
      count: 3,
      isRead: false,
      data: { memoryMb: 256 },
    },
    fields: {
      id: {
        pt: "Id do aviso; o mesmo em todo canal e em toda tentativa.",
        en: "The notice's id; the same on every channel and in every try.",
      },
      kind: {
        pt: "O que aconteceu; é nele que um programa confia.",
        en: "What happened; programs rely on it.",
      },
      projectId: {
        pt: "O projeto, que pode já ter sido apagado; null se não é de um só.",
        en: "The project, which may be gone by now; null if it is not about one.",
      },
      title: {
        pt: "Em poucas palavras; em inglês com `Accept-Language: en`.",
        en: "In a few words; in English with `Accept-Language: en`.",
      },
      message: { pt: "O que aconteceu e o que fazer.", en: "What happened and what to do." },
      at: { pt: "Quando foi a primeira vez.", en: "When it happened first." },
      lastAt: { pt: "Quando foi a última vez.", en: "When it happened last." },
      count: { pt: "Quantas vezes, dentro de uma hora.", en: "How many times, within an hour." },
      isRead: { pt: "Se já foi lido.", en: "Whether it was read." },
      data: { pt: "Os dados do aviso, conforme `kind`.", en: "The notice's data, by its `kind`." },
    },
  },
);
export type Notice = z.infer<typeof notice>;

/** Reasons why the newest try to send failed. `status` is the receiver's HTTP status, for `status` only. */
export const deliveryErrorCodes = [
  "timeout",
  "unreachable",
  "private_address",
  "redirect",
  "status",
  "mail_refused",
  "no_mail",
  "unreadable",
] as const;
export const deliveryErrorCode = z.enum(deliveryErrorCodes);
export type DeliveryErrorCode = (typeof deliveryErrorCodes)[number];

const deliveryError = described(
  z.strictObject({ code: deliveryErrorCode, status: z.int().nullable(), at: timestamp }),
  {
    code: {
      pt: "`timeout`: não respondeu em 5 s; `unreachable`: sem conexão; `private_address`: o nome leva a uma rede interna; `redirect`: mandou para outro endereço, o que não seguimos; `status`: respondeu um erro; `mail_refused`: o servidor de e-mail recusou; `no_mail`: não há servidor de e-mail ou a conta não tem pessoa; `unreadable`: o endereço guardado não abre, grave-o de novo.",
      en: "`timeout`: no answer within 5 s; `unreachable`: no connection; `private_address`: the name leads into an internal network; `redirect`: sent us elsewhere, which we do not follow; `status`: answered an error; `mail_refused`: the mail server refused; `no_mail`: there is no mail server, or the account has no person; `unreadable`: the stored address does not open, store it again.",
    },
    status: {
      pt: "O estado HTTP da resposta; null sem resposta.",
      en: "The HTTP status of the answer; null without one.",
    },
    at: sharedWords.at,
  },
);
export type DeliveryError = z.infer<typeof deliveryError>;

const kinds = z.array(z.enum(sentNoticeKinds)).max(sentNoticeKinds.length);
const kindsWords = { pt: "Quais avisos vão por este canal.", en: "Which notices go through this channel." };

const channelState = {
  kinds: z.array(z.enum(sentNoticeKinds)),
  lastSentAt: timestamp.nullable(),
  lastError: deliveryError.nullable(),
  failingSince: timestamp.nullable(),
  isFailing: z.boolean(),
};
const stateWords = {
  kinds: kindsWords,
  lastSentAt: { pt: "Última entrega; null se não houve.", en: "The last delivery; null if there was none." },
  lastError: {
    pt: "Por que a última tentativa falhou; null depois de uma entrega.",
    en: "Why the last try failed; null after a delivery.",
  },
  failingSince: {
    pt: "Desde quando só há falhas; null se a última tentativa deu certo.",
    en: "Since when there have only been failures; null if the last try went well.",
  },
  isFailing: {
    pt: "Se só há falhas há 24 horas ou mais.",
    en: "Whether there have only been failures for 24 hours or more.",
  },
};
const shownUrlWords = {
  pt: "O endereço; null se o que está guardado não abre mais.",
  en: "The address; null if the stored one opens no more.",
};

export const noticeChannels = component(
  "NoticeChannels",
  z.strictObject({
    email: described(z.strictObject({ address: z.string().nullable(), ...channelState }), {
      ...stateWords,
      address: {
        pt: "Para onde vai; null se a conta não tem pessoa ou o serviço não envia e-mail.",
        en: "Where it goes; null if the account has no person or the service sends no mail.",
      },
    }),
    discord: described(z.strictObject({ url: z.string().nullable(), ...channelState }), {
      ...stateWords,
      url: shownUrlWords,
    }).nullable(),
    webhook: described(z.strictObject({ url: z.string().nullable(), ...channelState }), {
      ...stateWords,
      url: shownUrlWords,
    }).nullable(),
  }),
  {
    text: { pt: "Por onde os avisos saem, além desta lista.", en: "Where notices go, beside this list." },
    fields: {
      email: { pt: "Por e-mail, à pessoa da conta.", en: "By e-mail, to the account's person." },
      discord: {
        pt: "Por um webhook do Discord; null: não.",
        en: "Through a webhook of Discord; null: not.",
      },
      webhook: {
        pt: "Por um POST assinado ao seu servidor; null: não.",
        en: "By a signed POST to your server; null: not.",
      },
    },
  },
);
export type NoticeChannels = z.infer<typeof noticeChannels>;

const discordUrl = z
  .string()
  .max(300)
  .regex(
    /^https:\/\/(?:(?:ptb|canary)\.)?discord(?:app)?\.com\/api\/(?:v\d{1,2}\/)?webhooks\/\d{5,25}\/[\w-]{20,200}(?:\?thread_id=\d{5,25})?$/,
    inputReasons.badDiscordUrl.pt,
  );

const webhookUrl = z
  .string()
  .max(1_000)
  .regex(/^https?:\/\/[^\s@/?#\\]+(?:[/?][^\s#\\]*)?$/, inputReasons.badWebhookUrl.pt)
  .refine((text) => URL.canParse(text), inputReasons.badWebhookUrl.pt);

export const newNoticeChannels = component(
  "NewNoticeChannels",
  z.strictObject({
    email: described(z.strictObject({ kinds }), { kinds: kindsWords }),
    discord: described(z.strictObject({ url: discordUrl, kinds }), {
      url: {
        pt: "O endereço do webhook, como o Discord o dá: `https://discord.com/api/webhooks/…`.",
        en: "The webhook's address, as Discord gives it: `https://discord.com/api/webhooks/…`.",
      },
      kinds: kindsWords,
    }).nullable(),
    webhook: described(
      z.strictObject({
        url: webhookUrl,
        kinds,
        signingKey: z
          .string()
          .regex(/^[\x21-\x7e]{16,200}$/, inputReasons.badSigningKey.pt)
          .optional(),
      }),
      {
        url: {
          pt: "Para onde vai o POST: um endereço público, http ou https.",
          en: "Where the POST goes: a public address, http or https.",
        },
        kinds: kindsWords,
        signingKey: {
          pt: "A chave que assina; sem ela, fica a que havia, ou uma nova é feita.",
          en: "The key that signs; without it the present one stays, or a new one is made.",
        },
      },
    ).nullable(),
  }),
  {
    text: { pt: "Os canais a gravar, todos juntos.", en: "The channels to store, all together." },
    fields: {
      email: { pt: "O e-mail; `kinds` vazio desliga.", en: "The e-mail; empty `kinds` turn it off." },
      discord: { pt: "O Discord; null desliga.", en: "Discord; null turns it off." },
      webhook: {
        pt: "O webhook; null desliga e esquece a chave.",
        en: "The webhook; null turns it off and forgets its key.",
      },
    },
  },
);
export type NewNoticeChannels = z.infer<typeof newNoticeChannels>;

const announcementText = visibleName(1_000);

export const announcement = component(
  "Announcement",
  z.strictObject({
    id,
    at: timestamp,
    text: z.string(),
    host: z.string().nullable(),
    by: z.string(),
    accounts: z.int(),
    isComplete: z.boolean(),
  }),
  {
    text: { pt: "O que um operador anunciou às contas.", en: "What an operator announced to the accounts." },
    fields: {
      id: sharedWords.id,
      at: sharedWords.at,
      text: { pt: "O texto.", en: "The text." },
      host: {
        pt: "A máquina de que se trata: só as contas com projetos nela são avisadas; null: todas.",
        en: "The machine it is about: only accounts with projects on it are told; null: all.",
      },
      by: { pt: "O operador.", en: "The operator." },
      accounts: { pt: "Quantas contas já foram avisadas.", en: "How many accounts were told so far." },
      isComplete: { pt: "Se todas já foram.", en: "Whether all of them were." },
    },
  },
);
export type Announcement = z.infer<typeof announcement>;

export const newAnnouncement = described(
  z.strictObject({ text: announcementText, host: z.string().trim().min(1).max(100).optional() }),
  {
    text: {
      pt: "O que dizer, numa linha de até 1000 caracteres.",
      en: "What to say, on one line of up to 1000 characters.",
    },
    host: {
      pt: "Só às contas com projetos nesta máquina, por id ou nome, como manutenção dela; sem ele, a todas.",
      en: "Only to accounts with projects on this machine, by id or name, as its maintenance; without it, to all.",
    },
  },
);
