/** Signs in by a passkey: offered in the email field by the browser (WebAuthn's conditional mediation), or asked for. */

import type { OperationAnswer } from "@tijolo/protocol/client";
import { useCallback, useEffect, useRef, useState } from "react";
import type { Session } from "../../api/session.ts";
import { askPasskey, knowsPasskeys } from "../../api/passkeys.ts";
import { call } from "../../api/use-read.ts";

export interface PasskeySignIn {
  /** False where the browser, the page's address or the server knows no passkeys. */
  isPossible: boolean;
  isRunning: boolean;
  hasFailed: boolean;
  ask: () => void;
}

type Mediation = "conditional" | "optional";

export function usePasskeySignIn(
  service: OperationAnswer<"getService"> | undefined,
  onSignedIn: (session: Session) => void,
): PasskeySignIn {
  const isPossible = knowsPasskeys() && service?.featuresOff.includes("beginPasskeySignIn") === false;
  const [state, setState] = useState<"idle" | "running" | "failed">("idle");
  const waiting = useRef<AbortController>(null);
  const done = useRef(onSignedIn);
  done.current = onSignedIn;
  const begin = useCallback(async (mediation: Mediation) => {
    waiting.current?.abort();
    const abort = new AbortController();
    waiting.current = abort;
    const session = await signInByPasskey(mediation, abort.signal);
    if (!abort.signal.aborted) done.current(session);
  }, []);
  useEffect(() => {
    if (!isPossible) return;
    void whenOffered(() => begin("conditional"));
    return () => waiting.current?.abort();
  }, [isPossible, begin]);
  const ask = () => {
    setState("running");
    begin("optional").then(
      () => setState("idle"),
      () => setState("failed"),
    );
  };
  return { isPossible, isRunning: state === "running", hasFailed: state === "failed", ask };
}

/** Waits in the background until the person picks a passkey in the field; that nobody does is no failure. */
async function whenOffered(begin: () => Promise<void>): Promise<void> {
  const isOffered = (await PublicKeyCredential.isConditionalMediationAvailable?.()) ?? false;
  if (isOffered) await begin().catch(() => {});
}

async function signInByPasskey(mediation: Mediation, signal: AbortSignal): Promise<Session> {
  const { options } = await call("beginPasskeySignIn", undefined, { signal });
  const credential = await askPasskey(options, { mediation, signal });
  return await call("signInPasskey", { body: { credential } }, { signal });
}
