/** Defines the operation of logs (spec: GET /projects/{id}/logs). */

import { z } from "zod";
import { described } from "../described.ts";
import { logDownloadQuery, logEvent, logGap, logLine, logQuery } from "../../nouns/log.ts";
import { operation } from "../operation.ts";
import { oneProject } from "./inputs.ts";
import { sharedWords } from "../shared-words.ts";
import { tags } from "../tags.ts";

export const logOperations = {
  streamLogs: operation({
    method: "GET",
    path: "/projects/{id}/logs",
    tag: tags.logs,
    summary: { pt: "Acompanha os logs ao vivo", en: "Follows the logs live" },
    text: {
      pt: "Server-sent events: primeiro as últimas linhas, depois as novas assim que chegam. A cada 15 s vem um comentário (`: ping`). Com `follow=false` ou `Accept: application/json`, um documento JSON com o que há, de onde se volta às linhas mais velhas com `before`. Os logs continuam legíveis com o projeto parado.",
      en: "Server-sent events: first the last lines, then the new ones as they arrive. A comment (`: ping`) comes every 15 s. With `follow=false` or `Accept: application/json`, one JSON document with what there is, from which `before` leads back to older lines. The logs stay readable while the project is stopped.",
    },
    access: { kind: "key", scope: "logs:read" },
    effect: "read",
    params: oneProject,
    query: logQuery,
    body: { kind: "none" },
    answer: {
      kind: "events",
      event: logEvent,
      page: described(
        z.strictObject({
          lines: z.array(logLine),
          gaps: z.array(logGap),
          nextCursor: z.string().nullable(),
          previousCursor: z.string().nullable(),
        }),
        {
          lines: {
            pt: "As linhas, da mais velha à mais nova.",
            en: "The lines, oldest first.",
          },
          gaps: {
            pt: "Onde se perderam linhas depois do `cursor`, da mais velha à mais nova; sem `cursor`, vazio.",
            en: "Where lines were lost after `cursor`, oldest first; without `cursor`, empty.",
          },
          nextCursor: sharedWords.nextCursor,
          previousCursor: {
            pt: "Para a página das linhas mais velhas, em `before`; null quando nenhuma mais velha está guardada nesse filtro. Com `cursor`, é ele mesmo.",
            en: "For the page of older lines, in `before`; null when no older one is stored under this filter. With `cursor`, it is that cursor.",
          },
        },
      ),
    },
    errors: ["not_found", "too_many_requests", "server_unavailable"],
  }),
  downloadLogs: operation({
    method: "GET",
    path: "/projects/{id}/logs/download",
    tag: tags.logs,
    summary: { pt: "Baixa os logs como arquivo de texto", en: "Downloads the logs as a text file" },
    text: {
      pt: "Todas as linhas guardadas que passam nos filtros, da mais velha à mais nova: momento, seção, saída, envio e texto. Linhas que se perderam contam-se numa linha própria. Conta como um log aberto enquanto dura, no máximo dez minutos.",
      en: "All stored lines that pass the filters, oldest first: time, section, output, upload and text. Lost lines are counted in a line of their own. It counts as an open log while it lasts, ten minutes at most.",
    },
    access: { kind: "key", scope: "logs:read" },
    effect: "read",
    params: oneProject,
    query: logDownloadQuery,
    body: { kind: "none" },
    answer: { kind: "text", contentType: "text/plain; charset=utf-8" },
    errors: ["not_found", "too_many_requests", "server_unavailable"],
  }),
};
