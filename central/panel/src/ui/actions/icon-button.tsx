/** A square button with an icon alone. Its label is read aloud and shown beside it under the pointer or the focus. */

import { useId, type ComponentProps, type MouseEvent } from "react";
import type { Icon } from "../../design/icons/icons.tsx";
import { classNames } from "../class-names.ts";
import { Spinner } from "../marks/spinner.tsx";
import { Tooltip } from "../overlays/tooltip.tsx";
import styles from "./icon-button.module.css";

export interface IconButtonProps extends Omit<
  ComponentProps<"button">,
  "disabled" | "children" | "aria-label"
> {
  label: string;
  icon: Icon;
  /** The reason why the button cannot act now. */
  why?: string | undefined;
  isBusy?: boolean | undefined;
  /** Draws an edge around the button. */
  hasEdge?: boolean | undefined;
  /** False where everybody knows the icon: the label is then read aloud only. Default: true. */
  hasTip?: boolean | undefined;
}

export function IconButton(props: IconButtonProps) {
  const { label, icon: Picture, why, isBusy = false, hasEdge = false, hasTip = true, ...others } = props;
  const { className, onClick, ...rest } = others;
  const tipId = useId();
  const isBlocked = why !== undefined || isBusy;
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    if (isBlocked) event.preventDefault();
    else onClick?.(event);
  };
  return (
    <Tooltip text={why ?? (hasTip ? label : undefined)} id={tipId}>
      <button
        type="button"
        {...rest}
        aria-label={label}
        className={classNames(styles.button, hasEdge && styles.edge, className)}
        onClick={press}
        {...(isBlocked && { "aria-disabled": true })}
        {...(isBusy && { "aria-busy": true })}
        {...(why !== undefined && { "aria-describedby": tipId })}
      >
        {isBusy ? <Spinner /> : <Picture size={18} />}
      </button>
    </Tooltip>
  );
}
