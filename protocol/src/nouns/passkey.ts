/** Defines passkeys, and what a browser sends and receives of them (WebAuthn's own JSON forms). */

import { z } from "zod";
import { component, described } from "../contract/described.ts";
import { inputReasons } from "../contract/input-reasons.ts";
import { sharedWords } from "../contract/shared-words.ts";
import { id } from "../values/id.ts";
import { timestamp } from "./project.ts";
import { personName } from "./session.ts";

export const passkeyName = personName;

export const passkey = component(
  "Passkey",
  z.strictObject({
    id,
    name: z.string(),
    isSynced: z.boolean(),
    createdAt: timestamp,
    lastUsedAt: timestamp.nullable(),
  }),
  {
    text: {
      pt: "Uma chave de acesso (passkey): entra no painel sem senha.",
      en: "A passkey: signs in to the panel without a password.",
    },
    fields: {
      id: { pt: "Id da chave de acesso.", en: "The passkey's id." },
      name: { pt: "Nome que a pessoa deu.", en: "The name that the person gave it." },
      isSynced: {
        pt: "Se há cópia dela em outros aparelhos da pessoa.",
        en: "Whether other devices of the person have a copy of it.",
      },
      createdAt: sharedWords.createdAt,
      lastUsedAt: {
        pt: "Quando entrou por último; null se nunca.",
        en: "When it last signed in; null: never.",
      },
    },
  },
);
export type Passkey = z.infer<typeof passkey>;

/** Options that a browser makes a credential by: its own JSON form, which the panel hands on as it is. */
export const passkeyOptions = z.record(z.string(), z.json());
export type PasskeyOptions = z.infer<typeof passkeyOptions>;

/** Longest base64url text of a part of a browser's answer; an attestation with certificates is shorter. */
const maxLength = 16_384;
const base64url = z
  .string()
  .regex(/^[A-Za-z0-9_-]+$/, inputReasons.badCredentialText.pt)
  .max(maxLength);
const credentialId = base64url.max(1_400);

const credentialWords = {
  id: { pt: "Id da credencial.", en: "The credential's id." },
  rawId: { pt: "O mesmo id.", en: "The same id." },
  type: { pt: "Sempre `public-key`.", en: "Always `public-key`." },
  response: { pt: "O que o autenticador respondeu.", en: "What the authenticator answered." },
  clientDataJSON: { pt: "O que o navegador assina.", en: "What the browser has signed." },
} as const;

/** What `PublicKeyCredential.toJSON()` makes of a new credential. Further fields are ignored. */
export const newCredential = described(
  z.object({
    id: credentialId,
    rawId: credentialId,
    type: z.literal("public-key"),
    response: described(
      z.object({
        clientDataJSON: base64url,
        attestationObject: base64url,
        transports: z.array(z.string().max(32)).max(10).optional(),
      }),
      {
        clientDataJSON: credentialWords.clientDataJSON,
        attestationObject: { pt: "A chave pública nova.", en: "The new public key." },
        transports: {
          pt: "Como o navegador alcança o autenticador.",
          en: "How the browser reaches the authenticator.",
        },
      },
    ),
  }),
  credentialWords,
);
export type NewCredential = z.infer<typeof newCredential>;

/** What `PublicKeyCredential.toJSON()` makes of a sign-in. Further fields are ignored. */
export const usedCredential = described(
  z.object({
    id: credentialId,
    rawId: credentialId,
    type: z.literal("public-key"),
    response: described(
      z.object({
        clientDataJSON: base64url,
        authenticatorData: base64url,
        signature: base64url,
        userHandle: base64url.max(100).nullish(),
      }),
      {
        clientDataJSON: credentialWords.clientDataJSON,
        authenticatorData: { pt: "Dados do autenticador.", en: "The authenticator's data." },
        signature: { pt: "A assinatura.", en: "The signature." },
        userHandle: { pt: "De quem é a chave de acesso.", en: "Whose passkey it is." },
      },
    ),
  }),
  credentialWords,
);
export type UsedCredential = z.infer<typeof usedCredential>;
