/** Confirms the session by a passkey, from a button. */

import { useState } from "react";
import { confirmByPasskey, useHasPasskey } from "../../api/passkeys.ts";
import { refreshSession } from "../../api/session.ts";

export interface PasskeyConfirmation {
  /** False for somebody who has no passkey that this browser could use. */
  isPossible: boolean;
  isRunning: boolean;
  hasFailed: boolean;
  ask: () => void;
}

export function usePasskeyConfirmation(onConfirmed: () => void): PasskeyConfirmation {
  const isPossible = useHasPasskey();
  const [state, setState] = useState<"idle" | "running" | "failed">("idle");
  const ask = () => {
    setState("running");
    confirmByPasskey().then(
      async () => {
        await refreshSession();
        setState("idle");
        onConfirmed();
      },
      () => setState("failed"),
    );
  };
  return { isPossible, isRunning: state === "running", hasFailed: state === "failed", ask };
}
