/** Ends the session of this browser, and forgets what it told. */

import { useNavigate } from "@tanstack/react-router";
import { forgetSession } from "../api/session.ts";
import { useAction } from "../api/use-action.ts";
import { forgetList } from "../live/kept-list.ts";
import { setSigningOut } from "../live/live-store.ts";

export function useSignOut(): () => void {
  const navigate = useNavigate();
  const signOut = useAction("signOut");
  const leave = async () => {
    setSigningOut(true);
    if (await signOut.run()) {
      // Before the page changes: Back, pressed at once, must find nobody signed in.
      forgetSession();
      forgetList();
      await navigate({ to: "/sign-in" });
    }
    setSigningOut(false);
  };
  return () => void leave();
}
