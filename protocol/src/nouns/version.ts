/** A version of a project: one upload of its code, and how the install of it went. */

import { z } from "zod";
import { component, described } from "../contract/described.ts";
import { sharedWords } from "../contract/shared-words.ts";
import { actor } from "./account.ts";
import { projectError, timestamp } from "./project.ts";

export const versionStatuses = ["installing", "live", "superseded", "failed"] as const;
export type VersionStatus = (typeof versionStatuses)[number];

/** What made a version: an upload, or a capability that puts code into a project by itself. */
export const versionTriggers = ["upload", "rollback", "template", "import", "restore"] as const;
export const versionTrigger = z.enum(versionTriggers);
export type VersionTrigger = z.infer<typeof versionTrigger>;

export const version = component(
  "Version",
  z.strictObject({
    number: z.int().min(1),
    isCurrent: z.boolean(),
    status: z.enum(versionStatuses),
    trigger: versionTrigger,
    by: described(z.strictObject(actor.shape), {
      kind: {
        pt: "Uma chave, uma pessoa, um operador ou o serviço.",
        en: "A key, a person, an operator or the service.",
      },
      name: { pt: "O nome que tinha então.", en: "The name at that time." },
    }),
    sizeBytes: z.int(),
    sha256: z.string(),
    rolledBackFrom: z.int().nullable(),
    createdAt: timestamp,
    finishedAt: timestamp.nullable(),
    error: projectError.nullable(),
  }),
  {
    text: {
      pt: "Uma versão: um envio do código de um projeto, e como foi a instalação dele.",
      en: "A version: one upload of a project's code, and how its install went.",
    },
    fields: {
      number: { pt: "O número: 1, 2, 3…, por projeto.", en: "The number: 1, 2, 3…, per project." },
      isCurrent: { pt: "Se é a que o projeto usa agora.", en: "Whether the project uses it now." },
      status: {
        pt: "`installing` até a instalação acabar; `live`: instalada e atual; `superseded`: outra veio depois; `failed`: a instalação falhou.",
        en: "`installing` until its install is over; `live`: installed and current; `superseded`: another one came after it; `failed`: its install failed.",
      },
      trigger: { pt: "O que a criou.", en: "What made it." },
      by: { pt: "Quem a criou.", en: "Who made it." },
      sizeBytes: { pt: "Tamanho do .zip, em bytes.", en: "Size of the .zip, in bytes." },
      sha256: { pt: "SHA-256 do .zip, em hexadecimal.", en: "SHA-256 of the .zip, in hexadecimal." },
      rolledBackFrom: {
        pt: "Numa volta: o número da versão de onde veio o código; senão, null.",
        en: "For a rollback: the number of the version that the code comes from; otherwise null.",
      },
      createdAt: sharedWords.createdAt,
      finishedAt: {
        pt: "Quando a instalação acabou, com ou sem sucesso; null: ainda não acabou.",
        en: "When its install ended, well or not; null: it has not ended yet.",
      },
      error: {
        pt: "Por que a instalação falhou; senão, null.",
        en: "Why its install failed; otherwise null.",
      },
    },
  },
);
export type Version = z.infer<typeof version>;
