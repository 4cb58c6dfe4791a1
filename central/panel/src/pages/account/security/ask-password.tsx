/** Asks for the password in a dialog, for a change that the server makes with it only. */

import { useId, useState, type ReactNode } from "react";
import { fieldError, isErrorOf } from "../../../parts/entry/field-error.ts";
import { PasswordField } from "../../../parts/entry/password-field.tsx";
import { Failure } from "../../../parts/failure.tsx";
import { securityTexts } from "../../../texts/account/security.ts";
import { useTexts } from "../../../texts/in-both.ts";
import { Button } from "../../../ui/actions/button.tsx";
import { Dialog } from "../../../ui/overlays/dialog.tsx";
import { useFocusInvalid } from "../../../parts/entry/use-focus-invalid.ts";
import styles from "./security.module.css";

interface AskPasswordProps {
  title: string;
  text: string;
  confirmWord: string;
  isDangerous?: boolean;
  action: { isRunning: boolean; error: Error | null };
  onPassword: (password: string) => void;
  onClose: () => void;
  /** Further fields, above the password. `fields`: those that show their own error. */
  children?: ReactNode;
  fields?: readonly string[];
}

export function AskPassword(props: AskPasswordProps) {
  const { title, text, confirmWord, isDangerous = false, action, onPassword, onClose, children } = props;
  const texts = useTexts(securityTexts);
  const id = useId();
  const [password, setPassword] = useState("");
  const form = useFocusInvalid(action.error);
  const isAtField = ["password", ...(props.fields ?? [])].some((field) => isErrorOf(action.error, field));
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={title}
      description={text}
      closeWord={texts.close}
      actions={
        <>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button
            type="submit"
            form={id}
            variant={isDangerous ? "danger" : "primary"}
            isBusy={action.isRunning}
          >
            {confirmWord}
          </Button>
        </>
      }
    >
      <form
        ref={form}
        id={id}
        noValidate
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          onPassword(password);
        }}
      >
        {children}
        <PasswordField value={password} onValue={setPassword} {...fieldError(action.error, "password")} />
        {action.error !== null && !isAtField && <Failure error={action.error} title={title} />}
      </form>
    </Dialog>
  );
}
