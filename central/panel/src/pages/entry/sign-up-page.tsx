/** Makes an account: open to all, by an invitation, or closed, as the operator chose. */

import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { beginSession } from "../../api/session.ts";
import { useAction } from "../../api/use-action.ts";
import { useRead } from "../../api/use-read.ts";
import { useAddressToken } from "../../parts/entry/address-token.ts";
import { EmailField } from "../../parts/entry/email-field.tsx";
import { EntryForm, EntryMessage, fieldError } from "../../parts/entry/entry-form.tsx";
import { NameField } from "../../parts/entry/name-field.tsx";
import { PasswordField } from "../../parts/entry/password-field.tsx";
import { entryTexts } from "../../texts/entry.ts";
import { useTexts } from "../../texts/in-both.ts";

export function Page() {
  const texts = useTexts(entryTexts);
  const invitation = useAddressToken("invitation");
  const service = useRead("getService");
  const navigate = useNavigate();
  const [name, setName] = useState("");
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [mailedTo, setMailedTo] = useState<string | null>(null);
  const signUp = useAction("signUp");
  const signIn = <Link to="/sign-in">{texts.back}</Link>;
  if (mailedTo !== null)
    return (
      <EntryMessage title={texts.mailSentTitle} after={signIn}>
        {texts.mailSentText(mailedTo)}
      </EntryMessage>
    );
  if (invitation === null && service.data !== undefined && service.data.signUp !== "open")
    return (
      <EntryMessage title={texts.signUp} after={signIn}>
        {texts.signUpClosed}
      </EntryMessage>
    );
  const body = { name, email, password, ...(invitation === null ? {} : { invitation }) };
  const send = () =>
    signUp.run({ body }, (answer) => {
      if (answer.isConfirmationRequired) return setMailedTo(email);
      beginSession(answer);
      void navigate({ to: "/new" });
    });
  return (
    <EntryForm
      title={texts.signUp}
      {...(invitation === null ? {} : { intro: texts.signUpByInvitation })}
      button={texts.signUp}
      isRunning={signUp.isRunning}
      error={signUp.error}
      fields={["name", "email", "password"]}
      onSubmit={() => void send()}
      after={signIn}
    >
      <NameField value={name} onValue={setName} {...fieldError(signUp.error, "name")} />
      <EmailField value={email} onValue={setEmail} {...fieldError(signUp.error, "email")} />
      <PasswordField isNew value={password} onValue={setPassword} {...fieldError(signUp.error, "password")} />
    </EntryForm>
  );
}
