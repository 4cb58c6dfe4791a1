/** Gives a passkey another name, in a dialog. */

import type { Passkey } from "@tijolo/protocol/client";
import { useId, useState, type FormEvent } from "react";
import { useAction } from "../../../api/use-action.ts";
import { fieldError, isErrorOf } from "../../../parts/entry/field-error.ts";
import { useFocusInvalid } from "../../../parts/entry/use-focus-invalid.ts";
import { Failure } from "../../../parts/failure.tsx";
import { passkeysTexts } from "../../../texts/account/passkeys.ts";
import { securityTexts } from "../../../texts/account/security.ts";
import { useTexts } from "../../../texts/in-both.ts";
import { Button } from "../../../ui/actions/button.tsx";
import { Field } from "../../../ui/fields/field.tsx";
import { TextInput } from "../../../ui/fields/text-input.tsx";
import { Dialog } from "../../../ui/overlays/dialog.tsx";
import { tell } from "../../../ui/overlays/toast-store.ts";
import styles from "./security.module.css";

export function RenamePasskey({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const texts = useTexts(passkeysTexts);
  const { cancel, close } = useTexts(securityTexts);
  const rename = useAction("renamePasskey", { refreshes: ["listPasskeys"] });
  const [name, setName] = useState(passkey.name);
  const id = useId();
  const form = useFocusInvalid(rename.error);
  const send = (event: FormEvent) => {
    event.preventDefault();
    void rename.run({ passkeyId: passkey.id, body: { name } }, (answer) => {
      tell({ tone: "ok", text: texts.renamed(answer.passkey.name) });
      onClose();
    });
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={texts.renameOne(passkey.name)}
      closeWord={close}
      actions={
        <>
          <Button onClick={onClose}>{cancel}</Button>
          <Button type="submit" form={id} variant="primary" isBusy={rename.isRunning}>
            {texts.save}
          </Button>
        </>
      }
    >
      <form ref={form} id={id} noValidate className={styles.form} onSubmit={send}>
        <Field label={texts.name} hint={texts.nameHint} {...fieldError(rename.error, "name")}>
          <TextInput value={name} onValue={setName} maxLength={80} autoComplete="off" />
        </Field>
        {rename.error !== null && !isErrorOf(rename.error, "name") && (
          <Failure error={rename.error} title={texts.rename} />
        )}
      </form>
    </Dialog>
  );
}
