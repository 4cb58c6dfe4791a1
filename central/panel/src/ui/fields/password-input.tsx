/** A password, with a button that shows and hides it. Stands in a `Field`. */

import { useState } from "react";
import { EyeIcon, EyeOffIcon } from "../../design/icons/icons.tsx";
import { IconButton } from "../actions/icon-button.tsx";
import { classNames } from "../class-names.ts";
import styles from "./input.module.css";
import { TextInput, type TextInputProps } from "./text-input.tsx";

export interface PasswordInputProps extends Omit<TextInputProps, "type"> {
  showWord: string;
  hideWord: string;
  /** `current-password` or `new-password`, so that password managers do the right thing. */
  autoComplete: "current-password" | "new-password" | "off";
}

export function PasswordInput({ showWord, hideWord, className, ...rest }: PasswordInputProps) {
  const [isShown, setIsShown] = useState(false);
  return (
    <div className={styles.joined}>
      <TextInput
        autoCapitalize="none"
        spellCheck={false}
        {...rest}
        type={isShown ? "text" : "password"}
        className={classNames(styles.hasButton, className)}
      />
      <span className={styles.inside}>
        <IconButton
          label={isShown ? hideWord : showWord}
          icon={isShown ? EyeOffIcon : EyeIcon}
          onClick={() => setIsShown(!isShown)}
        />
      </span>
    </div>
  );
}
