/** Begins an account by the link of the mail that its sign-up sent. It acts on the button only: scanners open links. */

import { Link, useNavigate } from "@tanstack/react-router";
import { beginSession } from "../../api/session.ts";
import { useAction } from "../../api/use-action.ts";
import { useAddressToken } from "../../parts/entry/address-token.ts";
import { EntryForm, EntryMessage } from "../../parts/entry/entry-form.tsx";
import { entryTexts } from "../../texts/entry.ts";
import { useTexts } from "../../texts/in-both.ts";

export function Page() {
  const texts = useTexts(entryTexts);
  const token = useAddressToken("token");
  const navigate = useNavigate();
  const confirm = useAction("confirmSignUp");
  const back = <Link to="/sign-in">{texts.back}</Link>;
  if (token === null)
    return (
      <EntryMessage title={texts.missingTokenTitle} after={back}>
        {texts.missingTokenText}
      </EntryMessage>
    );
  const send = () =>
    confirm.run({ body: { token } }, (session) => {
      beginSession(session);
      void navigate({ to: "/new" });
    });
  return (
    <EntryForm
      title={texts.confirmTitle}
      intro={texts.confirmIntro}
      button={texts.confirm}
      isRunning={confirm.isRunning}
      error={confirm.error}
      onSubmit={() => void send()}
      after={back}
    />
  );
}
