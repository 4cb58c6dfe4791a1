/** Defines what a site's owner decides about its visitors; it takes effect at once, without a restart. */

import { z } from "zod";
import { component, described } from "../contract/described.ts";

const words = {
  maintenance: {
    pt: "Se os visitantes veem uma página de manutenção (503) em vez do site, que continua rodando.",
    en: "Whether visitors see a page about maintenance (503) instead of the site, which goes on running.",
  },
  hsts: {
    pt: "Se os navegadores são mandados a usar só HTTPS por 180 dias, onde o site tem HTTPS e não diz outra coisa.",
    en: "Whether browsers are told to use HTTPS only for 180 days, where the site has HTTPS and says nothing else.",
  },
  compression: {
    pt: "Se as respostas de texto (HTML, JSON, CSS, JavaScript, SVG) vão comprimidas (gzip) aos navegadores que aceitam, quando o programa não as comprime.",
    en: "Whether answers of text (HTML, JSON, CSS, JavaScript, SVG) are compressed (gzip) for browsers that take that, where the program does not compress them.",
  },
};

export const siteSettings = component(
  "SiteSettings",
  z.strictObject({ maintenance: z.boolean(), hsts: z.boolean(), compression: z.boolean() }),
  {
    text: {
      pt: "O que vale para as visitas de um site.",
      en: "What holds for the visits to a site.",
    },
    example: { maintenance: false, hsts: true, compression: true },
    fields: words,
  },
);
export type SiteSettings = z.infer<typeof siteSettings>;

/** Holds for a site as long as nobody has said otherwise. */
export const defaultSiteSettings: SiteSettings = { maintenance: false, hsts: true, compression: true };

/** Replaces all settings: what is left out has its default again. */
export const newSiteSettings = described(
  z.strictObject({
    maintenance: z.boolean().optional(),
    hsts: z.boolean().optional(),
    compression: z.boolean().optional(),
  }),
  words,
);
