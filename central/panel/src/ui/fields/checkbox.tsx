/** A box to tick, with its label. Carries its own label and stands alone, not in a `Field`. */

import { useId, type ComponentProps, type ReactNode } from "react";
import { classNames } from "../class-names.ts";
import styles from "./choice.module.css";

export interface CheckboxProps extends Omit<
  ComponentProps<"input">,
  "type" | "onChange" | "children" | "disabled"
> {
  label: ReactNode;
  hint?: ReactNode;
  checked: boolean;
  onValue: (isChecked: boolean) => void;
  /** The reason why it cannot be changed now; shown in the place of the hint. */
  why?: string | undefined;
  /** Reads the label aloud and does not show it, as in the cells of a table. */
  isLabelHidden?: boolean | undefined;
}

export function Checkbox(props: CheckboxProps) {
  const { label, hint, checked, onValue, why, isLabelHidden = false, className, ...rest } = props;
  const hintId = useId();
  const note = why ?? hint;
  return (
    <label className={classNames(styles.choice, why !== undefined && styles.blocked, className)}>
      <input
        {...rest}
        type="checkbox"
        checked={checked}
        className={styles.box}
        onChange={(event) => {
          if (why === undefined) onValue(event.currentTarget.checked);
        }}
        {...(why !== undefined && { "aria-disabled": true })}
        {...(note !== undefined && { "aria-describedby": hintId })}
      />
      <span className={classNames(styles.words, isLabelHidden && "visually-hidden")}>
        <span>{label}</span>
        {note !== undefined && (
          <span id={hintId} className={styles.hint}>
            {note}
          </span>
        )}
      </span>
    </label>
  );
}
