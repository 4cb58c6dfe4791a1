/**
 * Defines signing up, in and out, passwords, two-factor: the panel's side of authentication. Sessions travel
 * as an HttpOnly cookie.
 */

import { z } from "zod";
import { described } from "../described.ts";
import type { ErrorCode } from "../errors.ts";
import { inputReasons } from "../input-reasons.ts";
import { operation, type Answer, type Operation } from "../operation.ts";
import {
  email,
  oneTimeCode,
  panelSession,
  password,
  personName,
  recoveryCode,
  signedIn,
  typedPassword,
} from "../../nouns/session.ts";
import { none } from "./inputs.ts";
import { sharedWords } from "../shared-words.ts";
import { tags } from "../tags.ts";

const tag = tags.account;
const bodyErrors = ["unsupported_media_type", "payload_too_large"] as const satisfies readonly ErrorCode[];
const done = { kind: "empty", status: 204 } as const satisfies Answer;
const recoveryCodes = z.array(z.string());
const confirmation = described(z.strictObject({ password: typedPassword }), sharedWords);

const oneCode = described(z.strictObject({ code: oneTimeCode }), {
  code: {
    pt: "Os seis dígitos que o autenticador mostra agora.",
    en: "The six digits that the authenticator shows now.",
  },
});

const common = { tag, params: none, query: none } as const satisfies Partial<Operation>;
const asPublic = { ...common, access: { kind: "public" }, effect: "change" } as const;
const asPanel = { ...common, access: { kind: "panel" }, effect: "change" } as const;

const isTwoFactorRequired = {
  pt: "Se falta o código do autenticador, em POST /sign-in/two-factor.",
  en: "Whether the authenticator's code is still needed, in POST /sign-in/two-factor.",
};

const isConfirmationRequired = {
  pt: "Se falta confirmar o e-mail, em POST /sign-up/confirm; ainda não há conta nem sessão.",
  en: "Whether the e-mail must be confirmed, in POST /sign-up/confirm; there is no account or session yet.",
};
const signedInWords = {
  session: sharedWords.session,
  person: { pt: "A pessoa.", en: "The person." },
  account: sharedWords.account,
};

