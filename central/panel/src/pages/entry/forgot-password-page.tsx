/** Asks for a link that chooses a new password. It never says whether an address is known. */

import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useAction } from "../../api/use-action.ts";
import { useRead } from "../../api/use-read.ts";
import { EmailField } from "../../parts/entry/email-field.tsx";
import { EntryForm, EntryMessage, fieldError } from "../../parts/entry/entry-form.tsx";
import { entryTexts } from "../../texts/entry.ts";
import { useTexts } from "../../texts/in-both.ts";

export function Page() {
  const texts = useTexts(entryTexts);
  const [email, setEmail] = useState("");
  const [isSent, setSent] = useState(false);
  const service = useRead("getService");
  const ask = useAction("requestPasswordReset");
  const back = <Link to="/sign-in">{texts.back}</Link>;
  if (service.data?.featuresOff.includes("requestPasswordReset") === true)
    return (
      <EntryMessage title={texts.forgotTitle} after={back}>
        {texts.noMail}
      </EntryMessage>
    );
  if (isSent)
    return (
      <EntryMessage title={texts.sentTitle} after={back}>
        {texts.sentText}
      </EntryMessage>
    );
  return (
    <EntryForm
      title={texts.forgotTitle}
      intro={texts.forgotIntro}
      button={texts.send}
      isRunning={ask.isRunning}
      error={ask.error}
      fields={["email"]}
      onSubmit={() => void ask.run({ body: { email } }, () => setSent(true))}
      after={back}
    >
      <EmailField value={email} onValue={setEmail} {...fieldError(ask.error, "email")} />
    </EntryForm>
  );
}
