/** The logo: a T of three bricks, drawn with `currentColor`. */

import type { IconProps } from "./icons/icons.tsx";

export function Logo({ size = 24, className }: IconProps) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="currentColor"
      aria-hidden="true"
      className={className}
    >
      <rect x="2" y="4" width="9" height="6" rx="1" />
      <rect x="13" y="4" width="9" height="6" rx="1" />
      <rect x="7.5" y="12" width="9" height="8" rx="1" />
    </svg>
  );
}
