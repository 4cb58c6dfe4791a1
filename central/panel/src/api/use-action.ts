/** Sends a change to the API from a component: what runs, what was refused, and the confirmation it may need. */

import type { CallInput, OperationAnswer } from "@tijolo/protocol/client";
import { useCallback, useRef, useState } from "react";
import { callConfirmed } from "./call-confirmed.ts";
import { refresh, type PlainName } from "./use-read.ts";

export interface Action<Name extends PlainName> {
  /**
   * Sends it. Resolves with true once it was carried out, after `onDone`; with false when it was refused
   * (`error` says why), or when one is on its way already.
   */
  run(input?: CallInput<Name>, onDone?: (answer: OperationAnswer<Name>) => void): Promise<boolean>;
  isRunning: boolean;
  error: Error | null;
  /** Forgets the error, for example when the person changes what was refused. */
  clear(): void;
}

/** `refreshes`: operations whose answers the change makes old. */
export function useAction<Name extends PlainName>(
  name: Name,
  { refreshes = [] }: { refreshes?: PlainName[] } = {},
): Action<Name> {
  const [isRunning, setRunning] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const running = useRef(false);
  const refreshed = useRef(refreshes);
  refreshed.current = refreshes;
  const run = useCallback<Action<Name>["run"]>(
    async (input, onDone) => {
      if (running.current) return false;
      running.current = true;
      setRunning(true);
      setError(null);
      try {
        const answer = await callConfirmed(name, input);
        onDone?.(answer);
        void refresh(...refreshed.current);
        return true;
      } catch (cause) {
        setError(cause instanceof Error ? cause : new Error(String(cause)));
        return false;
      } finally {
        running.current = false;
        setRunning(false);
      }
    },
    [name],
  );
  const clear = useCallback(() => setError(null), []);
  return { run, isRunning, error, clear };
}
