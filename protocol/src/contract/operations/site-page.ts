/** Defines the operations on the pages of its own that a site shows where nothing of it answers. */

import { z } from "zod";
import {
  newSitePage,
  sitePage,
  sitePageContent,
  sitePageStatus,
  sitePageStatusWords,
} from "../../nouns/site-page.ts";
import { described } from "../described.ts";
import { operation } from "../operation.ts";
import { sharedWords } from "../shared-words.ts";
import { none, oneProject } from "./inputs.ts";
import { tags } from "../tags.ts";

const onePage = described(z.strictObject({ ...oneProject.shape, status: sitePageStatus }), {
  id: sharedWords.id,
  status: sitePageStatusWords,
});
const page = { pt: "A página.", en: "The page." };

export const sitePageOperations = {
  listSitePages: operation({
    method: "GET",
    path: "/projects/{id}/pages",
    tag: tags.projects,
    summary: { pt: "Lista as páginas próprias de um site", en: "Lists a site's own pages" },
    text: {
      pt: "Sem o HTML delas. Onde não há uma própria, os visitantes veem a do serviço.",
      en: "Without their HTML. Where there is none of its own, visitors see that of the service.",
    },
    access: { kind: "key", scope: "projects:read" },
    effect: "read",
    params: oneProject,
    query: none,
    body: { kind: "none" },
    answer: {
      kind: "json",
      status: 200,
      schema: described(z.strictObject({ pages: z.array(sitePage) }), {
        pages: { pt: "As páginas.", en: "The pages." },
      }),
    },
    errors: ["not_found"],
  }),
  getSitePage: operation({
    method: "GET",
    path: "/projects/{id}/pages/{status}",
    tag: tags.projects,
    summary: { pt: "Mostra uma página própria de um site", en: "Shows one of a site's own pages" },
    text: {
      pt: "Com o HTML, como chegou; 404 onde os visitantes veem a do serviço.",
      en: "With its HTML, as it came; 404 where visitors see that of the service.",
    },
    access: { kind: "key", scope: "projects:read" },
    effect: "read",
    params: onePage,
    query: none,
    body: { kind: "none" },
    answer: {
      kind: "json",
      status: 200,
      schema: described(z.strictObject({ page: sitePageContent }), { page }),
    },
    errors: ["not_found"],
  }),
  setSitePage: operation({
    method: "PUT",
    path: "/projects/{id}/pages/{status}",
    tag: tags.projects,
    summary: { pt: "Põe uma página própria num site", en: "Gives a site a page of its own" },
    text: {
      pt: "Vale na hora, no lugar da página do serviço, em todos os endereços do site e em nenhum outro. Quem pede JSON (`Accept: application/json`) recebe JSON como antes. Os scripts da página rodam no endereço do site.",
      en: "It is shown at once in the place of the service's page, under all addresses of the site and no other. Whoever asks for JSON (`Accept: application/json`) gets JSON as before. The page's scripts run at the site's address.",
    },
    access: { kind: "key", scope: "projects:settings" },
    effect: "change",
    params: onePage,
    query: none,
    body: {
      kind: "json",
      example: { html: "<!doctype html><title>Loja</title><p>Voltamos já." },
      schema: newSitePage,
    },
    answer: { kind: "json", status: 200, schema: described(z.strictObject({ page: sitePage }), { page }) },
    errors: ["not_found", "unsupported_media_type", "payload_too_large"],
  }),
  removeSitePage: operation({
    method: "DELETE",
    path: "/projects/{id}/pages/{status}",
    tag: tags.projects,
    summary: { pt: "Tira uma página própria de um site", en: "Removes one of a site's own pages" },
    text: {
      pt: "Os visitantes veem a do serviço de novo.",
      en: "Visitors see that of the service again.",
    },
    access: { kind: "key", scope: "projects:settings" },
    effect: "change",
    params: onePage,
    query: none,
    body: { kind: "none" },
    answer: { kind: "empty", status: 204 },
    errors: ["not_found"],
  }),
};
