/**
 * Handles signing up, in and out, passwords and two-factor over HTTP: the body goes to the rules, secrets go
 * into cookies.
 */

import { clearCookie, readCookie, setCookie } from "../../app/people/auth-cookie.ts";
import { confirmSession } from "../../app/people/confirmation.ts";
import { tokenLifeMs } from "../../app/people/auth-token.ts";
import type { AppContext } from "../../app/context.ts";
import { createFirstPerson } from "../../app/people/first-person.ts";
import {
  changePassword,
  notMe,
  notMeByLink,
  requestPasswordReset,
  resetPassword,
} from "../../app/people/password.ts";
import { endSession, getSession, listSessions } from "../../app/people/session.ts";
import { signIn, signInTwoFactor } from "../../app/people/sign-in.ts";
import { confirmSignUp, signUp } from "../../app/people/sign-up.ts";
import {
  beginTwoFactor,
  confirmTwoFactor,
  endTwoFactor,
  renewRecoveryCodes,
} from "../../app/people/two-factor.ts";
import type { Handlers } from "./handlers.ts";
import { clientOf, panelRequestOf, removedCookies, sessionCookie, sessionOf } from "./session-call.ts";

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
      const result = await signUp(app, call.body, clientOf(call));
      if (result.kind === "confirmation") return { isConfirmationRequired: true };
      call.setHeader("set-cookie", sessionCookie(app.panel, result.token));
      return { isConfirmationRequired: false, ...result.answer };
    },
    async confirmSignUp(call) {
      const { token, answer } = await confirmSignUp(app, call.body.token, clientOf(call));
      call.setHeader("set-cookie", sessionCookie(app.panel, token));
      return answer;
    },
    async createFirstPerson(call) {
      const { token, answer } = await createFirstPerson(app, call.body, clientOf(call));
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
    async confirmSession(call) {
      await confirmSession(app, sessionOf(call.caller), call.body);
      return undefined;
    },
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
