/** A choice of one among a few, by the browser's own list. Stands in a `Field`. */

import type { ComponentProps } from "react";
import { ChevronDownIcon } from "../../design/icons/icons.tsx";
import { classNames } from "../class-names.ts";
import { useFieldWiring } from "./field-wiring.ts";
import styles from "./input.module.css";

export interface SelectOption<Value extends string = string> {
  value: Value;
  label: string;
  isDisabled?: boolean | undefined;
}

export interface SelectProps<Value extends string> extends Omit<
  ComponentProps<"select">,
  "value" | "children" | "multiple" | "onChange"
> {
  value: Value;
  options: readonly SelectOption<Value>[];
  onValue: (value: Value) => void;
}

export function Select<Value extends string>(props: SelectProps<Value>) {
  const { value, options, onValue, className, ...rest } = props;
  const wired = useFieldWiring();
  return (
    <div className={styles.joined}>
      <select
        {...wired}
        {...rest}
        value={value}
        className={classNames(styles.input, styles.select, className)}
        onChange={(event) => {
          const chosen = options.find((option) => option.value === event.currentTarget.value);
          if (chosen) onValue(chosen.value);
        }}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.isDisabled}>
            {option.label}
          </option>
        ))}
      </select>
      <ChevronDownIcon className={styles.chevron} />
    </div>
  );
}
