/**
 * A row for each variable: its name, its value, which is masked until one asks, and a way to take it out. Lines of
 * a `.env` that are pasted in place of a name become rows.
 */

import { parseDotenv } from "@tijolo/protocol/dotenv";
import { useEffect, useRef, useState, type ClipboardEvent } from "react";
import { EyeIcon, EyeOffIcon, TrashIcon } from "../../design/icons/icons.tsx";
import { useTexts } from "../../texts/in-both.ts";
import { variablesTexts } from "../../texts/project/variables.ts";
import { IconButton } from "../../ui/actions/icon-button.tsx";
import { Field } from "../../ui/fields/field.tsx";
import { TextArea } from "../../ui/fields/text-area.tsx";
import { TextInput } from "../../ui/fields/text-input.tsx";
import styles from "./variables.module.css";
import { problemOf, withPasted, type VariableRow } from "./variable-rows.ts";

interface VariableInputsProps {
  rows: readonly VariableRow[];
  onRows: (rows: readonly VariableRow[]) => void;
}

export function VariableInputs({ rows, onRows }: VariableInputsProps) {
  return (
    <div className={styles.rows}>
      {rows.map((row, index) => (
        <Row
          key={row.key}
          row={row}
          index={index}
          rows={rows}
          onRow={(changed) => onRows(rows.map((other) => (other.key === row.key ? changed : other)))}
          onPasted={(found) => onRows(withPasted(rows, found))}
          onRemove={() => onRows(rows.filter(({ key }) => key !== row.key))}
        />
      ))}
    </div>
  );
}

interface RowProps {
  row: VariableRow;
  index: number;
  rows: readonly VariableRow[];
  onRow: (row: VariableRow) => void;
  /** Called with the variables of a text that was pasted in place of a name. */
  onPasted: (found: ReadonlyMap<string, string>) => void;
  onRemove: () => void;
}

function Row({ row, index, rows, onRow, onPasted, onRemove }: RowProps) {
  const texts = useTexts(variablesTexts);
  const nameInput = useRef<HTMLInputElement>(null);
  // A row without a name was added a moment ago, to be filled in.
  const isNew = useRef(row.name === "");
  useEffect(() => {
    if (isNew.current) nameInput.current?.focus();
  }, []);
  const paste = (event: ClipboardEvent) => {
    const found = parseDotenv(event.clipboardData.getData("text"));
    if (found.size === 0) return;
    event.preventDefault();
    onPasted(found);
  };
  const [isShown, setShown] = useState(row.name === "");
  const problem = problemOf(row, rows);
  const name = row.name === "" ? String(index + 1) : row.name;
  const value = { value: row.value, onValue: (text: string) => onRow({ ...row, value: text }) };
  return (
    <div className={styles.row}>
      <Field
        label={texts.nameOf(index + 1)}
        isLabelHidden
        {...(problem === null ? {} : { error: texts.problems[problem] })}
      >
        <TextInput
          ref={nameInput}
          isMono
          autoComplete="off"
          placeholder={texts.name}
          onPaste={paste}
          value={row.name}
          onValue={(text) => onRow({ ...row, name: text.trim() })}
        />
      </Field>
      <Field label={texts.valueOf(name)} isLabelHidden>
        {row.value.includes("\n") && isShown ? (
          <TextArea isMono autoComplete="off" rows={4} {...value} />
        ) : (
          <TextInput
            isMono
            type={isShown ? "text" : "password"}
            autoComplete="off"
            data-1p-ignore
            placeholder={texts.value}
            readOnly={row.value.includes("\n")}
            {...value}
          />
        )}
      </Field>
      <div className={styles.buttons}>
        <IconButton
          label={isShown ? texts.hide(name) : texts.show(name)}
          icon={isShown ? EyeOffIcon : EyeIcon}
          onClick={() => setShown(!isShown)}
        />
        <IconButton label={texts.remove(name)} icon={TrashIcon} onClick={onRemove} />
      </div>
    </div>
  );
}
