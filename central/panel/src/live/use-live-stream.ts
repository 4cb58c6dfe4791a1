/** Runs the live stream while somebody is signed in, and brings what it tells to what was read before. */

import { useNavigate } from "@tanstack/react-router";
import { useCallback, useEffect, useRef, useState } from "react";
import { forgetSession, goOnWith, useSession, type Session } from "../api/session.ts";
import { refresh } from "../api/use-read.ts";
import { usePreferences } from "../preferences/preferences.ts";
import { forgetList } from "./kept-list.ts";
import { startLive, type LiveStream } from "./live-stream.ts";
import { isSigningOut, useLive } from "./live-store.ts";
import { hasUnsaved } from "../api/unsaved.ts";

export interface SignInAgain {
  /** True while the session is over, and the page holds what was typed and not saved. */
  isNeeded: boolean;
  /** Called with the new session; another person's begins with nothing of this page. */
  onSignedIn: (session: Session) => void;
  /** Leaves the page for the sign-in. */
  onLeave: () => void;
}

/** Mounted once, by the frame. A new language opens the stream anew: the sentences in it are the server's. */
export function useLiveStream(): SignInAgain {
  const accountId = useSession()?.account.id;
  const { language } = usePreferences();
  const navigate = useNavigate();
  const stream = useRef<LiveStream>(null);
  const [isHeld, setHeld] = useState(false);
  const hasEnded = useLive(({ connection }) => connection === "ended");
  const notice = useLive((state) => state.notice);
  const unread = useLive((state) => state.unread);
  const account = useLive((state) => state.account);
  useEffect(() => {
    if (accountId === undefined) return undefined;
    const started = startLive(accountId, language);
    stream.current = started;
    return () => started.end();
  }, [accountId, language]);
  const leave = useCallback(() => {
    const next = location.pathname + location.search;
    void navigate({ to: "/sign-in", search: { next } }).then(() => {
      forgetSession();
      forgetList();
    });
  }, [navigate]);
  useEffect(() => {
    // Another tab may have signed in meanwhile, and tells it.
    if (!hasEnded) setHeld(false);
    // A sign-out of this tab leads to the sign-in by itself, without a way back.
    else if (hasUnsaved() && !isSigningOut()) setHeld(true);
    else if (!isSigningOut()) leave();
  }, [hasEnded, leave]);
  useEffect(() => {
    if (unread !== null) void refresh("listNotices");
  }, [notice, unread]);
  useEffect(() => {
    if (account !== null) void refresh("getAccount");
  }, [account]);
  return {
    isNeeded: isHeld,
    onSignedIn: (session) => {
      if (goOnWith(session)) stream.current?.goOn();
      else location.assign("/");
    },
    onLeave: leave,
  };
}
