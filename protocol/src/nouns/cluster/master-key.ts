/**
 * Defines the keys by which central seals its stored secrets, as an operator sees them: by name, never the
 * keys themselves.
 */

import { z } from "zod";
import { described } from "../../contract/described.ts";

/** Place where central reads them; `own`: a file that it made itself. */
const masterKeySource = z.enum(["credentials", "environment", "file", "own"]);
export type MasterKeySource = z.infer<typeof masterKeySource>;

const statusShape = {
  source: masterKeySource,
  currentKeyId: z.string().nullable(),
  keys: z.array(
    described(z.strictObject({ id: z.string(), isKnown: z.boolean(), documents: z.int() }), {
      id: { pt: "O nome da chave.", en: "The key's name." },
      isKnown: { pt: "Se a central a tem.", en: "Whether central has it." },
      documents: { pt: "Quantos documentos ela sela.", en: "How many documents it seals." },
    }),
  ),
};
const statusWords = {
  source: {
    pt: "De onde a central as tem; `own`: de um arquivo que ela mesma fez.",
    en: "Where central has them from; `own`: from a file that it made itself.",
  },
  currentKeyId: {
    pt: "A que vale; null quando não há nenhuma: o arquivo sumiu.",
    en: "The one in use; null when there is none: its file was lost.",
  },
  keys: {
    pt: "As que a central tem, a que vale primeiro, e depois as que faltam e selam algo.",
    en: "Those that central has, the one in use first, and then those that it lacks although they seal something.",
  },
};

export const masterKeyStatus = described(z.strictObject(statusShape), statusWords);
export type MasterKeyStatus = z.infer<typeof masterKeyStatus>;

export const masterKeyRotated = described(
  z.strictObject({
    ...statusShape,
    resealed: z.int(),
    unreadable: z.int(),
    removable: z.array(z.string()),
  }),
  {
    ...statusWords,
    resealed: {
      pt: "Documentos que passaram à chave que vale.",
      en: "Documents that moved to the key in use.",
    },
    unreadable: {
      pt: "Documentos que não abrem e ficam como estão.",
      en: "Documents that could not be opened and stay as they are.",
    },
    removable: {
      pt: "Chaves de que nada mais precisa: quem as entrega pode deixá-las de fora.",
      en: "Keys that nothing needs any more: whoever hands them in may leave them out.",
    },
  },
);
export type MasterKeyRotated = z.infer<typeof masterKeyRotated>;
