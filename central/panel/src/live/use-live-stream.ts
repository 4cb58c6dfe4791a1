/** Runs the live stream while somebody is signed in, and brings what it tells to what was read before. */

import { useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { forgetSession, useSession } from "../api/session.ts";
import { refresh } from "../api/use-read.ts";
import { usePreferences } from "../preferences/preferences.ts";
import { forgetList } from "./kept-list.ts";
import { startLive } from "./live-stream.ts";
import { isSigningOut, useLive } from "./live-store.ts";

/** Mounted once, by the frame. A new language opens the stream anew: the sentences in it are the server's. */
export function useLiveStream(): void {
  const accountId = useSession()?.account.id;
  const { language } = usePreferences();
  const navigate = useNavigate();
  const hasEnded = useLive(({ connection }) => connection === "ended");
  const notice = useLive((state) => state.notice);
  const unread = useLive((state) => state.unread);
  const account = useLive((state) => state.account);
  useEffect(
    () => (accountId === undefined ? undefined : startLive(accountId, language)),
    [accountId, language],
  );
  useEffect(() => {
    // A sign-out of this tab leads to the sign-in by itself, without a way back.
    if (!hasEnded || isSigningOut()) return;
    const next = location.pathname + location.search;
    void navigate({ to: "/sign-in", search: { next } }).then(() => {
      forgetSession();
      forgetList();
    });
  }, [hasEnded, navigate]);
  useEffect(() => {
    if (unread !== null) void refresh("listNotices");
  }, [notice, unread]);
  useEffect(() => {
    if (account !== null) void refresh("getAccount");
  }, [account]);
}
