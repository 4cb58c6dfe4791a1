/** Defines the operations on passkeys: adding and managing them in the panel, and signing in by one. */

import { z } from "zod";
import { newCredential, passkey, passkeyName, passkeyOptions, usedCredential } from "../../nouns/passkey.ts";
import { signedIn, typedPassword } from "../../nouns/session.ts";
import { id } from "../../values/id.ts";
import { described } from "../described.ts";
import type { ErrorCode } from "../errors.ts";
import { operation, type Answer, type Operation } from "../operation.ts";
import { sharedWords } from "../shared-words.ts";
import { tags } from "../tags.ts";
import { none } from "./inputs.ts";

const bodyErrors = ["unsupported_media_type", "payload_too_large"] as const satisfies readonly ErrorCode[];
const common = { tag: tags.account, params: none, query: none } as const satisfies Partial<Operation>;
const asPublic = { ...common, access: { kind: "public" }, effect: "change" } as const;
const asPanel = { ...common, access: { kind: "panel" }, effect: "change" } as const;
const confirmation = described(z.strictObject({ password: typedPassword }), sharedWords);
const nameWords = { name: { pt: "Nome da chave de acesso.", en: "The passkey's name." } } as const;
const passkeyId = described(z.strictObject({ passkeyId: id }), {
  passkeyId: { pt: "Id da chave de acesso.", en: "The passkey's id." },
});
const onePasskey = described(z.strictObject({ passkey }), {
  passkey: { pt: "A chave de acesso.", en: "The passkey." },
});
const credentialWords = {
  credential: {
    pt: "A resposta do navegador, como `PublicKeyCredential.toJSON()` a escreve.",
    en: "The browser's answer, as `PublicKeyCredential.toJSON()` writes it.",
  },
} as const;
const exampleCredential = { id: "AQIDBA", rawId: "AQIDBA", type: "public-key" };

const usedBody = {
  kind: "json",
  example: {
    credential: {
      ...exampleCredential,
      response: { clientDataJSON: "e30", authenticatorData: "AQID", signature: "AQID", userHandle: "AQID" },
    },
  },
  schema: described(z.strictObject({ credential: usedCredential }), credentialWords),
} as const;

/** Returns the answer of an operation that begins something at the browser. */
function optionsFor(method: "Creation" | "Request") {
  const text = {
    pt: `Opções para \`PublicKeyCredential.parse${method}OptionsFromJSON()\`; valem 5 minutos e uma vez.`,
    en: `Options for \`PublicKeyCredential.parse${method}OptionsFromJSON()\`; they work for 5 minutes and once.`,
  };
  const schema = described(z.strictObject({ options: passkeyOptions }), { options: text });
  return { kind: "json", status: 200, schema } as const satisfies Answer;
}

