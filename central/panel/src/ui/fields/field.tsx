/** A labelled place for one input: label above, hint below, and the error of the server where it belongs. */

import { useId, useMemo, type ReactNode } from "react";
import { AlertIcon } from "../../design/icons/icons.tsx";
import { classNames } from "../class-names.ts";
import styles from "./field.module.css";
import { FieldWiringContext } from "./field-wiring.ts";

export interface FieldProps {
  label: ReactNode;
  /** A word after the label, such as "opcional". */
  note?: string | undefined;
  hint?: ReactNode;
  error?: ReactNode;
  /** Reads the label aloud and does not show it. */
  isLabelHidden?: boolean | undefined;
  /** One of the inputs of this folder. */
  children: ReactNode;
}

export function Field({ label, note, hint, error, isLabelHidden = false, children }: FieldProps) {
  const id = useId();
  const hasHint = isGiven(hint);
  const hasError = isGiven(error);
  const wiring = useMemo(() => {
    const describing = [hasError && `${id}error`, hasHint && `${id}hint`].filter(Boolean).join(" ");
    return { id, describedBy: describing === "" ? undefined : describing, isInvalid: hasError };
  }, [id, hasHint, hasError]);
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={classNames(styles.label, isLabelHidden && "visually-hidden")}>
        {label}
        {note !== undefined && <span className={styles.note}>{note}</span>}
      </label>
      <FieldWiringContext value={wiring}>{children}</FieldWiringContext>
      <div id={`${id}error`} className={styles.error} aria-live="polite">
        {hasError && (
          <>
            <AlertIcon className={styles.icon} />
            <span>{error}</span>
          </>
        )}
      </div>
      {hasHint && (
        <div id={`${id}hint`} className={styles.hint}>
          {hint}
        </div>
      )}
    </div>
  );
}

function isGiven(node: ReactNode): boolean {
  return node !== undefined && node !== null && node !== false && node !== "";
}
