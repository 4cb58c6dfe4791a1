/** A button. One that cannot act stays where it is, can be focused, and says why. */

import { useId, type ComponentProps, type MouseEvent, type ReactNode } from "react";
import { classNames } from "../class-names.ts";
import { Spinner } from "../marks/spinner.tsx";
import { Tooltip } from "../overlays/tooltip.tsx";
import styles from "./button.module.css";

/** `warning` leads to something that cannot be undone, `danger` does it. */
export type ButtonVariant = "primary" | "plain" | "quiet" | "warning" | "danger";

export interface ButtonLook {
  /** `plain` when left out. A page has at most one `primary` button in sight. */
  variant?: ButtonVariant | undefined;
  size?: "small" | undefined;
  /** As wide as the place it stands in. */
  isWide?: boolean | undefined;
}

export interface ButtonProps extends Omit<ComponentProps<"button">, "disabled" | "size">, ButtonLook {
  /** The reason why the button cannot act now. The button is then `aria-disabled` and shows the reason. */
  why?: string | undefined;
  /** True while the action runs: the button shows a spinner and takes no second press. */
  isBusy?: boolean | undefined;
  /** An icon before the label. */
  icon?: ReactNode;
}

export function Button(props: ButtonProps) {
  const { variant, size, isWide, why, isBusy = false, icon, className, children, onClick, ...rest } = props;
  const tipId = useId();
  const isBlocked = why !== undefined || isBusy;
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    if (isBlocked) event.preventDefault();
    else onClick?.(event);
  };
  return (
    <Tooltip text={why} id={tipId}>
      <button
        type="button"
        {...rest}
        className={classNames(buttonClass({ variant, size, isWide }), className)}
        onClick={press}
        {...(isBlocked && { "aria-disabled": true })}
        {...(isBusy && { "aria-busy": true })}
        {...(why !== undefined && { "aria-describedby": tipId })}
      >
        {isBusy ? <Spinner /> : icon}
        <span className={styles.label}>{children}</span>
      </button>
    </Tooltip>
  );
}

/** The words of a button, in the middle of its height whatever font the system has. */
export const labelClass = styles.label;

/** Gives a link the look of a button: `<Link className={buttonClass({ variant: "primary" })}>`. */
export function buttonClass({ variant = "plain", size, isWide = false }: ButtonLook = {}): string {
  return classNames(styles.button, styles[variant], size === "small" && styles.small, isWide && styles.wide);
}
