/** The field of a password, with the words that all forms share. */

import { entryTexts } from "../../texts/entry.ts";
import { useTexts } from "../../texts/in-both.ts";
import { Field } from "../../ui/fields/field.tsx";
import { PasswordInput } from "../../ui/fields/password-input.tsx";

interface PasswordFieldProps {
  value: string;
  onValue: (value: string) => void;
  /** Default: "Senha", or "Senha nova". */
  label?: string;
  /** A new one is chosen, and has rules; otherwise the one that exists is typed. */
  isNew?: boolean;
  error?: string;
}

export function PasswordField({ value, onValue, label, isNew = false, error }: PasswordFieldProps) {
  const texts = useTexts(entryTexts);
  return (
    <Field
      label={label ?? (isNew ? texts.newPassword : texts.password)}
      hint={isNew ? texts.passwordHint : undefined}
      error={error}
    >
      <PasswordInput
        value={value}
        onValue={onValue}
        showWord={texts.showPassword}
        hideWord={texts.hidePassword}
        autoComplete={isNew ? "new-password" : "current-password"}
        name="password"
        required
      />
    </Field>
  );
}
