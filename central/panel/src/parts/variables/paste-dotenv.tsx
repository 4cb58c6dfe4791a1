/** Takes the lines of a `.env` into the list, without saving them. */

import { parseDotenv } from "@tijolo/protocol/dotenv";
import { useState } from "react";
import { useTexts } from "../../texts/in-both.ts";
import { variablesTexts } from "../../texts/project/variables.ts";
import { Button } from "../../ui/actions/button.tsx";
import { Field } from "../../ui/fields/field.tsx";
import { TextArea } from "../../ui/fields/text-area.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { unreadLines } from "./variables-text.tsx";
import { withPasted, type VariableRow } from "./variable-rows.ts";
import styles from "./variables.module.css";

interface PasteDotenvProps {
  rows: readonly VariableRow[];
  onRows: (rows: readonly VariableRow[]) => void;
}

export function PasteDotenv({ rows, onRows }: PasteDotenvProps) {
  const texts = useTexts(variablesTexts);
  const [text, setText] = useState("");
  const found = parseDotenv(text);
  const unread = unreadLines(text);
  const take = () => {
    onRows(withPasted(rows, found));
    setText("");
  };
  return (
    <Card>
      <details>
        <summary>{texts.paste}</summary>
        <div className={styles.paste}>
          <Field
            label={texts.pasted}
            hint={texts.pasteHint}
            {...(unread.length > 0 && { error: texts.unread(unread.join(", ")) })}
          >
            <TextArea isMono rows={6} autoComplete="off" value={text} onValue={setText} />
          </Field>
          <div>
            <Button onClick={take} why={found.size === 0 ? texts.noLines : undefined}>
              {texts.take}
            </Button>
          </div>
        </div>
      </details>
    </Card>
  );
}
