/** The versions of a project (spec: tag "Versões dos envios"). */

import { z } from "zod";
import { id } from "../../values/id.ts";
import { version } from "../../nouns/version.ts";
import { described } from "../described.ts";
import { operation } from "../operation.ts";
import { sharedWords } from "../shared-words.ts";
import { inputReasons } from "../input-reasons.ts";
import { none, oneProject, projectAnswer } from "./inputs.ts";
import { tags } from "../tags.ts";

const oneVersion = described(
  z.strictObject({
    id,
    number: z
      .string()
      .regex(/^[1-9]\d{0,8}$/, inputReasons.badWholeNumber.pt)
      .transform(Number)
      .pipe(z.int()),
  }),
  { id: sharedWords.id, number: { pt: "O número da versão.", en: "The number of the version." } },
);

export const versionOperations = {
  listVersions: operation({
    method: "GET",
    path: "/projects/{id}/versions",
    tag: tags.versions,
    summary: { pt: "Lista as versões de um projeto", en: "Lists the versions of a project" },
    text: {
      pt: "Da mais nova à mais velha; quantas ficam guardadas, o plano diz. A que está no ar fica guardada sempre.",
      en: "The newest first; how many are kept depends on the plan. The one that runs is always kept.",
    },
    access: { kind: "key", scope: "versions:read" },
    effect: "read",
    params: oneProject,
    query: none,
    body: { kind: "none" },
    answer: {
      kind: "json",
      status: 200,
      schema: described(z.strictObject({ versions: z.array(version) }), {
        versions: { pt: "As versões, da mais nova à mais velha.", en: "The versions, the newest first." },
      }),
    },
    errors: ["not_found"],
  }),
  downloadVersion: operation({
    method: "GET",
    path: "/projects/{id}/versions/{number}/archive",
    tag: tags.versions,
    summary: { pt: "Baixa o .zip de uma versão", en: "Downloads the .zip of a version" },
    text: {
      pt: "Byte por byte o que foi enviado. `ETag` é o SHA-256 do .zip, e `Range` continua um download que parou no meio.",
      en: "Byte by byte what was uploaded. `ETag` is the SHA-256 of the .zip, and `Range` continues a download that stopped halfway.",
    },
    access: { kind: "key", scope: "versions:read" },
    effect: "read",
    params: oneVersion,
    query: none,
    body: { kind: "none" },
    answer: { kind: "bytes", contentType: "application/zip" },
    errors: ["not_found", "archive_gone", "range_not_satisfiable", "too_many_requests"],
  }),
  rollbackProject: operation({
    method: "POST",
    path: "/projects/{id}/versions/{number}/rollback",
    tag: tags.versions,
    summary: { pt: "Volta o projeto a uma versão", en: "Takes the project back to a version" },
    text: {
      pt: "Cria uma versão nova com o código daquela e com o que ela usava para instalar e iniciar: `language`, `version`, `entry`, `command`, `installCommand`, `root`, `spa`, `systemPackages` e `port`. Memória, tipo, subdomínio, nome, variáveis e o que o projeto gravou ficam como estão; uma versão que era de um bot fica com a porta que o site tem hoje. Também vale para uma versão que falhou e para a atual. De resto acontece o mesmo que num envio: um projeto no ar volta sozinho com esse código, e um parado fica parado.",
      en: "Makes a new version with the code of that one and with what it was installed and started by: `language`, `version`, `entry`, `command`, `installCommand`, `root`, `spa`, `systemPackages` and `port`. Memory, type, subdomain, name, variables and what the project has written stay as they are; a version that was a bot's gets the port that the site has today. A version that failed, and the current one, can be chosen too. Otherwise the same happens as with an upload: a running project restarts by itself with this code, and a stopped one stays stopped.",
    },
    access: { kind: "key", scope: "versions:rollback" },
    effect: "change",
    params: oneVersion,
    query: none,
    body: { kind: "none" },
    answer: { kind: "json", status: 202, schema: projectAnswer },
    errors: [
      "not_found",
      "archive_gone",
      "invalid_config",
      "unsupported_language",
      "project_busy",
      "account_suspended",
      "beta_ending",
      "variables_unavailable",
      "server_unavailable",
      "too_many_requests",
    ],
  }),
};
