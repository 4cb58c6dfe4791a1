/** Says what failed and what to do: the server's own words, the code with its page of help, and a retry. */

import { ApiError, ConnectionError } from "@tijolo/protocol/client";
import { Link } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { readingTexts } from "../texts/reading.ts";
import { useTexts } from "../texts/in-both.ts";
import { Banner } from "../ui/layout/banner.tsx";
import { Button } from "../ui/actions/button.tsx";

interface FailureProps {
  error: Error;
  /** Offered where a second try may help. */
  onRetry?: () => void;
  /** What failed, in a word or two; default: "Isto não carregou". */
  title?: string;
}

export function Failure({ error, onRetry, title }: FailureProps) {
  const texts = useTexts(readingTexts);
  const isOffline = isWithoutAnswer(error);
  const seconds = useCountdown(error instanceof ApiError ? error.retryAfterSeconds : null);
  const mayRetry = isOffline || (error instanceof ApiError && error.mayRetry);
  const retry =
    onRetry === undefined || !mayRetry ? undefined : (
      <Button onClick={onRetry} {...(seconds > 0 ? { why: texts.retryIn(seconds) } : {})}>
        {texts.retry}
      </Button>
    );
  return (
    <Banner
      role="alert"
      tone={isOffline ? "warn" : "bad"}
      title={isOffline ? texts.offline : (title ?? texts.failed)}
      actions={retry}
    >
      <p>{isOffline ? texts.offlineText : error.message}</p>
      {/* Only for the eyes: an alert would be read out anew with each second. */}
      {seconds > 0 && <p aria-hidden="true">{texts.retryIn(seconds)}</p>}
      {error instanceof ApiError && <ErrorCode error={error} />}
    </Banner>
  );
}

function ErrorCode({ error }: { error: ApiError }) {
  const texts = useTexts(readingTexts);
  const requestId = error.extra["requestId"];
  return (
    <p>
      <small>
        {texts.code(error.code, typeof requestId === "string" ? requestId : null)}{" "}
        <Link to="/help/$topic" params={{ topic: error.code }}>
          {texts.whatIsThis}
        </Link>
      </small>
    </p>
  );
}

/** True when no answer came at all: no network, no server, or the deadline of the request. */
export function isWithoutAnswer(error: Error): boolean {
  return error instanceof ConnectionError || error.name === "TimeoutError";
}

/** Seconds that are left of `seconds`, counted down on the screen. */
export function useCountdown(seconds: number | null): number {
  const [until, setUntil] = useState(0);
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (seconds === null || seconds <= 0) return setUntil(0);
    const end = Date.now() + seconds * 1000;
    setUntil(end);
    setNow(Date.now());
    const timer = setInterval(() => {
      setNow(Date.now());
      if (Date.now() >= end) clearInterval(timer);
    }, 250);
    return () => clearInterval(timer);
  }, [seconds]);
  return Math.max(0, Math.ceil((until - now) / 1000));
}
