/** A choice of one among a few, all in sight, under one question. Stands alone, not in a `Field`. */

import { useId, type ReactNode } from "react";
import { classNames } from "../class-names.ts";
import styles from "./choice.module.css";

export interface RadioOption<Value extends string = string> {
  value: Value;
  label: ReactNode;
  hint?: ReactNode;
  /** The reason why it cannot be chosen now; shown in the place of the hint. */
  why?: string | undefined;
}

export interface RadiosProps<Value extends string> {
  label: ReactNode;
  value: Value | null;
  options: readonly RadioOption<Value>[];
  onValue: (value: Value) => void;
  isLabelHidden?: boolean | undefined;
  /** Side by side where there is room. */
  isRow?: boolean | undefined;
  /** Shows the choices as parts of one bar: for a few short words that choose what is shown. */
  isBar?: boolean | undefined;
}

export function Radios<Value extends string>(props: RadiosProps<Value>) {
  const { label, isLabelHidden = false, isRow = false, isBar = false } = props;
  const name = useId();
  return (
    <fieldset className={styles.group}>
      <legend className={classNames(styles.legend, isLabelHidden && "visually-hidden")}>{label}</legend>
      <div className={isBar ? styles.segments : classNames(styles.options, isRow && styles.row)}>
        {props.options.map((option) => (
          <Choice key={option.value} {...props} name={name} option={option} />
        ))}
      </div>
    </fieldset>
  );
}

interface ChoiceProps<Value extends string> extends RadiosProps<Value> {
  name: string;
  option: RadioOption<Value>;
}

function Choice<Value extends string>({ name, option, value, onValue, isBar = false }: ChoiceProps<Value>) {
  const note = option.why ?? option.hint;
  const isBlocked = option.why !== undefined;
  const hintId = `${name}${option.value}`;
  return (
    <label className={isBar ? styles.segment : classNames(styles.choice, isBlocked && styles.blocked)}>
      <input
        type="radio"
        name={name}
        value={option.value}
        checked={value === option.value}
        className={isBar ? styles.hidden : styles.box}
        onChange={() => {
          if (!isBlocked) onValue(option.value);
        }}
        {...(isBlocked && { "aria-disabled": true })}
        {...(note !== undefined && { "aria-describedby": hintId })}
      />
      <span className={styles.words}>
        <span>{option.label}</span>
        {note !== undefined && (
          <span id={hintId} className={styles.hint}>
            {note}
          </span>
        )}
      </span>
    </label>
  );
}
