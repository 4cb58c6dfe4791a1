/** A number with its unit. Takes digits and a decimal comma or point; null while empty. Stands in a `Field`. */

import { useState, type ComponentProps, type KeyboardEvent } from "react";
import { classNames } from "../class-names.ts";
import { useFieldWiring } from "./field-wiring.ts";
import styles from "./input.module.css";

export interface NumberInputProps extends Omit<
  ComponentProps<"input">,
  "value" | "type" | "min" | "max" | "step"
> {
  value: number | null;
  onValue: (value: number | null) => void;
  /** Shown after the input: "MB". */
  unit?: string | undefined;
  /** Bounds of the arrow keys; what is typed is judged by the server. */
  min?: number | undefined;
  max?: number | undefined;
  /** What the arrow keys add or take; 1 when left out. Below 1, decimals can be typed. */
  step?: number | undefined;
}

export function NumberInput({
  value,
  onValue,
  unit,
  min,
  max,
  step = 1,
  className,
  ...rest
}: NumberInputProps) {
  const wired = useFieldWiring();
  const [typed, setTyped] = useState("");
  const shown = parse(typed) === value ? typed : (value?.toString() ?? "");
  const type = (text: string) => {
    if (!(step < 1 ? /^-?\d*[.,]?\d*$/ : /^-?\d*$/).test(text)) return;
    setTyped(text);
    onValue(parse(text));
  };
  const stepByKey = (event: KeyboardEvent) => {
    const direction = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (direction === undefined || rest.readOnly === true) return;
    event.preventDefault();
    const next = Number(((value ?? 0) + direction * step).toFixed(6));
    onValue(Math.min(max ?? next, Math.max(min ?? next, next)));
  };
  return (
    <div className={styles.joined}>
      <input
        type="text"
        inputMode={step < 1 ? "decimal" : "numeric"}
        autoComplete="off"
        {...wired}
        {...rest}
        value={shown}
        className={classNames(styles.input, styles.number, unit !== undefined && styles.hasUnit, className)}
        onChange={(event) => type(event.currentTarget.value.trim())}
        onKeyDown={stepByKey}
      />
      {unit !== undefined && <span className={styles.unit}>{unit}</span>}
    </div>
  );
}

function parse(text: string): number | null {
  if (!/\d/.test(text)) return null;
  return Number(text.replace(",", "."));
}
