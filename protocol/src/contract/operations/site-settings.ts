/** Defines the operations on what holds for the visits to a site. */

import { z } from "zod";
import { newSiteSettings, siteSettings } from "../../nouns/site-settings.ts";
import { described } from "../described.ts";
import { operation } from "../operation.ts";
import { none, oneProject } from "./inputs.ts";
import { tags } from "../tags.ts";

const answer = {
  kind: "json",
  status: 200,
  schema: described(z.strictObject({ siteSettings }), {
    siteSettings: { pt: "As configurações.", en: "The settings." },
  }),
} as const;

export const siteSettingsOperations = {
  getSiteSettings: operation({
    method: "GET",
    path: "/projects/{id}/site-settings",
    tag: tags.projects,
    summary: {
      pt: "Mostra o que vale para as visitas de um site",
      en: "Shows what holds for a site's visits",
    },
    text: {
      pt: "De um bot, o que valeria se fosse um site.",
      en: "Of a bot, what would hold if it were a site.",
    },
    access: { kind: "key", scope: "projects:read" },
    effect: "read",
    params: oneProject,
    query: none,
    body: { kind: "none" },
    answer,
    errors: ["not_found"],
  }),
  setSiteSettings: operation({
    method: "PUT",
    path: "/projects/{id}/site-settings",
    tag: tags.projects,
    summary: {
      pt: "Troca o que vale para as visitas de um site",
      en: "Replaces what holds for a site's visits",
    },
    text: {
      pt: "Vale na hora, sem reiniciar. O que não vem volta ao padrão.",
      en: "It takes effect at once, without a restart. What is left out has its default again.",
    },
    access: { kind: "key", scope: "projects:settings" },
    effect: "change",
    params: oneProject,
    query: none,
    body: { kind: "json", example: { maintenance: true }, schema: newSiteSettings },
    answer,
    errors: ["not_found", "unsupported_media_type", "payload_too_large"],
  }),
};
