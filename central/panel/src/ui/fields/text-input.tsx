/** A line of text. Stands in a `Field`. */

import type { ComponentProps } from "react";
import { classNames } from "../class-names.ts";
import { useFieldWiring } from "./field-wiring.ts";
import styles from "./input.module.css";

export interface TextInputProps extends ComponentProps<"input"> {
  /** Receives the text at each change. */
  onValue?: ((value: string) => void) | undefined;
  /** Monospaced, for commands, names and codes. */
  isMono?: boolean | undefined;
}

export function TextInput({ onValue, isMono = false, className, onChange, ...rest }: TextInputProps) {
  const wired = useFieldWiring();
  return (
    <input
      type="text"
      {...wired}
      {...(isMono && { autoCapitalize: "none", autoCorrect: "off", spellCheck: false })}
      {...rest}
      className={classNames(styles.input, isMono && styles.mono, className)}
      onChange={(event) => {
        onChange?.(event);
        onValue?.(event.currentTarget.value);
      }}
    />
  );
}
