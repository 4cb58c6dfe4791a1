/** Defines what hosts have of images: their layers, where they take each image from, and what was removed. */

import { z } from "zod";
import { component, described } from "../../contract/described.ts";
import { count } from "../../values/amounts.ts";
import { plainText, shownText } from "../../values/plain-text.ts";
import { sharedWords } from "../../contract/shared-words.ts";
import { hostAnswerWords, hostReference } from "./host-reference.ts";
import { imageOverride } from "./image.ts";
import { languages } from "../language.ts";

const name = plainText(1_000);
const text = shownText(1_000);

/**
 * A layer on a host. Layers are shared: the sizes of those of an image are what it takes, those of all images
 * what the disk holds.
 */
export const hostLayer = described(
  z.object({
    digest: name,
    title: text,
    source: z.enum(["debian", "npm", "oci"]),
    origin: text,
    sizeBytes: count,
    builtAt: text,
    projects: count,
    isPulled: z.boolean(),
  }),
  {
    digest: { pt: "O que identifica a camada.", en: "What identifies the layer." },
    title: { pt: "O que ela traz.", en: "What it brings." },
    source: { pt: "De que foi feita.", en: "What it was made from." },
    origin: {
      pt: "Ramos do Debian, pacotes do npm, ou a referência da imagem.",
      en: "Suites of Debian, packages of npm, or the image's reference.",
    },
    sizeBytes: { pt: "Tamanho, em bytes.", en: "Size, in bytes." },
    builtAt: { pt: "Quando foi feita.", en: "When it was made." },
    projects: {
      pt: "Projetos da máquina que rodam com ela, ou rodaram da última vez.",
      en: "Projects of the machine that run on it, or did when they last ran.",
    },
    isPulled: {
      pt: "Se é de uma imagem que um operador pediu: fica, em uso ou não.",
      en: "Whether it belongs to an image that an operator pulled: it stays, in use or not.",
    },
  },
);
export type HostLayer = z.infer<typeof hostLayer>;

/** Source from which a host takes the image of a language version. */
export const hostRecipe = described(
  z.object({
    language: z.enum(languages),
    version: name,
    override: name.nullable(),
    sources: z
      .array(
        described(z.object({ source: z.enum(["debian", "oci"]), origin: text, why: text }), {
          source: { pt: "De que se faz.", en: "What it is made from." },
          origin: { pt: "De onde vem.", en: "Where it comes from." },
          why: { pt: "Por que esta fonte.", en: "Why this source." },
        }),
      )
      .max(20),
  }),
  {
    language: { pt: "A linguagem.", en: "The language." },
    version: { pt: "A versão.", en: "The version." },
    override: {
      pt: "A imagem do operador, no lugar das fontes.",
      en: "The operator's image, in place of the sources.",
    },
    sources: {
      pt: "As fontes, na ordem em que são tentadas.",
      en: "The sources, in the order in which they are tried.",
    },
  },
);
export type HostRecipe = z.infer<typeof hostRecipe>;

export const hostImages = described(
  z.strictObject({
    host: hostReference,
    isReached: z.boolean(),
    layers: z.array(hostLayer),
    recipes: z.array(hostRecipe),
  }),
  {
    ...hostAnswerWords,
    layers: { pt: "O que está nela.", en: "What lies on it." },
    recipes: {
      pt: "De onde ela tira a imagem de cada versão de linguagem.",
      en: "Where it takes the image of each language version from.",
    },
  },
);
export type HostImages = z.infer<typeof hostImages>;

export const imageList = component(
  "ImageList",
  z.strictObject({ hosts: z.array(hostImages), overrides: z.array(imageOverride) }),
  {
    text: { pt: "As imagens do cluster.", en: "The cluster's images." },
    fields: {
      hosts: sharedWords.hosts,
      overrides: {
        pt: "As imagens do operador, que toda máquina usa; a que está sem sinal as recebe quando volta.",
        en: "The operator's images, which every machine uses; one that is silent gets them when it returns.",
      },
    },
  },
);
export type ImageList = z.infer<typeof imageList>;

export const hostRemovals = described(
  z.strictObject({
    host: hostReference,
    isReached: z.boolean(),
    isShared: z.boolean(),
    removed: z.array(
      described(z.strictObject({ digest: z.string(), title: z.string(), sizeBytes: z.int() }), {
        digest: { pt: "O que identifica a camada.", en: "What identifies the layer." },
        title: { pt: "O que ela trazia.", en: "What it brought." },
        sizeBytes: { pt: "Tamanho, em bytes.", en: "Size, in bytes." },
      }),
    ),
  }),
  {
    ...hostAnswerWords,
    isShared: {
      pt: "Se divide as imagens com outros agentes da máquina, e por isso nada foi tirado.",
      en: "Whether it shares its images with other agents of its machine, so that nothing was removed.",
    },
    removed: { pt: "O que foi tirado.", en: "What was removed." },
  },
);
export type HostRemovals = z.infer<typeof hostRemovals>;
