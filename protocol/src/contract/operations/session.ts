/**
 * Signing up, in and out, passwords, two-factor: the panel's side of authentication. Sessions travel as an
 * HttpOnly cookie.
 */

import { z } from "zod";
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

const tag = "Conta";
const bodyErrors = ["unsupported_media_type", "payload_too_large"] as const satisfies readonly ErrorCode[];
const done = { kind: "empty", status: 204 } as const satisfies Answer;
const recoveryCodes = z.array(z.string());
const confirmation = z.strictObject({ password: typedPassword });

const common = { tag, params: none, query: none } as const satisfies Partial<Operation>;
const asPublic = { ...common, access: { kind: "public" }, effect: "change" } as const;
const asPanel = { ...common, access: { kind: "panel" }, effect: "change" } as const;

export const sessionOperations = {
  signUp: operation({
    ...asPublic,
    method: "POST",
    path: "/sign-up",
    summary: "Cria uma conta e entra nela",
    body: {
      kind: "json",
      schema: z.strictObject({
        name: personName,
        email,
        password,
        /** Needed where the operator lets people in by invitation only. */
        invitation: z.string().max(200).optional(),
      }),
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
  signIn: operation({
    ...asPublic,
    method: "POST",
    path: "/sign-in",
    summary: "Entra com e-mail e senha",
    body: { kind: "json", schema: z.strictObject({ email, password: typedPassword }) },
    answer: {
      kind: "json",
      status: 200,
      schema: z.discriminatedUnion("isTwoFactorRequired", [
        signedIn.extend({ isTwoFactorRequired: z.literal(false) }),
        z.strictObject({ isTwoFactorRequired: z.literal(true) }),
      ]),
    },
    errors: [...bodyErrors, "invalid_credentials", "too_many_attempts", "not_authenticated"],
  }),
  signInTwoFactor: operation({
    ...asPublic,
    method: "POST",
    path: "/sign-in/two-factor",
    summary: "Completa a entrada com um código do autenticador ou de recuperação",
    body: {
      kind: "json",
      schema: z.union(
        [z.strictObject({ code: oneTimeCode }), z.strictObject({ recoveryCode })],
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
    summary: "Mostra quem está no painel",
    effect: "read",
    body: { kind: "none" },
    answer: { kind: "json", status: 200, schema: signedIn },
    errors: [],
  }),
  signOut: operation({
    ...asPanel,
    method: "DELETE",
    path: "/session",
    summary: "Sai do painel",
    body: { kind: "none" },
    answer: done,
    errors: [],
  }),
  listSessions: operation({
    ...asPanel,
    method: "GET",
    path: "/account/sessions",
    summary: "Lista as sessões abertas",
    effect: "read",
    body: { kind: "none" },
    answer: { kind: "json", status: 200, schema: z.strictObject({ sessions: z.array(panelSession) }) },
    errors: [],
  }),
  endSession: operation({
    ...asPanel,
    method: "DELETE",
    path: "/account/sessions/{sessionId}",
    summary: "Encerra uma sessão",
    params: z.strictObject({ sessionId: z.string().min(1).max(100) }),
    body: { kind: "none" },
    answer: done,
    errors: ["not_found"],
  }),
  requestPasswordReset: operation({
    ...asPublic,
    method: "POST",
    path: "/password/forgot",
    summary: "Pede por e-mail um link para trocar a senha; a resposta é a mesma se o e-mail não existe",
    body: { kind: "json", schema: z.strictObject({ email }) },
    answer: done,
    errors: [...bodyErrors, "too_many_attempts", "not_authenticated"],
  }),
  resetPassword: operation({
    ...asPublic,
    method: "POST",
    path: "/password/reset",
    summary: "Troca a senha com o link recebido; encerra as sessões e revoga as chaves",
    body: { kind: "json", schema: z.strictObject({ token: z.string().min(1).max(200), password }) },
    answer: done,
    errors: [...bodyErrors, "invalid_link", "too_many_attempts", "not_authenticated"],
  }),
  changePassword: operation({
    ...asPanel,
    method: "POST",
    path: "/account/password",
    summary: "Troca a senha; encerra as outras sessões",
    body: { kind: "json", schema: z.strictObject({ currentPassword: typedPassword, newPassword: password }) },
    answer: done,
    errors: [...bodyErrors, "wrong_password"],
  }),
  beginTwoFactor: operation({
    ...asPanel,
    method: "POST",
    path: "/account/two-factor",
    summary: "Prepara a entrada em duas etapas; vale depois de confirmada",
    body: { kind: "json", schema: confirmation },
    answer: {
      kind: "json",
      status: 200,
      /** `uri` is the otpauth address that an authenticator reads as a QR code. */
      schema: z.strictObject({ uri: z.string(), recoveryCodes }),
    },
    errors: [...bodyErrors, "wrong_password"],
  }),
  confirmTwoFactor: operation({
    ...asPanel,
    method: "POST",
    path: "/account/two-factor/confirm",
    summary: "Liga a entrada em duas etapas com o primeiro código",
    body: { kind: "json", schema: z.strictObject({ code: oneTimeCode }) },
    answer: done,
    errors: [...bodyErrors, "invalid_code"],
  }),
  endTwoFactor: operation({
    ...asPanel,
    method: "POST",
    path: "/account/two-factor/disable",
    summary: "Desliga a entrada em duas etapas",
    body: { kind: "json", schema: confirmation },
    answer: done,
    errors: [...bodyErrors, "wrong_password"],
  }),
  renewRecoveryCodes: operation({
    ...asPanel,
    method: "POST",
    path: "/account/two-factor/recovery-codes",
    summary: "Troca os códigos de recuperação",
    body: { kind: "json", schema: confirmation },
    answer: { kind: "json", status: 200, schema: z.strictObject({ recoveryCodes }) },
    errors: [...bodyErrors, "wrong_password", "not_found"],
  }),
  notMe: operation({
    ...asPanel,
    method: "POST",
    path: "/account/not-me",
    summary: "Não fui eu: encerra todas as sessões e revoga todas as chaves",
    body: { kind: "none" },
    answer: done,
    errors: [],
  }),
  notMeByLink: operation({
    ...asPublic,
    method: "POST",
    path: "/not-me",
    summary: "Não fui eu, pelo link do aviso de entrada",
    body: { kind: "json", schema: z.strictObject({ token: z.string().min(1).max(200) }) },
    answer: done,
    errors: [...bodyErrors, "invalid_link", "too_many_attempts", "not_authenticated"],
  }),
};
