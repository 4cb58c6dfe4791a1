/** Changes the password, with the one that was valid until now. */

import { useState, type FormEvent } from "react";
import { useAction } from "../../../api/use-action.ts";
import { fieldError, isErrorOf } from "../../../parts/entry/field-error.ts";
import { PasswordField } from "../../../parts/entry/password-field.tsx";
import { useFocusInvalid } from "../../../parts/entry/use-focus-invalid.ts";
import { Failure } from "../../../parts/failure.tsx";
import { securityTexts } from "../../../texts/account/security.ts";
import { useTexts } from "../../../texts/in-both.ts";
import { Button } from "../../../ui/actions/button.tsx";
import { TitledCard } from "../../../ui/layout/card.tsx";
import { tell } from "../../../ui/overlays/toast-store.ts";
import styles from "./security.module.css";

interface PasswordCardProps {
  /** For the password manager, which keeps the new password under this name. */
  email: string;
}

export function PasswordCard({ email }: PasswordCardProps) {
  const texts = useTexts(securityTexts);
  const change = useAction("changePassword", { refreshes: ["listSessions"] });
  const [currentPassword, setCurrentPassword] = useState("");
  const [newPassword, setNewPassword] = useState("");
  const form = useFocusInvalid(change.error);
  const isAtField = ["currentPassword", "newPassword"].some((field) => isErrorOf(change.error, field));
  const send = (event: FormEvent) => {
    event.preventDefault();
    void change.run({ body: { currentPassword, newPassword } }, () => {
      setCurrentPassword("");
      setNewPassword("");
      tell({ tone: "ok", text: texts.passwordChanged });
    });
  };
  return (
    <TitledCard title={texts.password} description={texts.passwordIntro}>
      <form ref={form} noValidate className={styles.form} onSubmit={send}>
        <input type="email" autoComplete="username" value={email} readOnly hidden />
        <PasswordField
          label={texts.currentPassword}
          value={currentPassword}
          onValue={setCurrentPassword}
          {...fieldError(change.error, "currentPassword")}
        />
        <PasswordField
          isNew
          value={newPassword}
          onValue={setNewPassword}
          {...fieldError(change.error, "newPassword")}
        />
        {change.error !== null && !isAtField && <Failure error={change.error} title={texts.changePassword} />}
        <div>
          <Button type="submit" isBusy={change.isRunning}>
            {texts.changePassword}
          </Button>
        </div>
      </form>
    </TitledCard>
  );
}
