/**
 * Defines images as operators see them: where those of a language version come from, what lies on a host,
 * what a pull or a removal did.
 */

import { z } from "zod";
import { component, described, named } from "../contract/described.ts";
import { count } from "../values/amounts.ts";
import { isSupportedVersion, languages, languageVersions, type Language } from "./language.ts";
import { plainText, shownText } from "../values/plain-text.ts";
import { systemPackage } from "../project/system-package.ts";
import { inputReasons } from "../contract/input-reasons.ts";
import { sharedWords } from "../contract/shared-words.ts";

const registry = String.raw`(?:[a-zA-Z0-9](?:[a-zA-Z0-9.-]*[a-zA-Z0-9])?(?::\d{1,5})?|\[[0-9a-fA-F:.]+\](?::\d{1,5})?)`;
const pathPart = "[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*";

/**
 * Reference as Docker writes it: `ruby:4.0`, `registry.example:5000/team/ruby:4.0`, with `@sha256:…` where it
 * must never change.
 */
export const imageReference = z
  .string()
  .max(400)
  .regex(
    new RegExp(
      `^(?:${registry}/)?${pathPart}(?:/${pathPart})*(?::[A-Za-z0-9_][A-Za-z0-9_.-]{0,127})?(?:@sha256:[0-9a-f]{64})?$`,
    ),
    inputReasons.badImageReference.pt,
  );

const hasImage = ({ language, version }: { language: Language; version: string }) =>
  language !== "static" && isSupportedVersion(language, version);

/** A language version of the specification that runs on an image; `static` has none. */
export const imageVersion = described(
  z
    .strictObject({ language: z.enum(languages), version: plainText(20) })
    .refine(hasImage, inputReasons.noImageVersion.pt),
  {
    language: { pt: "A linguagem.", en: "The language." },
    version: { pt: "A versão.", en: "The version." },
  },
);
export type ImageVersion = z.infer<typeof imageVersion>;

export const imageVersions: readonly ImageVersion[] = languages
  .filter((language) => language !== "static")
  .flatMap((language) => languageVersions[language].map((version) => ({ language, version })));

/**
 * An operator's image for a language version, used instead of all others: the recipe's own sources are not
 * tried when it is unavailable, so that no project runs on what the operator did not choose.
 */
export const imageOverride = described(
  z.object({
    language: z.enum(languages),
    version: plainText(20),
    reference: imageReference,
  }),
  {
    language: { pt: "A linguagem.", en: "The language." },
    version: { pt: "A versão.", en: "The version." },
    reference: { pt: "A imagem, como o Docker a escreve.", en: "The image, as Docker writes it." },
  },
);
export type ImageOverride = z.infer<typeof imageOverride>;

/** Image as a project's settings name it. */
export const imageNeed = described(
  z.object({
    language: z.enum(languages),
    version: plainText(20),
    systemPackages: z.array(systemPackage).max(50),
  }),
  {
    language: { pt: "A linguagem.", en: "The language." },
    version: { pt: "A versão.", en: "The version." },
    systemPackages: { pt: "Pacotes de sistema.", en: "System packages." },
  },
);
export type ImageNeed = z.infer<typeof imageNeed>;

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

/** Item of the list of what a host has. */
export const imageListItem = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("image-layer"), layer: hostLayer }),
  z.object({ kind: z.literal("image-recipe"), recipe: hostRecipe }),
]);

/** Item of a pull on a host, sent as it happens. */
export const imagePullItem = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("image-progress"), image: imageNeed, text }),
  z.object({
    kind: z.literal("image-pulled"),
    image: imageNeed,
    /** Origins of its layers. */
    origins: z.array(text).max(100),
    sizeBytes: count,
    /** True when something of it was not on the host before. */
    isNew: z.boolean(),
    /** Running projects of this language version that stay on another image until their next start. */
    runningOnOther: count,
  }),
  z.object({ kind: z.literal("image-failed"), image: imageNeed, reason: text }),
]);
export type ImagePullItem = z.infer<typeof imagePullItem>;

/** Item of what a host removed of its images. */
export const imagePruneItem = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("layer-removed"), digest: name, title: text, sizeBytes: count }),
  /**
   * Reason of a refusal: the host shares its images with other agents of its machine, so none removes any.
   */
  z.object({ kind: z.literal("removal-refused"), reason: z.literal("shared") }),
]);
export type ImagePruneItem = z.infer<typeof imagePruneItem>;

export const hostReference = described(z.strictObject({ id: z.string(), name: z.string() }), sharedWords);
export type HostReference = z.infer<typeof hostReference>;

const hostWords = { pt: "A máquina.", en: "The machine." };
const isReachedWords = {
  pt: "Falso: está sem sinal, não respondeu, ou o agente é mais antigo que este pedido.",
  en: "False: it is silent, did not answer, or its agent is older than this request.",
};

