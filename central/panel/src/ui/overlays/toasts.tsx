/** Shows the messages of `tell`, for some seconds each; the pointer or the focus on them keeps them. */

import { useEffect, useState, useSyncExternalStore } from "react";
import { AlertIcon, DoneIcon, InfoIcon, WarningIcon, XIcon } from "../../design/icons/icons.tsx";
import { IconButton } from "../actions/icon-button.tsx";
import { classNames } from "../class-names.ts";
import { currentToasts, dismissToast, onToasts, type Toast } from "./toast-store.ts";
import styles from "./toasts.module.css";

export interface ToastsProps {
  /** The label of the cross. */
  closeWord: string;
}

const ICONS = { info: InfoIcon, ok: DoneIcon, warn: WarningIcon, bad: AlertIcon };
const SHOWN_MS = 6000;
const BAD_SHOWN_MS = 12_000;

export function Toasts({ closeWord }: ToastsProps) {
  const toasts = useSyncExternalStore(onToasts, currentToasts);
  const [isHeld, setIsHeld] = useState(false);
  return (
    <div
      role="status"
      aria-live="polite"
      className={styles.toasts}
      onPointerEnter={() => setIsHeld(true)}
      onPointerLeave={() => setIsHeld(false)}
      onFocus={() => setIsHeld(true)}
      onBlur={() => setIsHeld(false)}
    >
      {toasts.map((toast) => (
        <ToastCard key={toast.id} toast={toast} isHeld={isHeld} closeWord={closeWord} />
      ))}
    </div>
  );
}

function ToastCard({ toast, isHeld, closeWord }: { toast: Toast; isHeld: boolean; closeWord: string }) {
  const { id, tone, text } = toast;
  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(() => dismissToast(id), tone === "bad" ? BAD_SHOWN_MS : SHOWN_MS);
    return () => clearTimeout(timer);
  }, [id, tone, isHeld]);
  const Picture = ICONS[tone];
  return (
    <div className={classNames(styles.toast, styles[tone])}>
      <Picture size={18} className={styles.icon} />
      <span className={styles.text}>{text}</span>
      <IconButton label={closeWord} icon={XIcon} onClick={() => dismissToast(id)} />
    </div>
  );
}
