/** Reads from a call of the panel who it is, and writes the cookies of its sessions. */

import { AppError, type OperationName } from "@tijolo/protocol";
import type { Caller } from "../../app/identity/caller.ts";
import { clearCookie, setCookie, type PanelSettings } from "../../app/people/auth-cookie.ts";
import { maxSessionMs, userAgentOf, type Client, type SessionCaller } from "../../app/people/session.ts";
import type { PanelRequest } from "../../app/people/two-factor.ts";
import type { Call } from "./handlers.ts";

export function sessionCookie(panel: PanelSettings, token: string): string {
  return setCookie(panel, "session", { value: token, maxAgeMs: maxSessionMs });
}

export function removedCookies(panel: PanelSettings): string[] {
  return [clearCookie(panel, "session"), removedChallenge(panel)];
}

export function removedChallenge(panel: PanelSettings): string {
  return clearCookie(panel, "challenge");
}

export type AnyCall = Pick<Call<OperationName>, "caller" | "request">;

export function clientOf({ request }: AnyCall): Client {
  return { address: request.address, userAgent: userAgentOf(request.headers) };
}

export function panelRequestOf({ caller, request }: AnyCall): PanelRequest {
  return { caller: sessionOf(caller), address: request.address };
}

/**
 * Returns the session of the caller. Throws `not_authenticated` for any other caller, such as an operator.
 */
export function sessionOf(caller: Caller | null): SessionCaller {
  if (caller?.kind !== "session") throw new AppError("not_authenticated");
  return caller;
}
