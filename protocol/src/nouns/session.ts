/** Defines the people who sign in to the panel, and their sessions. */

import { z } from "zod";
import { operatorRoles } from "../contract/access.ts";
import { id } from "../values/id.ts";
import { component, described } from "../contract/described.ts";
import { inputReasons } from "../contract/input-reasons.ts";
import { sharedWords } from "../contract/shared-words.ts";
import { timestamp } from "./project.ts";
import { lengths } from "../values/lengths.ts";
import { isVisible } from "../values/visible-name.ts";

export const personName = z
  .string()
  .trim()
  .regex(/^[^\p{Cc}\u202a-\u202e\u2066-\u2069]{1,80}$/u, inputReasons.badPersonName.pt)
  .refine(isVisible, inputReasons.noVisibleCharacter.pt);
export const email = z.email().max(lengths.email.most).toLowerCase();
export const password = z.string().min(lengths.passphrase.least).max(lengths.passphrase.most);
/** Password typed at a sign-in: it is compared, and needs to meet no rule for new ones. */
export const typedPassword = z.string().min(1).max(lengths.passphrase.most);
/** Six digits of an authenticator. */
export const oneTimeCode = z.string().regex(/^\d{6}$/, inputReasons.badOneTimeCode.pt);
export const recoveryCode = z.string().min(6).max(40);

export const person = component(
  "Person",
  z.strictObject({
    name: z.string(),
    email: z.string(),
    hasTwoFactor: z.boolean(),
    operatorRole: z.enum(operatorRoles).nullable(),
  }),
  {
    text: { pt: "Quem entra no painel.", en: "A person who signs in to the panel." },
    fields: {
      name: sharedWords.name,
      email: sharedWords.email,
      hasTwoFactor: {
        pt: "Se a entrada em duas etapas está ligada.",
        en: "Whether two-factor sign-in is on.",
      },
      operatorRole: {
        pt: "O papel de quem opera o cluster; null para quem não o opera.",
        en: "The role of a person who runs the cluster; null for others.",
      },
    },
  },
);
export type Person = z.infer<typeof person>;

export const panelSession = component(
  "PanelSession",
  z.strictObject({
    id: z.string(),
    isCurrent: z.boolean(),
    hasPasskey: z.boolean(),
    address: z.string().nullable(),
    userAgent: z.string().nullable(),
    createdAt: timestamp,
    expiresAt: timestamp,
  }),
  {
    text: { pt: "Uma sessão do painel.", en: "A session of the panel." },
    fields: {
      id: { pt: "Id da sessão.", en: "The session's id." },
      isCurrent: { pt: "Se é a sessão desta requisição.", en: "Whether it is the session of this request." },
      hasPasskey: {
        pt: "Se uma chave de acesso a abriu ou confirmou: vale como segunda etapa.",
        en: "Whether a passkey opened or confirmed it: that counts as the second step.",
      },
      address: { pt: "Endereço de onde se entrou.", en: "The address of the sign-in." },
      userAgent: { pt: "Navegador com que se entrou.", en: "The browser of the sign-in." },
      createdAt: sharedWords.createdAt,
      expiresAt: { pt: "Quando vence.", en: "When it expires." },
    },
  },
);
export type PanelSession = z.infer<typeof panelSession>;

/** Person who is signed in, and the account. */
export const signedIn = component(
  "SignedIn",
  z.strictObject({
    session: panelSession,
    person,
    account: described(z.strictObject({ id, name: z.string() }), sharedWords),
  }),
  {
    text: {
      pt: "Quem entrou, em qual conta e com qual sessão.",
      en: "Who signed in, to which account and with which session.",
    },
    fields: {
      session: sharedWords.session,
      person: { pt: "Quem entrou.", en: "Who signed in." },
      account: { pt: "Em qual conta.", en: "To which account." },
    },
  },
);
export type SignedIn = z.infer<typeof signedIn>;
