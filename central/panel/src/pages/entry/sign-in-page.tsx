/** The sign-in; it leads back to where a stranger was on the way to. */

import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { beginSession } from "../../api/session.ts";
import { useRead } from "../../api/use-read.ts";
import { SignInForm } from "../../parts/entry/sign-in-form.tsx";
import { entryTexts } from "../../texts/entry.ts";
import { useTexts } from "../../texts/in-both.ts";

export function Page() {
  const texts = useTexts(entryTexts);
  const { next } = useSearch({ from: "/entry/sign-in" });
  const navigate = useNavigate();
  const service = useRead("getService");
  return (
    <SignInForm
      title={texts.signIn}
      onSignedIn={(session) => {
        beginSession(session);
        void navigate({ href: ownAddress(next) });
      }}
      after={
        <>
          <Link to="/password/forgot">{texts.forgot}</Link>
          {service.data?.signUp === "open" && <Link to="/sign-up">{texts.signUp}</Link>}
        </>
      }
    />
  );
}

/** Where to go after the sign-in: an address of this panel, and of nowhere else. */
function ownAddress(next: string | undefined): string {
  if (next === undefined || !next.startsWith("/") || next.startsWith("/sign-in")) return "/";
  const address = new URL(next, location.origin);
  return address.origin === location.origin ? address.pathname + address.search : "/";
}
