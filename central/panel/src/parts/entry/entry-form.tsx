/** The one form of an entry page: a title, fields, one button, and what was refused. */

import { ApiError } from "@tijolo/protocol/client";
import type { ReactNode } from "react";
import { entryTexts } from "../../texts/entry.ts";
import { readingTexts } from "../../texts/reading.ts";
import { useTexts } from "../../texts/in-both.ts";
import { Button } from "../../ui/actions/button.tsx";
import { Failure, useCountdown } from "../failure.tsx";
import { useTitle } from "../page.tsx";
import { isErrorOf } from "./field-error.ts";
import { useFocusInvalid } from "./use-focus-invalid.ts";
import styles from "./entry-form.module.css";

interface EntryFormProps {
  title: string;
  intro?: ReactNode;
  button: string;
  isRunning: boolean;
  error?: Error | null;
  /** Fields that show their own error; one of any other field stands above the button. */
  fields?: readonly string[];
  /** Says why the form cannot be sent now. */
  why?: string;
  onSubmit: () => void;
  children?: ReactNode;
  /** Another way than the form's button, below it. */
  alternative?: ReactNode;
  /** Links below the form. */
  after?: ReactNode;
}

export function EntryForm({
  title,
  intro,
  button,
  isRunning,
  error = null,
  fields = [],
  why,
  onSubmit,
  children,
  alternative,
  after,
}: EntryFormProps) {
  useTitle(title);
  const texts = useTexts(entryTexts);
  const { retryIn } = useTexts(readingTexts);
  const form = useFocusInvalid(error);
  const seconds = useCountdown(error instanceof ApiError ? error.retryAfterSeconds : null);
  const whyNow = why ?? (seconds > 0 ? retryIn(seconds) : undefined);
  const isShownAtField = fields.some((field) => isErrorOf(error, field));
  return (
    <div className={styles.box}>
      <h1 className={styles.title}>{title}</h1>
      {intro !== undefined && <p className={styles.intro}>{intro}</p>}
      <form
        ref={form}
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (whyNow === undefined) onSubmit();
        }}
      >
        {children}
        {error !== null && !isShownAtField && <Failure error={error} title={texts.refused} />}
        <Button type="submit" variant="primary" isBusy={isRunning} why={whyNow}>
          {button}
        </Button>
        {alternative}
      </form>
      {after !== undefined && <div className={styles.after}>{after}</div>}
    </div>
  );
}

/** A page that only says something, with the way on. */
export function EntryMessage({
  title,
  children,
  after,
}: {
  title: string;
  children: ReactNode;
  after?: ReactNode;
}) {
  useTitle(title);
  return (
    <div className={styles.box}>
      <h1 className={styles.title}>{title}</h1>
      <p className={styles.intro}>{children}</p>
      {after !== undefined && <div className={styles.after}>{after}</div>}
    </div>
  );
}

export { fieldError } from "./field-error.ts";
