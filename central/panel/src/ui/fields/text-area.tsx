/** Several lines of text. Stands in a `Field`. */

import type { ComponentProps } from "react";
import { classNames } from "../class-names.ts";
import { useFieldWiring } from "./field-wiring.ts";
import styles from "./input.module.css";

export interface TextAreaProps extends ComponentProps<"textarea"> {
  onValue?: ((value: string) => void) | undefined;
  isMono?: boolean | undefined;
}

export function TextArea({ onValue, isMono = false, className, onChange, ...rest }: TextAreaProps) {
  const wired = useFieldWiring();
  return (
    <textarea
      rows={5}
      {...wired}
      {...(isMono && { autoCapitalize: "none", autoCorrect: "off", spellCheck: false })}
      {...rest}
      className={classNames(styles.input, styles.area, isMono && styles.mono, className)}
      onChange={(event) => {
        onChange?.(event);
        onValue?.(event.currentTarget.value);
      }}
    />
  );
}
