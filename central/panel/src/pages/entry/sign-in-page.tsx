/** Signs a person in: by a passkey, or by email, password and, where it is on, a second step. */

import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { beginSession, type Session } from "../../api/session.ts";
import { useAction } from "../../api/use-action.ts";
import { useRead } from "../../api/use-read.ts";
import { EmailField } from "../../parts/entry/email-field.tsx";
import { EntryForm, fieldError } from "../../parts/entry/entry-form.tsx";
import { PasswordField } from "../../parts/entry/password-field.tsx";
import { usePasskeySignIn } from "../../parts/entry/passkey-sign-in.ts";
import { SecondStep } from "../../parts/entry/second-step.tsx";
import { entryTexts } from "../../texts/entry.ts";
import { useTexts } from "../../texts/in-both.ts";
import { FingerprintIcon } from "../../design/icons/icons.tsx";
import { Button } from "../../ui/actions/button.tsx";
import { Banner } from "../../ui/layout/banner.tsx";

export function Page() {
  const texts = useTexts(entryTexts);
  const { next } = useSearch({ from: "/entry/sign-in" });
  const navigate = useNavigate();
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [isSecondStep, setSecondStep] = useState(false);
  const signIn = useAction("signIn");
  const service = useRead("getService");
  const enter = (session: Session) => {
    beginSession(session);
    void navigate({ href: ownAddress(next) });
  };
  const passkey = usePasskeySignIn(service.data, enter);
  if (isSecondStep) return <SecondStep onSignedIn={enter} onBack={() => setSecondStep(false)} />;
  const send = () =>
    signIn.run({ body: { email, password } }, (answer) => {
      if (answer.isTwoFactorRequired) setSecondStep(true);
      else enter(answer);
    });
  return (
    <EntryForm
      title={texts.signIn}
      button={texts.signIn}
      isRunning={signIn.isRunning}
      error={signIn.error}
      fields={["email", "password"]}
      onSubmit={() => void send()}
      alternative={
        <>
          {passkey.isPossible && (
            <Button icon={<FingerprintIcon />} isBusy={passkey.isRunning} onClick={passkey.ask}>
              {texts.withPasskey}
            </Button>
          )}
          {passkey.hasFailed && <Banner tone="warn" role="status" title={texts.passkeyFailed} />}
        </>
      }
      after={
        <>
          <Link to="/password/forgot">{texts.forgot}</Link>
          {service.data?.signUp === "open" && <Link to="/sign-up">{texts.signUp}</Link>}
        </>
      }
    >
      <EmailField
        value={email}
        onValue={setEmail}
        hasPasskeys={passkey.isPossible}
        {...fieldError(signIn.error, "email")}
      />
      <PasswordField value={password} onValue={setPassword} {...fieldError(signIn.error, "password")} />
    </EntryForm>
  );
}

/** Where to go after the sign-in: an address of this panel, and of nowhere else. */
function ownAddress(next: string | undefined): string {
  if (next === undefined || !next.startsWith("/") || next.startsWith("/sign-in")) return "/";
  const address = new URL(next, location.origin);
  return address.origin === location.origin ? address.pathname + address.search : "/";
}
