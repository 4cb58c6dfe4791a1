/** Defines the pages of its own that a site shows where nothing of it can answer. */

import { z } from "zod";
import { component, described } from "../contract/described.ts";
import { inputReasons } from "../contract/input-reasons.ts";
import { timestamp } from "./project.ts";

export const sitePageStatuses = ["404", "502", "503", "504", "maintenance"] as const;
export const sitePageStatus = z.enum(sitePageStatuses);
export type SitePageStatus = z.infer<typeof sitePageStatus>;

/** Most bytes of a page, in UTF-8. */
export const maxSitePageBytes = 64 * 1024;

export const sitePageStatusWords = {
  pt: "Quando é mostrada. `404`: um site estático não tem o arquivo, nem um `404.html`; `502`: o programa não atende na porta, ou responde o que não é HTTP; `503`: o site está parado, iniciando ou caído, a máquina dele não responde, ou as visitas são demais; `504`: o programa não respondeu a tempo; `maintenance`: em manutenção (503).",
  en: "When it is shown. `404`: a static site has no such file, nor a `404.html`; `502`: the program does not listen on its port, or answers what is no HTTP; `503`: the site is stopped, starting or has crashed, its machine does not answer, or there are too many visits; `504`: the program did not answer in time; `maintenance`: under maintenance (503).",
};

const words = {
  status: sitePageStatusWords,
  sizeBytes: { pt: "Bytes em UTF-8.", en: "Bytes in UTF-8." },
  updatedAt: { pt: "Quando chegou.", en: "When it came." },
};

const pageFields = { status: sitePageStatus, sizeBytes: z.int(), updatedAt: timestamp };

export const sitePage = component("SitePage", z.strictObject(pageFields), {
  text: {
    pt: "Uma página própria de um site, mostrada quando nada dele responde.",
    en: "A page of a site's own, which is shown where nothing of it answers.",
  },
  example: { status: "503", sizeBytes: 2048, updatedAt: "2026-11-20T12:00:00.000Z" },
  fields: words,
});
export type SitePage = z.infer<typeof sitePage>;

export const sitePageContent = component(
  "SitePageContent",
  z.strictObject({ ...pageFields, html: z.string() }),
  {
    text: { pt: "Uma página própria, com o HTML.", en: "A page of a site's own, with its HTML." },
    fields: { ...words, html: { pt: "O HTML da página.", en: "The HTML of the page." } },
  },
);
export type SitePageContent = z.infer<typeof sitePageContent>;

/** Refuses what could not be sent as the UTF-8 that the answer's header states. */
const html = z
  .string()
  .min(1)
  .refine((text) => !text.includes("\0"), inputReasons.nul.pt)
  .refine((text) => text.isWellFormed(), inputReasons.halfCharacter.pt)
  .refine((text) => sizeOf(text) <= maxSitePageBytes, inputReasons.over64Kb.pt);

export const newSitePage = described(z.strictObject({ html }), {
  html: {
    pt: "O HTML da página, até 64 KB em UTF-8. Vai aos visitantes como está.",
    en: "The HTML of the page, up to 64 KB in UTF-8. It goes to visitors as it is.",
  },
});

function sizeOf(text: string): number {
  return new TextEncoder().encode(text).length;
}
