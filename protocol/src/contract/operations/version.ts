/** The versions of a project (spec: tag "Versões dos envios"). */

import { z } from "zod";
import { version } from "../../nouns/version.ts";
import { described } from "../described.ts";
import { operation } from "../operation.ts";
import { none, oneProject } from "./inputs.ts";
import { tags } from "../tags.ts";

export const versionOperations = {
  listVersions: operation({
    method: "GET",
    path: "/projects/{id}/versions",
    tag: tags.versions,
    summary: { pt: "Lista as versões de um projeto", en: "Lists the versions of a project" },
    text: {
      pt: "Da mais nova à mais velha; quantas ficam guardadas, o plano diz.",
      en: "The newest first; how many are kept depends on the plan.",
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
};
