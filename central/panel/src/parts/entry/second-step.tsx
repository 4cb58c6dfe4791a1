/** The second step of a sign-in: a code of the authenticator, or one of the recovery codes. */

import { useState } from "react";
import type { Session } from "../../api/session.ts";
import { useAction } from "../../api/use-action.ts";
import { entryTexts } from "../../texts/entry.ts";
import { useTexts } from "../../texts/in-both.ts";
import { Button } from "../../ui/actions/button.tsx";
import { Field } from "../../ui/fields/field.tsx";
import { TextInput } from "../../ui/fields/text-input.tsx";
import { EntryForm, fieldError } from "./entry-form.tsx";

interface SecondStepProps {
  onSignedIn: (session: Session) => void;
  onBack: () => void;
}

export function SecondStep({ onSignedIn, onBack }: SecondStepProps) {
  const texts = useTexts(entryTexts);
  const [isRecovery, setRecovery] = useState(false);
  const [code, setCode] = useState("");
  const signIn = useAction("signInTwoFactor");
  const send = (typed: string) => {
    const body = isRecovery ? { recoveryCode: typed.trim() } : { code: onlyDigits(typed) };
    void signIn.run({ body }, onSignedIn);
  };
  const change = (typed: string) => {
    setCode(typed);
    signIn.clear();
    // A pasted or an offered code is whole at once.
    if (!isRecovery && onlyDigits(typed).length === 6 && onlyDigits(code).length < 6) send(typed);
  };
  const toggle = () => {
    setRecovery(!isRecovery);
    setCode("");
    signIn.clear();
  };
  return (
    <EntryForm
      title={texts.twoFactorTitle}
      button={texts.signIn}
      isRunning={signIn.isRunning}
      error={signIn.error}
      fields={[isRecovery ? "recoveryCode" : "code"]}
      onSubmit={() => send(code)}
      after={
        <>
          <Button variant="quiet" onClick={toggle}>
            {isRecovery ? texts.useAuthenticator : texts.useRecoveryCode}
          </Button>
          <Button variant="quiet" onClick={onBack}>
            {texts.back}
          </Button>
        </>
      }
    >
      <Field
        label={isRecovery ? texts.recoveryCode : texts.code}
        hint={isRecovery ? undefined : texts.codeHint}
        {...fieldError(signIn.error, isRecovery ? "recoveryCode" : "code")}
      >
        <TextInput
          key={String(isRecovery)}
          isMono
          autoFocus
          name="code"
          autoComplete={isRecovery ? "off" : "one-time-code"}
          {...(isRecovery ? {} : { inputMode: "numeric" as const })}
          value={code}
          onValue={change}
        />
      </Field>
    </EntryForm>
  );
}

function onlyDigits(text: string): string {
  return text.replaceAll(/\D/g, "");
}
