/**
 * Shows a short text beside a control while the pointer or the focus is on it. Escape hides the text; the pointer may
 * move onto it. It stands in the browser's top layer, so a dialog or a scrolled table never cuts it.
 */

import { useRef, type KeyboardEvent, type ReactNode } from "react";
import styles from "./tooltip.module.css";

export interface TooltipProps {
  /** Without a text the children stand alone. */
  text: string | undefined;
  /** The id for `aria-describedby` of the control, when the text says more than the control's label. */
  id?: string | undefined;
  /** One control. */
  children: ReactNode;
}

const LEAVE_MS = 120;
const GAP_PX = 6;

export function Tooltip({ text, id, children }: TooltipProps) {
  const anchor = useRef<HTMLSpanElement>(null);
  const tip = useRef<HTMLSpanElement>(null);
  const leaving = useRef<ReturnType<typeof setTimeout>>(undefined);

  const show = () => {
    clearTimeout(leaving.current);
    const control = anchor.current?.firstElementChild;
    if (control && tip.current && control !== tip.current) place(tip.current, control);
  };
  const hide = () => {
    clearTimeout(leaving.current);
    if (tip.current?.matches(":popover-open")) tip.current.hidePopover();
  };
  const hideSoon = () => {
    clearTimeout(leaving.current);
    leaving.current = setTimeout(hide, LEAVE_MS);
  };
  const hideOnEscape = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || !tip.current?.matches(":popover-open")) return;
    event.stopPropagation();
    hide();
  };

  return (
    <span
      ref={anchor}
      className={styles.anchor}
      onPointerEnter={show}
      onPointerLeave={hideSoon}
      onFocus={show}
      onBlur={hide}
      onClick={show}
      onKeyDown={hideOnEscape}
    >
      {children}
      {text !== undefined && (
        <span ref={tip} id={id} role="tooltip" popover="manual" className={styles.tip}>
          {text}
        </span>
      )}
    </span>
  );
}

/** Opens the tip below the control, or above it where there is no room, and keeps it inside the window. */
function place(tip: HTMLElement, control: Element): void {
  if (!tip.matches(":popover-open")) tip.showPopover();
  const edge = control.getBoundingClientRect();
  const { width, height } = tip.getBoundingClientRect();
  const isBelow = edge.bottom + GAP_PX + height < innerHeight;
  const left = edge.left + edge.width / 2 - width / 2;
  tip.style.left = `${Math.max(8, Math.min(left, document.documentElement.clientWidth - width - 8))}px`;
  tip.style.top = `${isBelow ? edge.bottom + GAP_PX : Math.max(8, edge.top - GAP_PX - height)}px`;
}
