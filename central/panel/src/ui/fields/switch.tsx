/** A switch for a setting that takes effect at once. Carries its own label and stands alone, not in a `Field`. */

import { useId, type ComponentProps, type ReactNode } from "react";
import { classNames } from "../class-names.ts";
import styles from "./choice.module.css";

export interface SwitchProps extends Omit<
  ComponentProps<"input">,
  "type" | "role" | "onChange" | "children" | "disabled"
> {
  label: ReactNode;
  hint?: ReactNode;
  checked: boolean;
  onValue: (isOn: boolean) => void;
  /** The reason why it cannot be changed now; shown in the place of the hint. */
  why?: string | undefined;
}

export function Switch({ label, hint, checked, onValue, why, className, ...rest }: SwitchProps) {
  const hintId = useId();
  const note = why ?? hint;
  return (
    <label
      className={classNames(styles.choice, styles.apart, why !== undefined && styles.blocked, className)}
    >
      <input
        {...rest}
        type="checkbox"
        role="switch"
        checked={checked}
        className={styles.switch}
        onChange={(event) => {
          if (why === undefined) onValue(event.currentTarget.checked);
        }}
        {...(why !== undefined && { "aria-disabled": true })}
        {...(note !== undefined && { "aria-describedby": hintId })}
      />
      <span className={styles.words}>
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
