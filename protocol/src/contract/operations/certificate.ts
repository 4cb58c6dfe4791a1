/** Defines the operators' operations on the cluster's certificates. */

import { z } from "zod";
import { localAuthority } from "../../nouns/certificate.ts";
import { operation } from "../operation.ts";
import { asViewer } from "./operator-row.ts";

export const certificateOperations = {
  getAuthority: operation({
    ...asViewer,
    path: "/cluster/certificates/authority",
    summary: { pt: "Mostra a autoridade do cluster", en: "Shows the cluster's authority" },
    text: {
      pt: "O certificado com que se confia nos endereços locais. `not_found` enquanto a central não tem chave mestra para guardar a dela.",
      en: "The certificate by which local addresses are trusted. `not_found` while central has no master key to seal its key with.",
    },
    answer: { kind: "json", status: 200, schema: z.strictObject({ authority: localAuthority }) },
    errors: ["not_found"],
  }),
};
