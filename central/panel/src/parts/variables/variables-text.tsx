/** All variables as the text of a `.env`; what is typed there is the list, as far as it can be read. */

import { formatDotenv, parseDotenv, splitDotenv } from "@tijolo/protocol/dotenv";
import { useState } from "react";
import { useTexts } from "../../texts/in-both.ts";
import { variablesTexts } from "../../texts/project/variables.ts";
import { Field } from "../../ui/fields/field.tsx";
import { TextArea } from "../../ui/fields/text-area.tsx";
import { newRow, variablesOf, type VariableRow } from "./variable-rows.ts";

interface VariablesTextProps {
  /** The list when the text was opened. */
  rows: readonly VariableRow[];
  /** `unread`: the numbers of lines that are no variable, and would be left out unsaid. */
  onText: (rows: VariableRow[], unread: readonly number[]) => void;
}

export function VariablesText({ rows, onText }: VariablesTextProps) {
  const texts = useTexts(variablesTexts);
  const [text, setText] = useState(() => formatDotenv(Object.entries(variablesOf(rows))));
  const unread = unreadLines(text);
  const edit = (next: string) => {
    setText(next);
    onText(
      Array.from(parseDotenv(next), ([name, value]) => newRow(name, value)),
      unreadLines(next),
    );
  };
  return (
    <Field
      label={texts.asText}
      hint={texts.asTextHint}
      {...(unread.length > 0 && { error: texts.unread(unread.join(", ")) })}
    >
      <TextArea isMono rows={12} autoComplete="off" spellCheck={false} value={text} onValue={edit} />
    </Field>
  );
}

/** The numbers of the lines of a `.env` that are neither a variable nor a comment. */
export function unreadLines(text: string): number[] {
  return splitDotenv(text).unreadable.map(({ number }) => number);
}
