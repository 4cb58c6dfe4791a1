/** Defines the live stream of the panel: one for all that its pages show. */

import { liveEvent, liveQuery, liveSnapshot } from "../../nouns/live-event.ts";
import { operation } from "../operation.ts";
import { tags } from "../tags.ts";
import { none } from "./inputs.ts";

export const liveOperations = {
  streamEvents: operation({
    method: "GET",
    path: "/events",
    tag: tags.projects,
    summary: { pt: "Acompanha os projetos da conta ao vivo", en: "Follows the account's projects live" },
    text: {
      pt: "Só para o painel; com chave, o único stream é o dos logs. Server-sent events: primeiro todos os projetos, depois cada mudança. `Last-Event-ID` continua dentro dos últimos 1000 eventos da conta; fora deles vem tudo de novo. A cada 15 s vem um comentário (`: ping`). Até 3 streams por sessão. Com `follow=false` ou `Accept: application/json`, um documento JSON com o que há.",
      en: "For the panel only; with a key, the only stream is that of the logs. Server-sent events: first all projects, then each change. `Last-Event-ID` continues within the account's last 1,000 events; beyond them, everything comes again. A comment (`: ping`) comes every 15 s. Up to 3 streams per session. With `follow=false` or `Accept: application/json`, one JSON document with what there is.",
    },
    access: { kind: "panel" },
    effect: "read",
    params: none,
    query: liveQuery,
    body: { kind: "none" },
    answer: { kind: "events", event: liveEvent, page: liveSnapshot },
    errors: ["too_many_requests"],
  }),
};