export const imagePull = described(
  z.strictObject({
    host: z.string().trim().min(1).max(100).optional(),
    images: z.array(imageVersion).min(1).max(100),
    systemPackages: z.array(systemPackage).max(50).default([]),
  }),
  {
    host: {
      pt: "Só esta máquina, por id ou nome; sem ele, todas.",
      en: "Only this machine, by id or name; without it, all of them.",
    },
    images: { pt: "As versões de linguagem.", en: "The language versions." },
    systemPackages: { pt: "Pacotes de sistema de cada imagem.", en: "System packages of each image." },
  },
);
export type ImagePull = z.output<typeof imagePull>;

export const hostImages = described(
  z.strictObject({
    host: hostReference,
    isReached: z.boolean(),
    layers: z.array(hostLayer),
    recipes: z.array(hostRecipe),
  }),
  {
    host: hostWords,
    isReached: isReachedWords,
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

const eventWords = {
  event: { pt: "O que aconteceu.", en: "What happened." },
  data: { pt: "Em qual máquina, e com qual imagem.", en: "On which machine, and with which image." },
};
const imageWords = { pt: "A imagem.", en: "The image." };

/**
 * Event of a pull on one host, sent as it happens; `host-lost` is the last event of its host. `pull-ended` is
 * the last of all: a stream without it was cut off.
 */
export const imagePullEvent = named(
  "ImagePullEvent",
  z.discriminatedUnion("event", [
    described(
      z.strictObject({
        event: z.literal("image-progress"),
        data: described(z.strictObject({ host: hostReference, image: imageNeed, text: z.string() }), {
          host: hostWords,
          image: imageWords,
          text: { pt: "O que acontece.", en: "What happens." },
        }),
      }),
      eventWords,
    ),
    described(
      z.strictObject({
        event: z.literal("image-pulled"),
        data: described(
          z.strictObject({
            host: hostReference,
            image: imageNeed,
            origins: z.array(z.string()),
            sizeBytes: count,
            isNew: z.boolean(),
            runningOnOther: count,
          }),
          {
            host: hostWords,
            image: imageWords,
            origins: { pt: "De onde vêm as camadas.", en: "What its layers come from." },
            sizeBytes: { pt: "Tamanho, em bytes.", en: "Size, in bytes." },
            isNew: {
              pt: "Se algo dela não estava na máquina.",
              en: "Whether something of it was not on the machine before.",
            },
            runningOnOther: {
              pt: "Projetos no ar desta versão que ficam em outra imagem até o próximo início.",
              en: "Running projects of this version that stay on another image until their next start.",
            },
          },
        ),
      }),
      eventWords,
    ),
    described(
      z.strictObject({
        event: z.literal("image-failed"),
        data: described(z.strictObject({ host: hostReference, image: imageNeed, reason: z.string() }), {
          host: hostWords,
          image: imageWords,
          reason: { pt: "Por que não deu.", en: "Why it failed." },
        }),
      }),
      eventWords,
    ),
    described(
      z.strictObject({
        event: z.literal("host-lost"),
        data: described(z.strictObject({ host: hostReference }), { host: hostWords }),
      }),
      eventWords,
    ),
    described(
      z.strictObject({
        event: z.literal("pull-ended"),
        data: described(z.strictObject({ hosts: count }), {
          hosts: { pt: "Quantas máquinas foram pedidas.", en: "How many machines were asked." },
        }),
      }),
      eventWords,
    ),
  ]),
  {
    text: {
      pt: "O que uma máquina faz de um pedido de imagens. Um stream sem `pull-ended` no fim foi cortado. Na rede, `event` é um campo SSE e `data` é JSON.",
      en: "What a machine does with a request for images. A stream without `pull-ended` at its end was cut off. On the wire, `event` is an SSE field and `data` is JSON.",
    },
  },
);
export type ImagePullEvent = z.infer<typeof imagePullEvent>;

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
    host: hostWords,
    isReached: isReachedWords,
    isShared: {
      pt: "Se divide as imagens com outros agentes da máquina, e por isso nada foi tirado.",
      en: "Whether it shares its images with other agents of its machine, so that nothing was removed.",
    },
    removed: { pt: "O que foi tirado.", en: "What was removed." },
  },
);
export type HostRemovals = z.infer<typeof hostRemovals>;

export const imageOverrideChange = described(
  z.strictObject({
    override: imageOverride.nullable(),
    before: z.string().nullable(),
    hosts: described(z.strictObject({ connected: z.int(), away: z.int() }), {
      connected: { pt: "As conectadas, que já sabem.", en: "Those that are connected, and know already." },
      away: {
        pt: "As sem sinal, que saberão quando voltarem.",
        en: "Those that are silent, and will know when they return.",
      },
    }),
  }),
  {
    override: {
      pt: "A imagem do operador; null: vale a do Tijolo.",
      en: "The operator's image; null: Tijolo's own is used.",
    },
    before: { pt: "A imagem do operador de antes.", en: "The operator's image before." },
    hosts: { pt: "Quantas máquinas.", en: "How many machines." },
  },
);
export type ImageOverrideChange = z.infer<typeof imageOverrideChange>;
