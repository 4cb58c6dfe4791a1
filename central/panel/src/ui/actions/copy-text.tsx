/** Shows a text to copy, such as a key or a command, with a button that copies it and then says so. */

import { useEffect, useRef, useState } from "react";
import { CheckIcon, CopyIcon } from "../../design/icons/icons.tsx";
import { classNames } from "../class-names.ts";
import { Button } from "./button.tsx";
import styles from "./copy-text.module.css";

export interface CopyTextProps {
  text: string;
  /** Says what the text is, for people who do not see it. */
  label: string;
  copyWord: string;
  copiedWord: string;
  /** Shows the text over several lines, as it is. */
  isBlock?: boolean | undefined;
}

const COPIED_MS = 3000;

export function CopyText({ text, label, copyWord, copiedWord, isBlock = false }: CopyTextProps) {
  const code = useRef<HTMLElement>(null);
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setIsCopied(false), COPIED_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = async () => {
    if (code.current) setIsCopied(await copyFrom(code.current, text));
  };
  return (
    <div className={classNames(styles.box, isBlock && styles.block)} role="group" aria-label={label}>
      <code ref={code} className={styles.text} tabIndex={0}>
        {text}
      </code>
      <Button variant="quiet" size="small" icon={isCopied ? <CheckIcon /> : <CopyIcon />} onClick={copy}>
        <span aria-live="polite">{isCopied ? copiedWord : copyWord}</span>
      </Button>
    </div>
  );
}

/** Copies the text; without the clipboard, as on a page without TLS, by the selection, which then stays to be seen. */
async function copyFrom(element: HTMLElement, text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    getSelection()?.selectAllChildren(element);
    return document.execCommand("copy");
  }
}
