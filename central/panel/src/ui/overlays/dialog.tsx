/** A dialog over the page: takes the focus, gives it back, closes by Escape. Load it lazily: it brings Base UI. */

import { Dialog as Base } from "@base-ui/react/dialog";
import type { ReactNode, RefObject } from "react";
import { XIcon } from "../../design/icons/icons.tsx";
import { IconButton } from "../actions/icon-button.tsx";
import { classNames } from "../class-names.ts";
import styles from "./dialog.module.css";

export interface DialogProps {
  isOpen: boolean;
  /** Called for each wish to close: Escape, the cross, a press outside. */
  onClose: () => void;
  title: ReactNode;
  description?: ReactNode;
  /** The label of the cross. */
  closeWord: string;
  /** Buttons at the foot, the main one last. */
  actions?: ReactNode;
  isWide?: boolean | undefined;
  /** True while something must not be interrupted, as a secret that is shown once: only buttons close it. */
  isHeld?: boolean | undefined;
  /** What gets the focus first; the first control when left out. */
  focusFirst?: RefObject<HTMLElement | null> | undefined;
  children?: ReactNode;
}

export function Dialog(props: DialogProps) {
  const {
    isOpen,
    onClose,
    title,
    description,
    closeWord,
    actions,
    isWide,
    isHeld = false,
    focusFirst,
  } = props;
  return (
    <Base.Root
      open={isOpen}
      disablePointerDismissal={isHeld}
      onOpenChange={(isNowOpen) => {
        if (!isNowOpen && !isHeld) onClose();
      }}
    >
      <Base.Portal>
        <Base.Backdrop className={styles.scrim} />
        <Base.Viewport className={styles.viewport}>
          <Base.Popup
            className={classNames(styles.dialog, isWide && styles.wide)}
            {...(focusFirst && { initialFocus: focusFirst })}
          >
            <header className={styles.header}>
              <div className={styles.titles}>
                <Base.Title className={styles.title}>{title}</Base.Title>
                {description !== undefined && (
                  <Base.Description className={styles.description}>{description}</Base.Description>
                )}
              </div>
              {/* It often has the focus first: a tip would stand over the dialog, and take the first Escape. */}
              {!isHeld && (
                <Base.Close render={<IconButton label={closeWord} icon={XIcon} hasTip={false} />} />
              )}
            </header>
            {props.children !== undefined && <div className={styles.body}>{props.children}</div>}
            {actions !== undefined && <footer className={styles.actions}>{actions}</footer>}
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  );
}
