/** The field of an email address. */

import { entryTexts } from "../../texts/entry.ts";
import { useTexts } from "../../texts/in-both.ts";
import { Field } from "../../ui/fields/field.tsx";
import { TextInput } from "../../ui/fields/text-input.tsx";

interface EmailFieldProps {
  value: string;
  onValue: (value: string) => void;
  error?: string;
  /** Also offers the passkeys of this address (WebAuthn's conditional mediation). */
  hasPasskeys?: boolean;
}

export function EmailField({ value, onValue, error, hasPasskeys = false }: EmailFieldProps) {
  const texts = useTexts(entryTexts);
  return (
    <Field label={texts.email} error={error}>
      <TextInput
        type="email"
        name="email"
        inputMode="email"
        autoComplete={hasPasskeys ? "username webauthn" : "username"}
        autoCapitalize="none"
        spellCheck={false}
        required
        value={value}
        onValue={onValue}
      />
    </Field>
  );
}
