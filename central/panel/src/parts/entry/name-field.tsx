/** The field of a person's name. */

import { entryTexts } from "../../texts/entry.ts";
import { useTexts } from "../../texts/in-both.ts";
import { Field } from "../../ui/fields/field.tsx";
import { TextInput } from "../../ui/fields/text-input.tsx";

interface NameFieldProps {
  value: string;
  onValue: (value: string) => void;
  error?: string;
}

export function NameField({ value, onValue, error }: NameFieldProps) {
  const texts = useTexts(entryTexts);
  return (
    <Field label={texts.name} error={error}>
      <TextInput name="name" autoComplete="name" maxLength={80} required value={value} onValue={onValue} />
    </Field>
  );
}
