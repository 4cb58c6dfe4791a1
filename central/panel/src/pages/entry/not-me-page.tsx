/** Protects an account whose owner did not sign in, by the link of the mail about that sign-in. */

import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useAction } from "../../api/use-action.ts";
import { useAddressToken } from "../../parts/entry/address-token.ts";
import { EntryForm, EntryMessage } from "../../parts/entry/entry-form.tsx";
import { entryTexts } from "../../texts/entry.ts";
import { useTexts } from "../../texts/in-both.ts";

export function Page() {
  const texts = useTexts(entryTexts);
  const token = useAddressToken("token");
  const [isDone, setDone] = useState(false);
  const protect = useAction("notMeByLink");
  const back = <Link to="/sign-in">{texts.back}</Link>;
  if (isDone)
    return (
      <EntryMessage title={texts.notMeDoneTitle} after={back}>
        {texts.notMeDoneText}
      </EntryMessage>
    );
  if (token === null)
    return (
      <EntryMessage title={texts.missingTokenTitle} after={back}>
        {texts.missingTokenText}
      </EntryMessage>
    );
  return (
    <EntryForm
      title={texts.notMeTitle}
      intro={texts.notMeIntro}
      button={texts.notMe}
      isRunning={protect.isRunning}
      error={protect.error}
      onSubmit={() => void protect.run({ body: { token } }, () => setDone(true))}
      after={back}
    />
  );
}
