/** Defines the files of a program that new code replaced and that are kept. */

import { z } from "zod";
import { component, described } from "../contract/described.ts";
import { inputReasons } from "../contract/input-reasons.ts";
import { toPlainText } from "../values/plain-text.ts";
import { timestamp } from "./project.ts";

/** Largest number of paths that are listed of one version. */
export const maxReplacedPaths = 50;
/** Largest number of characters of a path. */
export const maxReplacedPathLength = 1_000;
/** Number up to which files are counted; it stands for larger numbers, too. */
export const maxReplacedCount = 10_000;

const wordsOfContents = {
  version: {
    pt: "A versão cujo código tinha os mesmos arquivos.",
    en: "The version whose code had the same files.",
  },
  count: {
    pt: "Quantos arquivos; 10000 quer dizer 10000 ou mais.",
    en: "How many files; 10000 means 10000 or more.",
  },
  paths: {
    pt: "Os caminhos dos primeiros, até 50, a partir da pasta do projeto.",
    en: "The paths of the first ones, up to 50, below the project's folder.",
  },
};

/** Files that one version replaced, as an event names them. */
export const replacedNames = described(
  z.strictObject({ version: z.int(), count: z.int(), paths: z.array(z.string()) }),
  wordsOfContents,
);

/** Files that one version replaced and that are kept. */
export const replacedFiles = component(
  "ReplacedFiles",
  z.strictObject({
    version: z.int(),
    count: z.int(),
    paths: z.array(z.string()),
    sizeBytes: z.int(),
    keptAt: timestamp,
    keptUntil: timestamp,
    isRestoring: z.boolean(),
  }),
  {
    text: {
      pt: "Arquivos que o programa tinha mudado ou criado e que uma versão trouxe também: a versão vale, e eles ficam guardados por um tempo.",
      en: "Files that the program had changed or made and that a version brought, too: the version's are used, and these are kept for a time.",
    },
    fields: {
      ...wordsOfContents,
      sizeBytes: {
        pt: "O tamanho dos arquivos contados, em bytes.",
        en: "The size of the files that were counted, in bytes.",
      },
      keptAt: { pt: "Quando foram guardados.", en: "When they were put away." },
      keptUntil: {
        pt: "Até quando ficam; menos, se o disco do projeto encher e houver mais novos.",
        en: "How long they are kept; less, if the project's disk fills up and there are newer ones.",
      },
      isRestoring: {
        pt: "Se algo deles volta no próximo início.",
        en: "Whether some of it is brought back at the next start.",
      },
    },
  },
);
export type ReplacedFiles = z.infer<typeof replacedFiles>;

/**
 * Request to bring files back. The path has the rule that the link has for it (`plainText`), as a check that
 * clients can read.
 */
export const replacedRestore = described(
  z.strictObject({
    path: z
      .string()
      .min(1)
      .max(maxReplacedPathLength)
      .refine((path) => toPlainText(path) === path, { error: inputReasons.controlCharacter.pt })
      .optional(),
  }),
  {
    path: {
      pt: "Caminho de um arquivo ou de uma pasta; sem ele, tudo o que a versão trocou.",
      en: "The path of a file or a folder; without it, all that the version replaced.",
    },
  },
);
