/** A link to another place with the look of a button. Links within the panel use the router's link and `buttonClass`. */

import type { ComponentProps, ReactNode } from "react";
import { classNames } from "../class-names.ts";
import { buttonClass, labelClass, type ButtonLook } from "./button.tsx";

export interface LinkButtonProps extends ComponentProps<"a">, ButtonLook {
  href: string;
  icon?: ReactNode;
}

export function LinkButton({ variant, size, isWide, icon, className, children, ...rest }: LinkButtonProps) {
  return (
    <a {...rest} className={classNames(buttonClass({ variant, size, isWide }), className)}>
      {icon}
      <span className={labelClass}>{children}</span>
    </a>
  );
}
