/** Handles passkeys over HTTP: adding and managing them, and signing in by one. */

import type { AppContext } from "../../app/context.ts";
import {
  addPasskey,
  beginPasskey,
  listPasskeys,
  removePasskey,
  renamePasskey,
  type PasskeyRequest,
} from "../../app/people/passkeys/passkey.ts";
import {
  beginPasskeyConfirmation,
  confirmSessionByPasskey,
} from "../../app/people/passkeys/passkey-confirmation.ts";
import { beginPasskeySignIn, signInPasskey } from "../../app/people/passkeys/passkey-sign-in.ts";
import type { Handlers } from "./handlers.ts";
import { clientOf, panelRequestOf, removedChallenge, sessionCookie, type AnyCall } from "./session-call.ts";

export function passkeyHandlers(app: AppContext) {
  return {
    async beginPasskeySignIn(call) {
      return { options: await beginPasskeySignIn(app, hostOf(call)) };
    },
    async signInPasskey(call) {
      const input = { credential: call.body.credential, host: hostOf(call) };
      const { token, answer } = await signInPasskey(app, input, clientOf(call));
      call.setHeader("set-cookie", [sessionCookie(app.panel, token), removedChallenge(app.panel)]);
      return answer;
    },
    async beginPasskeyConfirmation(call) {
      return { options: await beginPasskeyConfirmation(app, panelRequestOf(call).caller, hostOf(call)) };
    },
    async confirmSessionByPasskey(call) {
      const { caller, host } = passkeyRequestOf(call);
      await confirmSessionByPasskey(app, { caller, host }, call.body.credential);
      return undefined;
    },
    async listPasskeys(call) {
      return { passkeys: await listPasskeys(app, panelRequestOf(call).caller) };
    },
    async beginPasskey(call) {
      return { options: await beginPasskey(app, passkeyRequestOf(call), call.body.password) };
    },
    async addPasskey(call) {
      return { passkey: await addPasskey(app, passkeyRequestOf(call), call.body) };
    },
    async renamePasskey(call) {
      const input = { ...call.params, ...call.body };
      return { passkey: await renamePasskey(app, panelRequestOf(call), input) };
    },
    async removePasskey(call) {
      await removePasskey(app, panelRequestOf(call), { ...call.params, ...call.body });
      return undefined;
    },
  } satisfies Partial<Handlers>;
}

function passkeyRequestOf(call: AnyCall): PasskeyRequest {
  return { ...panelRequestOf(call), host: hostOf(call) };
}

function hostOf({ request }: AnyCall): string | undefined {
  return request.headers.host;
}
