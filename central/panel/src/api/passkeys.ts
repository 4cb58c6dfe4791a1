/** Asks the browser for passkeys, by WebAuthn's methods in JSON. */

import type { CallInput } from "@tijolo/protocol/client";
import { call, useRead } from "./use-read.ts";

type Credential = NonNullable<CallInput<"signInPasskey">["body"]>["credential"];

/** False where the browser, or the page's address, knows no passkeys. */
export function knowsPasskeys(): boolean {
  return typeof globalThis.PublicKeyCredential === "function";
}

/** True for somebody who has a passkey, in a browser that can use it here. */
export function useHasPasskey(): boolean {
  const service = useRead("getService").data;
  const isPossible = knowsPasskeys() && service?.featuresOff.includes("beginPasskeySignIn") === false;
  const { data } = useRead("listPasskeys", undefined, { isEnabled: isPossible });
  return isPossible && (data?.passkeys.length ?? 0) > 0;
}

/** Has the person choose one of their passkeys. Throws when none was chosen. */
export async function askPasskey(
  options: object,
  how: { mediation?: "conditional" | "optional"; signal?: AbortSignal } = {},
): Promise<Credential> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options as never);
  const credential = await navigator.credentials.get({ publicKey, ...how });
  if (!(credential instanceof PublicKeyCredential)) throw new Error("no passkey was chosen");
  return credential.toJSON() as Credential;
}

/** Confirms the session by a passkey. Throws when none was chosen, and what the server refuses. */
export async function confirmByPasskey(): Promise<void> {
  const { options } = await call("beginPasskeyConfirmation", undefined);
  await call("confirmSessionByPasskey", { body: { credential: await askPasskey(options) } });
}
