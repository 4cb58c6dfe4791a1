/** Holds a project's log for a component, and follows it while the component is in sight. */

import { useCallback, useEffect, useRef, useState } from "react";
import { api } from "../../api/client.ts";
import { Arrivals } from "./arrivals.ts";
import { followLog, type LogFilter, type LogPlace, type LogState } from "./follow-log.ts";
import { emptyBuffer, entriesOf, isFull, withNewer, withOlder, type LogBuffer } from "./log-buffer.ts";

const olderLines = 500;
/** Milliseconds out of sight after which the stream is closed; it goes on from its place when it is seen again. */
const hiddenMs = 60_000;

export interface FollowedLog {
  buffer: LogBuffer;
  state: LogState;
  error: Error | null;
  /** False while more arrives than can be read out. */
  isCalm: boolean;
  /** `more`: the server has older lines. `full`: it has, and they have no room here. */
  older: "none" | "more" | "full";
  isLoadingOlder: boolean;
  loadOlder: () => void;
  retry: () => void;
}

/** `moment`: where the log is opened, in place of its end. */
export function useLog(id: string, filter: LogFilter, moment: string | null = null): FollowedLog {
  const [buffer, setBuffer] = useState(emptyBuffer);
  const [state, setState] = useState<LogState>("loading");
  const [error, setError] = useState<Error | null>(null);
  const [isCalm, setCalm] = useState(false);
  const [isLoadingOlder, setLoadingOlder] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const key = JSON.stringify([id, filter, moment, attempt]);
  const place = useRef<LogPlace & { key: string }>({ key: "", cursor: undefined });
  const isSeen = useIsSeen();

  useEffect(() => {
    if (place.current.key !== key) {
      place.current = { key, cursor: undefined };
      setBuffer(emptyBuffer);
      setState("loading");
      setError(null);
      setLoadingOlder(false);
    }
    if (!isSeen) return setState("paused");
    const end = new AbortController();
    const arrivals = new Arrivals({
      onAdded: (added) => setBuffer((known) => withNewer(known, added)),
      onCalm: setCalm,
    });
    const listener = {
      onBegin: (entries: Parameters<typeof withNewer>[1], older: string | null) =>
        setBuffer(withNewer({ ...emptyBuffer, older }, entries)),
      onNewer: (entries: Parameters<typeof withNewer>[1]) => arrivals.add(entries),
      onState: setState,
      onError: setError,
    };
    followLog({ id, filter, moment }, place.current, listener, end.signal).catch((cause: unknown) => {
      if (!end.signal.aborted) setError(asError(cause));
    });
    return () => {
      end.abort();
      arrivals.end();
    };
    // `key` stands for the filter, which is another object each time.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [key, isSeen]);

  const { older } = buffer;
  const hasRoom = !isFull(buffer, olderLines);
  const loadOlder = useCallback(() => {
    if (older === null || isLoadingOlder || !hasRoom) return;
    setLoadingOlder(true);
    const asked = place.current;
    api.streamLogs
      .page({ id, query: { ...filter, lines: olderLines, before: older } })
      .then(
        (page) =>
          asked === place.current &&
          setBuffer((known) =>
            known.older === older ? withOlder(known, entriesOf(page), page.previousCursor) : known,
          ),
        (cause: unknown) => asked === place.current && setError(asError(cause)),
      )
      .finally(() => asked === place.current && setLoadingOlder(false));
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [key, older, isLoadingOlder, hasRoom]);
  const retry = useCallback(() => setAttempt((count) => count + 1), []);
  return {
    buffer,
    state,
    error,
    isCalm,
    older: older === null ? "none" : hasRoom ? "more" : "full",
    isLoadingOlder,
    loadOlder,
    retry,
  };
}

function asError(cause: unknown): Error {
  return cause instanceof Error ? cause : new Error(String(cause));
}

/** False once the tab has been out of sight for a while. */
function useIsSeen(): boolean {
  const [isSeen, setSeen] = useState(true);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      clearTimeout(timer);
      if (document.visibilityState === "visible") setSeen(true);
      else timer = setTimeout(() => setSeen(false), hiddenMs);
    };
    document.addEventListener("visibilitychange", look);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, []);
  return isSeen;
}
