/** Defines the operations on notices and on the channels that carry them (spec: tag "Avisos"). */

import { z } from "zod";
import { newNoticeChannels, notice, noticeChannels } from "../../nouns/notice.ts";
import { id } from "../../values/id.ts";
import { described } from "../described.ts";
import { operation } from "../operation.ts";
import { sharedWords } from "../shared-words.ts";
import { tags } from "../tags.ts";
import { none, page } from "./inputs.ts";
import { bodyErrors } from "./operator-row.ts";

const common = { tag: tags.notices, params: none, query: none, body: { kind: "none" } } as const;

const noticeWords = { pt: "O aviso.", en: "The notice." };

export const noticeOperations = {
  listNotices: operation({
    ...common,
    method: "GET",
    path: "/notices",
    summary: { pt: "Lista os avisos, do mais novo ao mais antigo", en: "Lists the notices, newest first" },
    text: {
      pt: "Memória esgotada, quedas em série, atualização que falhou, limites em 75, 90 e 100 %, manutenção e anúncios. Guardados por 90 dias, no máximo 500 por conta.",
      en: "Out of memory, crash loops, failed updates, limits at 75, 90 and 100 %, maintenance and announcements. Stored for 90 days, at most 500 per account.",
    },
    access: { kind: "key", scope: "notices:read" },
    effect: "read",
    query: described(
      z.strictObject({
        ...page.shape,
        unread: z
          .enum(["true", "false"])
          .default("false")
          .transform((text) => text === "true"),
      }),
      {
        limit: { pt: "Quantos por página, de 1 a 200.", en: "How many per page, from 1 to 200." },
        cursor: sharedWords.cursor,
        unread: { pt: "`true`: só os que não foram lidos.", en: "`true`: only those that were not read." },
      },
    ),
    answer: {
      kind: "json",
      status: 200,
      schema: described(
        z.strictObject({ notices: z.array(notice), unread: z.int(), nextCursor: z.string().nullable() }),
        {
          notices: { pt: "Os avisos, do mais novo ao mais antigo.", en: "The notices, newest first." },
          unread: {
            pt: "Quantos não foram lidos, em toda a conta.",
            en: "How many were not read, in the whole account.",
          },
          nextCursor: sharedWords.nextCursor,
        },
      ),
    },
    errors: [],
  }),
  readNotice: operation({
    ...common,
    method: "POST",
    path: "/notices/{noticeId}/read",
    summary: { pt: "Marca um aviso como lido", en: "Marks a notice as read" },
    text: { pt: "Um aviso já lido continua lido.", en: "A notice that was read stays read." },
    access: { kind: "key", scope: "notices:write" },
    effect: "change",
    params: described(z.strictObject({ noticeId: id }), {
      noticeId: { pt: "Id do aviso.", en: "The notice's id." },
    }),
    answer: {
      kind: "json",
      status: 200,
      schema: described(z.strictObject({ notice }), { notice: noticeWords }),
    },
    errors: ["not_found"],
  }),
  readAllNotices: operation({
    ...common,
    method: "POST",
    path: "/notices/read-all",
    summary: { pt: "Marca todos os avisos como lidos", en: "Marks all notices as read" },
    text: { pt: "Os que há agora.", en: "Those that there are now." },
    access: { kind: "key", scope: "notices:write" },
    effect: "change",
    answer: {
      kind: "json",
      status: 200,
      schema: described(z.strictObject({ read: z.int() }), {
        read: { pt: "Quantos não estavam lidos.", en: "How many had not been read." },
      }),
    },
    errors: [],
  }),
  getNoticeChannels: operation({
    ...common,
    method: "GET",
    path: "/notices/channels",
    summary: { pt: "Mostra por onde os avisos saem", en: "Shows where notices go" },
    text: {
      pt: "E-mail, Discord e webhook, cada um com os avisos que leva e como foi a última tentativa.",
      en: "E-mail, Discord and webhook, each with the notices that it carries and how the last try went.",
    },
    access: { kind: "panel" },
    effect: "read",
    answer: {
      kind: "json",
      status: 200,
      schema: described(z.strictObject({ channels: noticeChannels }), {
        channels: { pt: "Os canais.", en: "The channels." },
      }),
    },
    errors: [],
  }),
  setNoticeChannels: operation({
    ...common,
    method: "PUT",
    path: "/notices/channels",
    summary: { pt: "Grava por onde os avisos saem", en: "Stores where notices go" },
    text: {
      pt: "Substitui os três canais. O endereço de um webhook deve ser público. Cada POST leva `Tijolo-Signature: t=<segundos>,v1=<hmac>`: o HMAC-SHA256, em hexadecimal, de `<t>.<corpo>` com `signingKey`. Tenta-se até 5 vezes em 24 horas, sempre com o mesmo `id`.",
      en: "Replaces the three channels. A webhook's address must be public. Each POST carries `Tijolo-Signature: t=<seconds>,v1=<hmac>`: the HMAC-SHA256, in hexadecimal, of `<t>.<body>` with `signingKey`. Up to 5 tries are made within 24 hours, always with the same `id`.",
    },
    access: { kind: "panel" },
    effect: "change",
    body: {
      kind: "json",
      example: {
        email: { kinds: ["crash_loop", "start_failed"] },
        discord: null,
        webhook: { url: "https://example.com/tijolo", kinds: ["limit"] },
      },
      schema: newNoticeChannels,
    },
    answer: {
      kind: "json",
      status: 200,
      schema: described(z.strictObject({ channels: noticeChannels, signingKey: z.string().nullable() }), {
        channels: { pt: "Os canais.", en: "The channels." },
        signingKey: {
          pt: "A chave nova do webhook. Guarde agora: não aparece outra vez. Null se ela não foi feita agora.",
          en: "The webhook's new key. Store it now: it is not shown again. Null if it was not made now.",
        },
      }),
    },
    errors: [...bodyErrors, "variables_unavailable"],
  }),
  testNoticeChannels: operation({
    ...common,
    method: "POST",
    path: "/notices/channels/test",
    summary: {
      pt: "Envia um aviso de teste por todos os canais",
      en: "Sends a test notice through all channels",
    },
    text: {
      pt: "O resultado aparece nos canais, em instantes.",
      en: "The result shows in the channels, shortly.",
    },
    access: { kind: "panel" },
    effect: "change",
    answer: {
      kind: "json",
      status: 202,
      schema: described(z.strictObject({ notice }), { notice: noticeWords }),
    },
    errors: ["too_many_requests"],
  }),
};