export const sessionOperations = {
  signUp: operation({
    ...asPublic,
    method: "POST",
    path: "/sign-up",
    summary: { pt: "Cria uma conta e entra nela", en: "Creates an account and signs in to it" },
    text: {
      pt: "Pode estar aberto, só por convite ou fechado: o operador escolhe. Sem convite, onde há e-mail, a conta só nasce pelo link que vem nele; a resposta não diz se o e-mail já tem conta.",
      en: "It may be open, by invitation only, or closed: the operator decides. Without an invitation, where mail is set up, the account is made by the link that comes in it; the response does not say whether the e-mail has an account.",
    },
    body: {
      kind: "json",
      example: { name: "Ana", email: "ana@tijolo.dev", password: "minha senha longa" },
      schema: described(
        z.strictObject({
          name: personName,
          email,
          password,
          invitation: z.string().max(200).optional(),
        }),
        {
          name: { pt: "Seu nome.", en: "Your name." },
          email: sharedWords.email,
          password: sharedWords.password,
          invitation: {
            pt: "O convite, onde o cadastro é só por convite.",
            en: "The invitation, where sign-up is by invitation only.",
          },
        },
      ),
    },
    answer: {
      kind: "json",
      status: 201,
      schema: z.discriminatedUnion("isConfirmationRequired", [
        described(signedIn.extend({ isConfirmationRequired: z.literal(false) }), {
          ...signedInWords,
          isConfirmationRequired,
        }),
        described(z.strictObject({ isConfirmationRequired: z.literal(true) }), { isConfirmationRequired }),
      ]),
    },
    errors: [
      ...bodyErrors,
      "sign_up_closed",
      "invalid_link",
      "email_taken",
      "too_many_attempts",
      "not_authenticated",
    ],
  }),
  confirmSignUp: operation({
    ...asPublic,
    method: "POST",
    path: "/sign-up/confirm",
    summary: {
      pt: "Cria a conta com o link recebido por e-mail e entra nela",
      en: "Creates the account with the link received by e-mail and signs in to it",
    },
    text: {
      pt: "Segue um POST /sign-up que respondeu `isConfirmationRequired: true`. O link vale 24 horas.",
      en: "Follows a POST /sign-up that answered `isConfirmationRequired: true`. The link works for 24 hours.",
    },
    body: {
      kind: "json",
      example: { token: "o que veio no link" },
      schema: described(z.strictObject({ token: z.string().min(1).max(200) }), sharedWords),
    },
    answer: { kind: "json", status: 201, schema: signedIn },
    errors: [
      ...bodyErrors,
      "sign_up_closed",
      "invalid_link",
      "email_taken",
      "too_many_attempts",
      "not_authenticated",
    ],
  }),
  createFirstPerson: operation({
    ...asPublic,
    method: "POST",
    path: "/start",
    summary: {
      pt: "Cria a primeira pessoa do cluster, com o link de início, e entra",
      en: "Creates the first person of the cluster, with the start link, and signs in",
    },
    text: {
      pt: "A pessoa fica com a primeira conta, se ainda não é de ninguém, ou com uma nova, e opera o cluster como dono. O link vale uma vez, por 24 horas.",
      en: "The person gets the first account, when nobody has it yet, or a new one, and runs the cluster as an owner. The link works once, for 24 hours.",
    },
    body: {
      kind: "json",
      example: { token: "o que veio no link", email: "ana@tijolo.dev", password: "minha senha longa" },
      schema: described(
        z.strictObject({
          token: z.string().min(1).max(200),
          name: personName.optional(),
          email,
          password,
        }),
        {
          token: sharedWords.token,
          name: {
            pt: "Seu nome; sem ele, o que vem antes do @ no e-mail.",
            en: "Your name; without it, what stands before the @ of the e-mail.",
          },
          email: sharedWords.email,
          password: sharedWords.password,
        },
      ),
    },
    answer: { kind: "json", status: 201, schema: signedIn },
    errors: [
      ...bodyErrors,
      "invalid_start_link",
      "email_taken",
      "operator_limit_reached",
      "too_many_attempts",
      "not_authenticated",
    ],
  }),
  signIn: operation({
    ...asPublic,
    method: "POST",
    path: "/sign-in",
    summary: { pt: "Entra com e-mail e senha", en: "Signs in with e-mail and password" },
    text: { pt: "A sessão vem num cookie HttpOnly.", en: "The session comes in an HttpOnly cookie." },
    body: {
      kind: "json",
      example: { email: "ana@tijolo.dev", password: "minha senha longa" },
      schema: described(z.strictObject({ email, password: typedPassword }), sharedWords),
    },
    answer: {
      kind: "json",
      status: 200,
      schema: z.discriminatedUnion("isTwoFactorRequired", [
        described(signedIn.extend({ isTwoFactorRequired: z.literal(false) }), {
          ...signedInWords,
          isTwoFactorRequired,
        }),
        described(z.strictObject({ isTwoFactorRequired: z.literal(true) }), { isTwoFactorRequired }),
      ]),
    },
    errors: [...bodyErrors, "invalid_credentials", "too_many_attempts", "not_authenticated"],
  }),
  signInTwoFactor: operation({
    ...asPublic,
    method: "POST",
    path: "/sign-in/two-factor",
    summary: {
      pt: "Completa a entrada com um código do autenticador ou de recuperação",
      en: "Completes the sign-in with a code of the authenticator or a recovery code",
    },
    text: {
      pt: "Segue um POST /sign-in que respondeu `isTwoFactorRequired: true`.",
      en: "Follows a POST /sign-in that answered `isTwoFactorRequired: true`.",
    },
    body: {
      kind: "json",
      example: { code: "123456" },
      schema: z.union(
        [
          oneCode,
          described(z.strictObject({ recoveryCode }), {
            recoveryCode: {
              pt: "Um dos códigos de recuperação; cada um vale uma vez.",
              en: "One of the recovery codes; each works once.",
            },
          }),
        ],
        inputReasons.noCode.pt,
      ),
    },
    answer: { kind: "json", status: 200, schema: signedIn },
    errors: [...bodyErrors, "invalid_code", "not_authenticated", "too_many_attempts"],
  }),
  getSession: operation({
    ...asPanel,
    method: "GET",
    path: "/session",
    summary: { pt: "Mostra quem está no painel", en: "Shows who is in the panel" },
    text: { pt: "Quem entrou e em qual conta.", en: "Who signed in, and to which account." },
    effect: "read",
    body: { kind: "none" },
    answer: { kind: "json", status: 200, schema: signedIn },
    errors: [],
  }),
  signOut: operation({
    ...asPanel,
    method: "DELETE",
    path: "/session",
    summary: { pt: "Sai do painel", en: "Signs out of the panel" },
    text: { pt: "Encerra a sessão desta requisição.", en: "Ends the session of this request." },
    body: { kind: "none" },
    answer: done,
    errors: [],
  }),
  confirmSession: operation({
    ...asPanel,
    method: "POST",
    path: "/session/confirm",
    summary: { pt: "Confirma quem está no painel", en: "Confirms who is in the panel" },
    text: {
      pt: "Vale por 15 minutos para esta sessão. As mudanças de quem opera o cluster pedem isto; quem acabou de entrar já confirmou.",
      en: "Lasts for 15 minutes for this session. Changes by people who run the cluster ask for it; a person who has just signed in has confirmed.",
    },
    body: {
      kind: "json",
      example: { password: "minha senha longa" },
      schema: described(z.strictObject({ password: typedPassword, code: oneTimeCode.optional() }), {
        password: { pt: "A senha de agora.", en: "The current password." },
        code: {
          pt: "Um código do autenticador; se vier, precisa estar certo.",
          en: "A code of the authenticator; when it is sent, it must be right.",
        },
      }),
    },
    answer: done,
    errors: [...bodyErrors, "wrong_password", "invalid_code"],
  }),
  listSessions: operation({
    ...asPanel,
    method: "GET",
    path: "/account/sessions",
    summary: { pt: "Lista as sessões abertas", en: "Lists the open sessions" },
    text: { pt: "As sessões que ainda valem.", en: "The sessions that are still valid." },
    effect: "read",
    body: { kind: "none" },
    answer: {
      kind: "json",
      status: 200,
      schema: described(z.strictObject({ sessions: z.array(panelSession) }), {
        sessions: { pt: "As sessões.", en: "The sessions." },
      }),
    },
    errors: [],
  }),
  endSession: operation({
    ...asPanel,
    method: "DELETE",
    path: "/account/sessions/{sessionId}",
    summary: { pt: "Encerra uma sessão", en: "Ends a session" },
    text: {
      pt: "A sessão deixa de valer na próxima requisição.",
      en: "The session stops working with the next request.",
    },
    params: described(z.strictObject({ sessionId: z.string().min(1).max(100) }), {
      sessionId: { pt: "Id da sessão.", en: "The session's id." },
    }),
    body: { kind: "none" },
    answer: done,
    errors: ["not_found"],
  }),
  requestPasswordReset: operation({
    ...asPublic,
    method: "POST",
    path: "/password/forgot",
    summary: {
      pt: "Pede por e-mail um link para trocar a senha; a resposta é a mesma se o e-mail não existe",
      en: "Asks for a link by e-mail to change the password; the response is the same when the e-mail does not exist",
    },
    text: { pt: "Não diz se o e-mail existe.", en: "Does not say whether the e-mail exists." },
    body: {
      kind: "json",
      example: { email: "ana@tijolo.dev" },
      schema: described(z.strictObject({ email }), sharedWords),
    },
    answer: done,
    errors: [...bodyErrors, "too_many_attempts", "not_authenticated"],
  }),
  resetPassword: operation({
    ...asPublic,
    method: "POST",
    path: "/password/reset",
    summary: {
      pt: "Troca a senha com o link recebido; encerra as sessões e revoga as chaves",
      en: "Changes the password with the link received; ends the sessions and revokes the keys",
    },
    text: {
      pt: "Encerra todas as sessões, revoga todas as chaves da conta e remove as chaves de acesso (passkeys).",
      en: "Ends all sessions, revokes all keys of the account and removes the passkeys.",
    },
    body: {
      kind: "json",
      example: { token: "o que veio no link", password: "outra senha longa" },
      schema: described(z.strictObject({ token: z.string().min(1).max(200), password }), {
        token: sharedWords.token,
        password: { pt: "A senha nova.", en: "The new password." },
      }),
    },
    answer: done,
    errors: [...bodyErrors, "invalid_link", "too_many_attempts", "not_authenticated"],
  }),
  changePassword: operation({
    ...asPanel,
    method: "POST",
    path: "/account/password",
    summary: {
      pt: "Troca a senha; encerra as outras sessões",
      en: "Changes the password; ends the other sessions",
    },
    text: { pt: "Esta sessão continua.", en: "This session continues." },
    body: {
      kind: "json",
      example: { currentPassword: "minha senha longa", newPassword: "outra senha longa" },
      schema: described(z.strictObject({ currentPassword: typedPassword, newPassword: password }), {
        currentPassword: { pt: "A senha de agora.", en: "The current password." },
        newPassword: {
          pt: "A senha nova, de 10 caracteres ou mais.",
          en: "The new password, of 10 characters or more.",
        },
      }),
    },
    answer: done,
    errors: [...bodyErrors, "wrong_password"],
  }),
  beginTwoFactor: operation({
    ...asPanel,
    method: "POST",
    path: "/account/two-factor",
    summary: {
      pt: "Prepara a entrada em duas etapas; vale depois de confirmada",
      en: "Prepares two-factor sign-in; takes effect once confirmed",
    },
    text: {
      pt: "Mostra o segredo e os códigos de recuperação; só vale depois de confirmada com um código.",
      en: "Shows the secret and the recovery codes; takes effect only when it is confirmed with a code.",
    },
    body: { kind: "json", example: { password: "minha senha longa" }, schema: confirmation },
    answer: {
      kind: "json",
      status: 200,
      schema: described(z.strictObject({ uri: z.string(), recoveryCodes }), {
        uri: {
          pt: "Endereço otpauth, que o autenticador lê como código QR.",
          en: "The otpauth address, which the authenticator reads as a QR code.",
        },
        recoveryCodes: sharedWords.recoveryCodes,
      }),
    },
    errors: [...bodyErrors, "wrong_password"],
  }),
  confirmTwoFactor: operation({
    ...asPanel,
    method: "POST",
    path: "/account/two-factor/confirm",
    summary: {
      pt: "Liga a entrada em duas etapas com o primeiro código",
      en: "Turns two-factor sign-in on with the first code",
    },
    text: { pt: "A partir daqui, entrar pede um código.", en: "From here on, signing in asks for a code." },
    body: { kind: "json", example: { code: "123456" }, schema: oneCode },
    answer: done,
    errors: [...bodyErrors, "invalid_code"],
  }),
  endTwoFactor: operation({
    ...asPanel,
    method: "POST",
    path: "/account/two-factor/disable",
    summary: { pt: "Desliga a entrada em duas etapas", en: "Turns two-factor sign-in off" },
    text: { pt: "Pede a senha.", en: "Asks for the password." },
    body: { kind: "json", example: { password: "minha senha longa" }, schema: confirmation },
    answer: done,
    errors: [...bodyErrors, "wrong_password"],
  }),
  renewRecoveryCodes: operation({
    ...asPanel,
    method: "POST",
    path: "/account/two-factor/recovery-codes",
    summary: { pt: "Troca os códigos de recuperação", en: "Replaces the recovery codes" },
    text: { pt: "Os códigos antigos deixam de valer.", en: "The old codes stop working." },
    body: { kind: "json", example: { password: "minha senha longa" }, schema: confirmation },
    answer: {
      kind: "json",
      status: 200,
      schema: described(z.strictObject({ recoveryCodes }), sharedWords),
    },
    errors: [...bodyErrors, "wrong_password", "not_found"],
  }),
  notMe: operation({
    ...asPanel,
    method: "POST",
    path: "/account/not-me",
    summary: {
      pt: "Não fui eu: encerra todas as sessões e revoga todas as chaves",
      en: "It was not me: ends all sessions and revokes all keys",
    },
    text: {
      pt: "Para quando alguém entrou sem ser você. As chaves de acesso (passkeys) são removidas e a senha também deixa de valer: a próxima vem por um link de POST /password/forgot.",
      en: "For when somebody else has signed in. The passkeys are removed and the password stops working as well: the next one comes by a link of POST /password/forgot.",
    },
    body: { kind: "none" },
    answer: done,
    errors: [],
  }),
  notMeByLink: operation({
    ...asPublic,
    method: "POST",
    path: "/not-me",
    summary: {
      pt: "Não fui eu, pelo link do aviso de entrada",
      en: "It was not me, by the link in the sign-in notice",
    },
    text: {
      pt: "Para quem não consegue mais entrar: o aviso de entrada traz um link que faz o mesmo que POST /account/not-me.",
      en: "For those who cannot sign in any more: the sign-in notice brings a link that does the same as POST /account/not-me.",
    },
    body: {
      kind: "json",
      example: { token: "o que veio no link" },
      schema: described(z.strictObject({ token: z.string().min(1).max(200) }), sharedWords),
    },
    answer: done,
    errors: [...bodyErrors, "invalid_link", "too_many_attempts", "not_authenticated"],
  }),
};
