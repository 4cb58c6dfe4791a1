/**
 * Handles signing up, in and out, passwords and two-factor over HTTP: the body goes to the rules, secrets go
 * into cookies.
 */

import { AppError, type OperationName } from "@tijolo/protocol";
import { clearCookie, readCookie, setCookie, type PanelSettings } from "../../app/people/auth-cookie.ts";
import { tokenLifeMs } from "../../app/people/auth-token.ts";
import type { Caller } from "../../app/identity/caller.ts";
import type { AppContext } from "../../app/context.ts";
import {
  changePassword,
  notMe,
  notMeByLink,
  requestPasswordReset,
  resetPassword,
} from "../../app/people/password.ts";
import {
  endSession,
  getSession,
  listSessions,
  maxSessionMs,
  userAgentOf,
  type Client,
  type SessionCaller,
} from "../../app/people/session.ts";
import { signIn, signInTwoFactor } from "../../app/people/sign-in.ts";
import { signUp } from "../../app/people/sign-up.ts";
import {
  beginTwoFactor,
  confirmTwoFactor,
  endTwoFactor,
  renewRecoveryCodes,
  type PanelRequest,
} from "../../app/people/two-factor.ts";
import type { Call, Handlers } from "./handlers.ts";

export function sessionHandlers(app: AppContext) {
  return {
    ...signInHandlers(app),
    ...openSessionHandlers(app),
    ...passwordHandlers(app),
    ...twoFactorHandlers(app),
    ...notMeHandlers(app),
  } satisfies Partial<Handlers>;
}

function signInHandlers(app: AppContext) {
  return {
    async signUp(call) {
      const { token, answer } = await signUp(app, call.body, clientOf(call));
      call.setHeader("set-cookie", sessionCookie(app.panel, token));
      return answer;
    },
    async signIn(call) {
      const result = await signIn(app, call.body, clientOf(call));
      if (result.kind === "challenge") {
        call.setHeader(
          "set-cookie",
          setCookie(app.panel, "challenge", { value: result.token, maxAgeMs: tokenLifeMs.challenge }),
        );
        return { isTwoFactorRequired: true };
      }
      call.setHeader("set-cookie", sessionCookie(app.panel, result.token));
      return { isTwoFactorRequired: false, ...result.answer };
    },
    async signInTwoFactor(call) {
      const challenge = readCookie(app.panel, "challenge", call.request.headers);
      const { token, answer } = await signInTwoFactor(app, { challenge, factor: call.body }, clientOf(call));
      call.setHeader("set-cookie", [sessionCookie(app.panel, token), clearCookie(app.panel, "challenge")]);
      return answer;
    },
  } satisfies Partial<Handlers>;
}

function openSessionHandlers(app: AppContext) {
  return {
    getSession: (call) => getSession(app, sessionOf(call.caller)),
    async signOut(call) {
      const caller = sessionOf(call.caller);
      await endSession(app, caller, { sessionId: caller.session.id, address: call.request.address });
      call.setHeader("set-cookie", removedCookies(app.panel));
      return undefined;
    },
    async listSessions(call) {
      return { sessions: await listSessions(app, sessionOf(call.caller)) };
    },
    async endSession(call) {
      const caller = sessionOf(call.caller);
      const { sessionId } = call.params;
      await endSession(app, caller, { sessionId, address: call.request.address });
      if (sessionId === caller.session.id) call.setHeader("set-cookie", removedCookies(app.panel));
      return undefined;
    },
  } satisfies Partial<Handlers>;
}

function passwordHandlers(app: AppContext) {
  return {
    async requestPasswordReset(call) {
      await requestPasswordReset(app, call.body.email, call.request.address);
      return undefined;
    },
    async resetPassword(call) {
      await resetPassword(app, call.body, call.request.address);
      return undefined;
    },
    async changePassword(call) {
      await changePassword(app, panelRequestOf(call), call.body);
      return undefined;
    },
  } satisfies Partial<Handlers>;
}

function twoFactorHandlers(app: AppContext) {
  return {
    beginTwoFactor: (call) => beginTwoFactor(app, panelRequestOf(call), call.body.password),
    async confirmTwoFactor(call) {
      await confirmTwoFactor(app, panelRequestOf(call), call.body.code);
      return undefined;
    },
    async endTwoFactor(call) {
      await endTwoFactor(app, panelRequestOf(call), call.body.password);
      return undefined;
    },
    async renewRecoveryCodes(call) {
      return { recoveryCodes: await renewRecoveryCodes(app, panelRequestOf(call), call.body.password) };
    },
  } satisfies Partial<Handlers>;
}

/** Handles the word of a person that a change of the account was not theirs. */
function notMeHandlers(app: AppContext) {
  return {
    async notMe(call) {
      await notMe(app, panelRequestOf(call));
      call.setHeader("set-cookie", removedCookies(app.panel));
      return undefined;
    },
    async notMeByLink(call) {
      await notMeByLink(app, call.body.token, call.request.address);
      return undefined;
    },
  } satisfies Partial<Handlers>;
}

function sessionCookie(panel: PanelSettings, token: string): string {
  return setCookie(panel, "session", { value: token, maxAgeMs: maxSessionMs });
}

function removedCookies(panel: PanelSettings): string[] {
  return [clearCookie(panel, "session"), clearCookie(panel, "challenge")];
}

type AnyCall = Pick<Call<OperationName>, "caller" | "request">;

function clientOf({ request }: AnyCall): Client {
  return { address: request.address, userAgent: userAgentOf(request.headers) };
}

function panelRequestOf({ caller, request }: AnyCall): PanelRequest {
  return { caller: sessionOf(caller), address: request.address };
}

/**
 * Returns the session of the caller. Throws `not_authenticated` for any other caller, such as an operator.
 */
function sessionOf(caller: Caller | null): SessionCaller {
  if (caller?.kind !== "session") throw new AppError("not_authenticated");
  return caller;
}
