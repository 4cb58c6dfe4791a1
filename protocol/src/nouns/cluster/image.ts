/**
 * Defines images as operators name them: the language versions that have one, what a project needs, and the
 * image that an operator chose instead of the others.
 */

import { z } from "zod";
import { described } from "../../contract/described.ts";
import { isSupportedVersion, languages, languageVersions, type Language } from "../language.ts";
import { plainText } from "../../values/plain-text.ts";
import { systemPackage } from "../../project/system-package.ts";
import { inputReasons } from "../../contract/input-reasons.ts";

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
