/** Makes the first person of a new cluster, by the link that `npm start` printed. */

import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { beginSession } from "../../api/session.ts";
import { useAction } from "../../api/use-action.ts";
import { useAddressToken } from "../../parts/entry/address-token.ts";
import { EmailField } from "../../parts/entry/email-field.tsx";
import { EntryForm, EntryMessage, fieldError } from "../../parts/entry/entry-form.tsx";
import { NameField } from "../../parts/entry/name-field.tsx";
import { PasswordField } from "../../parts/entry/password-field.tsx";
import { entryTexts } from "../../texts/entry.ts";
import { useTexts } from "../../texts/in-both.ts";

export function Page() {
  const texts = useTexts(entryTexts);
  const token = useAddressToken("token");
  const navigate = useNavigate();
  const [name, setName] = useState("");
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const create = useAction("createFirstPerson");
  if (token === null)
    return <EntryMessage title={texts.missingTokenTitle}>{texts.missingStartText}</EntryMessage>;
  const begin = () =>
    create.run({ body: { token, name, email, password } }, (session) => {
      beginSession(session);
      void navigate({ to: "/new" });
    });
  return (
    <EntryForm
      title={texts.startTitle}
      intro={texts.startIntro}
      button={texts.start}
      isRunning={create.isRunning}
      error={create.error}
      fields={["name", "email", "password"]}
      onSubmit={() => void begin()}
    >
      <NameField value={name} onValue={setName} {...fieldError(create.error, "name")} />
      <EmailField value={email} onValue={setEmail} {...fieldError(create.error, "email")} />
      <PasswordField isNew value={password} onValue={setPassword} {...fieldError(create.error, "password")} />
    </EntryForm>
  );
}
