/** The dialog that asks for the password before a change. Load it lazily: it brings Base UI. */

import { useId, useState } from "react";
import { answerConfirmation } from "../api/confirmation.ts";
import { useAction } from "../api/use-action.ts";
import { KeyIcon } from "../design/icons/icons.tsx";
import { entryTexts } from "../texts/entry.ts";
import { confirmSessionTexts } from "../texts/account/confirm-session.ts";
import { useTexts } from "../texts/in-both.ts";
import { Button } from "../ui/actions/button.tsx";
import { Field } from "../ui/fields/field.tsx";
import { PasswordInput } from "../ui/fields/password-input.tsx";
import { Banner } from "../ui/layout/banner.tsx";
import { Dialog } from "../ui/overlays/dialog.tsx";
import { usePasskeyConfirmation } from "./entry/use-passkey-confirmation.ts";
import { Failure } from "./failure.tsx";

export function ConfirmDialog() {
  const texts = useTexts(confirmSessionTexts);
  const entry = useTexts(entryTexts);
  const confirm = useAction("confirmSession");
  const [password, setPassword] = useState("");
  const form = useId();
  const passkey = usePasskeyConfirmation(() => answerConfirmation(true));
  const close = () => answerConfirmation(false);
  return (
    <Dialog
      isOpen
      onClose={close}
      title={texts.title}
      description={texts.intro}
      closeWord={texts.close}
      actions={
        <>
          <Button onClick={close}>{texts.cancel}</Button>
          {passkey.isPossible && (
            <Button icon={<KeyIcon />} isBusy={passkey.isRunning} onClick={passkey.ask}>
              {texts.usePasskey}
            </Button>
          )}
          <Button type="submit" form={form} variant="primary" isBusy={confirm.isRunning}>
            {texts.confirm}
          </Button>
        </>
      }
    >
      <form
        id={form}
        onSubmit={(event) => {
          event.preventDefault();
          void confirm.run({ body: { password } }, () => answerConfirmation(true));
        }}
      >
        <Field label={entry.password}>
          <PasswordInput
            value={password}
            onValue={setPassword}
            showWord={entry.showPassword}
            hideWord={entry.hidePassword}
            autoComplete="current-password"
          />
        </Field>
        {confirm.error !== null && <Failure error={confirm.error} title={texts.title} />}
        {passkey.hasFailed && <Banner tone="bad" role="alert" title={texts.passkeyFailed} />}
      </form>
    </Dialog>
  );
}
