/** Defines the operation of site visit analytics (spec: tag Análise). */

import { analyticsAnswer, analyticsQuery } from "../../nouns/analytics.ts";
import { operation } from "../operation.ts";
import { oneProject } from "./inputs.ts";
import { tags } from "../tags.ts";

export const analyticsOperations = {
  getAnalytics: operation({
    method: "GET",
    path: "/projects/{id}/analytics",
    tag: tags.analytics,
    summary: { pt: "Mostra as visitas de um site", en: "Shows the visits to a site" },
    text: {
      pt: "Contado onde os visitantes chegam, também de páginas que o próprio serviço responde. Guardado por 30 dias. Os últimos segundos ainda podem faltar. Um projeto que não é site tem a forma inteira, vazia.",
      en: "Counted where visitors arrive, also of pages that the service itself answers. Stored for 30 days. The last seconds may still be missing. A project that is no site has the full shape, empty.",
    },
    access: { kind: "key", scope: "analytics:read" },
    effect: "read",
    params: oneProject,
    query: analyticsQuery,
    body: { kind: "none" },
    answer: { kind: "json", status: 200, schema: analyticsAnswer },
    errors: ["not_found"],
  }),
};
