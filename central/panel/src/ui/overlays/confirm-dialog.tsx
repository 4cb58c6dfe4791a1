/** Asks before an action that is hard to undo. For the gravest, the name of the thing must be typed first. */

import { useId, useRef, useState, type FormEvent, type ReactNode } from "react";
import { Button } from "../actions/button.tsx";
import { Field } from "../fields/field.tsx";
import { TextInput } from "../fields/text-input.tsx";
import { Dialog } from "./dialog.tsx";

export interface ConfirmDialogProps {
  isOpen: boolean;
  onClose: () => void;
  onConfirm: () => void;
  /** The question. */
  title: ReactNode;
  /** What happens then. */
  description?: ReactNode;
  confirmWord: string;
  cancelWord: string;
  closeWord: string;
  isDangerous?: boolean | undefined;
  isBusy?: boolean | undefined;
  /** The name to type, the label of its input, and the reason shown at the button until the name is right. */
  typed?: { name: string; label: ReactNode; why: string } | undefined;
  /** More fields, or the refusal of the server as a `Banner`. */
  children?: ReactNode;
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { isOpen, onClose, title, description, closeWord } = props;
  const formId = useId();
  const cancel = useRef<HTMLButtonElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const [name, setName] = useState("");
  const isRight = props.typed === undefined || name.trim() === props.typed.name;
  const close = () => {
    setName("");
    onClose();
  };
  const confirm = (event: FormEvent) => {
    event.preventDefault();
    if (isRight && !props.isBusy) props.onConfirm();
  };
  const actions = (
    <>
      <Button ref={cancel} onClick={close}>
        {props.cancelWord}
      </Button>
      <Button
        type="submit"
        form={formId}
        variant={props.isDangerous ? "danger" : "primary"}
        isBusy={props.isBusy}
        why={isRight ? undefined : props.typed?.why}
      >
        {props.confirmWord}
      </Button>
    </>
  );
  const focusFirst = props.typed ? input : cancel;
  return (
    <Dialog {...{ isOpen, title, description, closeWord, actions, focusFirst }} onClose={close}>
      <form id={formId} onSubmit={confirm} hidden={props.typed === undefined && props.children === undefined}>
        {props.typed && (
          <Field label={props.typed.label}>
            <TextInput ref={input} isMono value={name} onValue={setName} autoComplete="off" />
          </Field>
        )}
        {props.children}
      </form>
    </Dialog>
  );
}
