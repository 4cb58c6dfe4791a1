/** Defines the operations on files that a program changed and that new code replaced. */

import { z } from "zod";
import { replacedFiles, replacedRestore } from "../../nouns/replaced-files.ts";
import { described } from "../described.ts";
import { inputReasons } from "../input-reasons.ts";
import { operation } from "../operation.ts";
import { sharedWords } from "../shared-words.ts";
import { none, oneProject } from "./inputs.ts";
import { tags } from "../tags.ts";

export const replacedFilesOperations = {
  listReplacedFiles: operation({
    method: "GET",
    path: "/projects/{id}/replaced",
    tag: tags.versions,
    summary: {
      pt: "Lista os arquivos do programa que versões novas trocaram",
      en: "Lists the program's files that new versions replaced",
    },
    text: {
      pt: "Quando um envio traz um arquivo que o programa mudou ou criou, vale o do envio, e o do programa fica guardado por 14 dias, no disco do projeto. Da versão mais nova à mais velha. A máquina do projeto responde na hora.",
      en: "When an upload brings a file that the program changed or made, the upload's is used, and the program's is kept for 14 days, on the project's disk. The newest version first. The project's host answers at once.",
    },
    access: { kind: "key", scope: "versions:read" },
    effect: "read",
    params: oneProject,
    query: none,
    body: { kind: "none" },
    answer: {
      kind: "json",
      status: 200,
      schema: described(z.strictObject({ replaced: z.array(replacedFiles) }), {
        replaced: {
          pt: "O que está guardado, por versão.",
          en: "What is kept, by version.",
        },
      }),
    },
    waitsForHosts: true,
    errors: ["not_found", "server_unavailable"],
  }),
  restoreReplacedFiles: operation({
    method: "POST",
    path: "/projects/{id}/replaced/{version}/restore",
    tag: tags.versions,
    summary: {
      pt: "Traz de volta arquivos que uma versão trocou",
      en: "Brings back files that a version replaced",
    },
    text: {
      pt: "Os arquivos voltam no próximo início, nunca debaixo de um programa que roda; `isRestartRequired` diz se um reinício é preciso para isso. O que estiver no lugar deles fica guardado da mesma forma, na mesma versão.",
      en: "The files come back at the next start, never under a running program; `isRestartRequired` says whether that takes a restart. What is in their place is kept in the same way, under the same version.",
    },
    access: { kind: "key", scope: "versions:rollback" },
    effect: "change",
    params: described(
      z.strictObject({
        ...oneProject.shape,
        version: z
          .string()
          .regex(/^[1-9]\d{0,8}$/, inputReasons.badWholeNumber.pt)
          .transform(Number),
      }),
      {
        id: sharedWords.id,
        version: {
          pt: "O número da versão que os trocou.",
          en: "The number of the version that replaced them.",
        },
      },
    ),
    query: none,
    body: { kind: "json", example: { path: "data.db" }, schema: replacedRestore },
    answer: {
      kind: "json",
      status: 202,
      schema: described(z.strictObject({ isRestartRequired: z.boolean() }), sharedWords),
    },
    waitsForHosts: true,
    errors: ["not_found", "unsupported_media_type", "payload_too_large", "server_unavailable"],
  }),
};
