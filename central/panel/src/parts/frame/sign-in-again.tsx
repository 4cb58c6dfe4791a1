/** Stands in place of a page whose session is over while it holds what was typed: the page waits behind it. */

import type { SignInAgain as SignInAgainState } from "../../live/use-live-stream.ts";
import { entryTexts } from "../../texts/entry.ts";
import { useTexts } from "../../texts/in-both.ts";
import { Button } from "../../ui/actions/button.tsx";
import { EntrySurroundings } from "../entry/entry-frame.tsx";
import { SignInForm } from "../entry/sign-in-form.tsx";

export function SignInAgain({ onSignedIn, onLeave }: Omit<SignInAgainState, "isNeeded">) {
  const texts = useTexts(entryTexts);
  return (
    <EntrySurroundings>
      <SignInForm
        title={texts.signInAgain}
        intro={texts.signInAgainIntro}
        onSignedIn={onSignedIn}
        after={
          <Button variant="quiet" onClick={onLeave}>
            {texts.leaveUnsaved}
          </Button>
        }
      />
    </EntrySurroundings>
  );
}