export const passkeyOperations = {
  beginPasskeySignIn: operation({
    ...asPublic,
    method: "POST",
    path: "/sign-in/passkey/begin",
    summary: { pt: "Começa a entrada com chave de acesso", en: "Begins signing in by passkey" },
    text: {
      pt: "O navegador oferece as chaves de acesso que tem; não é preciso dizer o e-mail.",
      en: "The browser offers the passkeys that it has; no e-mail is needed.",
    },
    body: { kind: "none" },
    answer: optionsFor("Request"),
    errors: ["passkeys_unavailable", "not_authenticated"],
  }),
  signInPasskey: operation({
    ...asPublic,
    method: "POST",
    path: "/sign-in/passkey",
    summary: { pt: "Entra com uma chave de acesso", en: "Signs in by passkey" },
    text: {
      pt: "A chave de acesso vale pelas duas etapas. A sessão vem num cookie HttpOnly.",
      en: "A passkey counts as both steps. The session comes in an HttpOnly cookie.",
    },
    body: usedBody,
    answer: { kind: "json", status: 200, schema: signedIn },
    errors: [
      ...bodyErrors,
      "passkeys_unavailable",
      "invalid_passkey",
      "too_many_attempts",
      "not_authenticated",
    ],
  }),
  beginPasskeyConfirmation: operation({
    ...asPanel,
    method: "POST",
    path: "/session/confirm/passkey/begin",
    summary: { pt: "Começa a confirmação com chave de acesso", en: "Begins confirming by passkey" },
    text: {
      pt: "O navegador oferece as chaves de acesso que tem; vale a da pessoa que está no painel.",
      en: "The browser offers the passkeys that it has; one of the person who is in the panel counts.",
    },
    body: { kind: "none" },
    answer: optionsFor("Request"),
    errors: ["passkeys_unavailable"],
  }),
  confirmSessionByPasskey: operation({
    ...asPanel,
    method: "POST",
    path: "/session/confirm/passkey",
    summary: {
      pt: "Confirma quem está no painel com chave de acesso",
      en: "Confirms by passkey who is in the panel",
    },
    text: {
      pt: "Vale como a senha em POST /session/confirm, e como segunda etapa desta sessão.",
      en: "Counts as the password of POST /session/confirm does, and as this session's second step.",
    },
    body: usedBody,
    answer: { kind: "empty", status: 204 },
    errors: [...bodyErrors, "passkeys_unavailable", "invalid_passkey", "too_many_attempts"],
  }),
  listPasskeys: operation({
    ...asPanel,
    method: "GET",
    path: "/account/passkeys",
    summary: { pt: "Lista as chaves de acesso", en: "Lists the passkeys" },
    text: { pt: "As da pessoa que está no painel.", en: "Those of the person who is in the panel." },
    effect: "read",
    body: { kind: "none" },
    answer: {
      kind: "json",
      status: 200,
      schema: described(z.strictObject({ passkeys: z.array(passkey) }), {
        passkeys: { pt: "As chaves de acesso.", en: "The passkeys." },
      }),
    },
    errors: [],
  }),
  beginPasskey: operation({
    ...asPanel,
    method: "POST",
    path: "/account/passkeys/begin",
    summary: { pt: "Prepara uma chave de acesso nova", en: "Prepares a new passkey" },
    text: {
      pt: "Pede a senha. A chave de acesso só existe depois de POST /account/passkeys.",
      en: "Asks for the password. The passkey exists only after POST /account/passkeys.",
    },
    body: { kind: "json", example: { password: "minha senha longa" }, schema: confirmation },
    answer: optionsFor("Creation"),
    errors: [...bodyErrors, "passkeys_unavailable", "wrong_password", "passkey_limit_reached"],
  }),
  addPasskey: operation({
    ...asPanel,
    method: "POST",
    path: "/account/passkeys",
    summary: { pt: "Guarda a chave de acesso nova", en: "Stores the new passkey" },
    text: {
      pt: "Segue POST /account/passkeys/begin, na mesma sessão. No máximo 20 por pessoa.",
      en: "Follows POST /account/passkeys/begin, in the same session. At most 20 per person.",
    },
    body: {
      kind: "json",
      example: {
        name: "Celular",
        credential: { ...exampleCredential, response: { clientDataJSON: "e30", attestationObject: "o2M" } },
      },
      schema: described(z.strictObject({ name: passkeyName, credential: newCredential }), {
        ...nameWords,
        ...credentialWords,
      }),
    },
    answer: { kind: "json", status: 201, schema: onePasskey },
    errors: [...bodyErrors, "passkeys_unavailable", "invalid_passkey", "passkey_limit_reached"],
  }),
  renamePasskey: operation({
    ...asPanel,
    method: "PATCH",
    path: "/account/passkeys/{passkeyId}",
    summary: { pt: "Muda o nome de uma chave de acesso", en: "Renames a passkey" },
    text: { pt: "O nome só serve para reconhecê-la.", en: "The name only serves to recognise it." },
    params: passkeyId,
    body: {
      kind: "json",
      example: { name: "Notebook" },
      schema: described(z.strictObject({ name: passkeyName }), nameWords),
    },
    answer: { kind: "json", status: 200, schema: onePasskey },
    errors: [...bodyErrors, "not_found"],
  }),
  removePasskey: operation({
    ...asPanel,
    method: "POST",
    path: "/account/passkeys/{passkeyId}/remove",
    summary: { pt: "Remove uma chave de acesso", en: "Removes a passkey" },
    text: {
      pt: "Pede a senha. A chave de acesso deixa de entrar; as sessões abertas continuam.",
      en: "Asks for the password. The passkey no longer signs in; open sessions continue.",
    },
    params: passkeyId,
    body: { kind: "json", example: { password: "minha senha longa" }, schema: confirmation },
    answer: { kind: "empty", status: 204 },
    errors: [...bodyErrors, "not_found", "wrong_password"],
  }),
};
