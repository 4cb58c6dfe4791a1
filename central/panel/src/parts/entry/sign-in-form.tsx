/** Signs a person in: by a passkey, or by email, password and, where it is on, a second step. */

import { useState, type ReactNode } from "react";
import type { Session } from "../../api/session.ts";
import { useAction } from "../../api/use-action.ts";
import { useRead } from "../../api/use-read.ts";
import { EmailField } from "./email-field.tsx";
import { EntryForm, fieldError } from "./entry-form.tsx";
import { PasswordField } from "./password-field.tsx";
import { usePasskeySignIn } from "./passkey-sign-in.ts";
import { SecondStep } from "./second-step.tsx";
import { entryTexts } from "../../texts/entry.ts";
import { useTexts } from "../../texts/in-both.ts";
import { FingerprintIcon } from "../../design/icons/icons.tsx";
import { Button } from "../../ui/actions/button.tsx";
import { Banner } from "../../ui/layout/banner.tsx";

interface SignInFormProps {
  title: string;
  intro?: ReactNode;
  onSignedIn: (session: Session) => void;
  /** What stands below the form. */
  after: ReactNode;
}

export function SignInForm({ title, intro, onSignedIn, after }: SignInFormProps) {
  const texts = useTexts(entryTexts);
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [isSecondStep, setSecondStep] = useState(false);
  const signIn = useAction("signIn");
  const service = useRead("getService");
  const passkey = usePasskeySignIn(service.data, onSignedIn);
  if (isSecondStep) return <SecondStep onSignedIn={onSignedIn} onBack={() => setSecondStep(false)} />;
  const send = () =>
    signIn.run({ body: { email, password } }, (answer) => {
      if (answer.isTwoFactorRequired) setSecondStep(true);
      else onSignedIn(answer);
    });
  return (
    <EntryForm
      title={title}
      intro={intro}
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
      after={after}
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
