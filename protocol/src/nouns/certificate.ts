/** Defines the certificates of a cluster, as an operator sees them. */

import { z } from "zod";
import { component } from "../contract/described.ts";
import { sharedWords } from "../contract/shared-words.ts";
import { timestamp } from "./project.ts";

export const localAuthority = component(
  "LocalAuthority",
  z.strictObject({
    certificate: z.string(),
    name: z.string(),
    domains: z.array(z.string()),
    fingerprint: z.string(),
    keyFingerprint: z.string(),
    createdAt: timestamp,
    expiresAt: timestamp,
  }),
  {
    text: {
      pt: "A autoridade do cluster, que assina o que nenhuma pública assina. Quem confia nela confia só nos domínios dela.",
      en: "The cluster's own authority, which signs what no public one does. Whoever trusts it trusts its domains only.",
    },
    fields: {
      certificate: {
        pt: "O certificado, em PEM; não é segredo.",
        en: "The certificate, in PEM; it is no secret.",
      },
      name: { pt: "O nome dela, como um navegador o lista.", en: "Its name, as a browser lists it." },
      domains: {
        pt: "Os domínios para os quais ela pode assinar, com tudo o que fica abaixo.",
        en: "The domains that it may sign for, with all that lies below them.",
      },
      fingerprint: { pt: "O SHA-256 do certificado.", en: "The certificate's SHA-256." },
      keyFingerprint: {
        pt: "O SHA-256 da chave pública, que fica quando o certificado é renovado.",
        en: "The public key's SHA-256, which stays when the certificate is renewed.",
      },
      createdAt: sharedWords.createdAt,
      expiresAt: { pt: "Até quando vale.", en: "When it ends." },
    },
  },
);
export type LocalAuthority = z.infer<typeof localAuthority>;
