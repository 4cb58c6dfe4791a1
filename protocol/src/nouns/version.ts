/** Defines versions of a project: the code, its origin, and its outcome. */

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
    isServing: z.boolean(),
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
    cameUpAt: timestamp.nullable(),
    error: projectError.nullable(),
  }),
  {
    text: {
      pt: "Uma versão: o código que o projeto recebeu de uma vez, de onde veio e no que deu.",
      en: "A version: the code that a project was given at one time, where it came from and how it went.",
    },
    fields: {
      number: { pt: "O número: 1, 2, 3…, por projeto.", en: "The number: 1, 2, 3…, per project." },
      isCurrent: {
        pt: "Se é a mais nova: a que o projeto deve usar.",
        en: "Whether it is the newest: the one that the project is to use.",
      },
      isServing: {
        pt: "Se é a que está no ar agora. Depois de uma falha da atual, pode ser uma anterior; com o projeto parado, nenhuma.",
        en: "Whether it is the one that runs now. After a failure of the current one it can be an earlier one; while the project is stopped, none is.",
      },
      status: {
        pt: "`installing` até subir ou, num projeto parado, até a instalação acabar; `live`: é a atual e subiu, ou está pronta para isso; `superseded`: outra veio depois; `failed`: a instalação falhou ou ela nunca subiu. Uma que falhou e sobe depois fica `live`.",
        en: "`installing` until it comes up or, in a stopped project, until its install is over; `live`: it is the current one and came up, or is ready to; `superseded`: another one came after it; `failed`: its install failed or it never came up. One that failed and comes up later is `live`.",
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
        pt: "Quando ficou pronta ou falhou; null: ainda não se sabe.",
        en: "When it was ready or failed; null: that is not known yet.",
      },
      cameUpAt: {
        pt: "Quando subiu pela primeira vez; null: nunca subiu.",
        en: "When it came up for the first time; null: it never did.",
      },
      error: {
        pt: "Por que falhou; senão, null.",
        en: "Why it failed; otherwise null.",
      },
    },
  },
);
export type Version = z.infer<typeof version>;
