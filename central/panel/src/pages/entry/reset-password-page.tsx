/** Chooses a new password by the link of a mail. The link acts on the button only: scanners open links. */

import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useAction } from "../../api/use-action.ts";
import { useAddressToken } from "../../parts/entry/address-token.ts";
import { EntryForm, EntryMessage, fieldError } from "../../parts/entry/entry-form.tsx";
import { PasswordField } from "../../parts/entry/password-field.tsx";
import { entryTexts } from "../../texts/entry.ts";
import { useTexts } from "../../texts/in-both.ts";

export function Page() {
  const texts = useTexts(entryTexts);
  const token = useAddressToken("token");
  const [password, setPassword] = useState("");
  const [isDone, setDone] = useState(false);
  const reset = useAction("resetPassword");
  const signIn = <Link to="/sign-in">{texts.signIn}</Link>;
  if (isDone)
    return (
      <EntryMessage title={texts.savedTitle} after={signIn}>
        {texts.savedText}
      </EntryMessage>
    );
  if (token === null)
    return (
      <EntryMessage
        title={texts.missingTokenTitle}
        after={<Link to="/password/forgot">{texts.forgotTitle}</Link>}
      >
        {texts.missingTokenText}
      </EntryMessage>
    );
  return (
    <EntryForm
      title={texts.resetTitle}
      button={texts.save}
      isRunning={reset.isRunning}
      error={reset.error}
      fields={["password"]}
      onSubmit={() => void reset.run({ body: { token, password } }, () => setDone(true))}
      after={signIn}
    >
      <PasswordField isNew value={password} onValue={setPassword} {...fieldError(reset.error, "password")} />
    </EntryForm>
  );
}
