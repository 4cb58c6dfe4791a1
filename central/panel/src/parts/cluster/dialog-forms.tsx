/** The dialogs of the operators' pages: one that changes something, one that shows a secret. Loaded by `dialogs`. */

import { useId, useState, type ReactNode } from "react";
import { clusterTexts } from "../../texts/cluster/cluster.ts";
import { useTexts } from "../../texts/in-both.ts";
import { Button } from "../../ui/actions/button.tsx";
import { CopyText } from "../../ui/actions/copy-text.tsx";
import { Field } from "../../ui/fields/field.tsx";
import { TextInput } from "../../ui/fields/text-input.tsx";
import { Dialog } from "../../ui/overlays/dialog.tsx";
import { isErrorOf } from "../entry/field-error.ts";
import { useFocusInvalid } from "../entry/use-focus-invalid.ts";
import { Failure } from "../failure.tsx";
import styles from "./dialog-forms.module.css";

export interface ChangeDialogProps {
  title: string;
  /** What happens then. */
  description?: ReactNode;
  confirmWord: string;
  action: { isRunning: boolean; error: Error | null };
  onConfirm: () => void;
  onClose: () => void;
  isDangerous?: boolean;
  /** Name that must be typed first. */
  typed?: string;
  /** Fields that show their own error. */
  fields?: readonly string[];
  /** Why it cannot be sent now. */
  why?: string | undefined;
  children?: ReactNode;
}

/** Stays open until the change was carried out or given up; what was typed outlives a refusal. */
export function ChangeDialog(props: ChangeDialogProps) {
  const { title, description, action, typed, fields = [] } = props;
  const texts = useTexts(clusterTexts);
  const formId = useId();
  const [name, setName] = useState("");
  const form = useFocusInvalid(action.error);
  const why = typed !== undefined && name.trim() !== typed ? texts.typeNameWhy : props.why;
  // While the change is on its way, the frame may ask for the password in a dialog above this one.
  const close = () => !action.isRunning && props.onClose();
  const isShownAtField = fields.some((field) => isErrorOf(action.error, field));
  return (
    <Dialog
      isOpen
      onClose={close}
      title={title}
      description={description}
      closeWord={texts.close}
      actions={
        <>
          <Button onClick={close}>{texts.cancel}</Button>
          <Button
            type="submit"
            form={formId}
            variant={props.isDangerous ? "danger" : "primary"}
            isBusy={action.isRunning}
            why={why}
          >
            {props.confirmWord}
          </Button>
        </>
      }
    >
      <form
        ref={form}
        id={formId}
        noValidate
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (why === undefined && !action.isRunning) props.onConfirm();
        }}
      >
        {props.children}
        {typed !== undefined && (
          <Field label={texts.typeName(typed)}>
            <TextInput isMono value={name} onValue={setName} autoComplete="off" />
          </Field>
        )}
        {action.error !== null && !isShownAtField && <Failure error={action.error} title={texts.failed} />}
      </form>
    </Dialog>
  );
}

export interface ShownOnceProps {
  title: string;
  description?: ReactNode;
  /** The secret, and what it is. */
  text: string;
  label: string;
  onClose: () => void;
  children?: ReactNode;
}

/** Only its button closes it: what it shows cannot be seen again. */
export function ShownOnce({ title, description, text, label, onClose, children }: ShownOnceProps) {
  const texts = useTexts(clusterTexts);
  return (
    <Dialog
      isOpen
      isHeld
      isWide
      onClose={onClose}
      title={title}
      description={description ?? texts.onlyNow}
      closeWord={texts.close}
      actions={
        <Button variant="primary" onClick={onClose}>
          {texts.kept}
        </Button>
      }
    >
      <div className={styles.form}>
        <CopyText text={text} label={label} copyWord={texts.copy} copiedWord={texts.copied} isBlock />
        {children}
      </div>
    </Dialog>
  );
}
