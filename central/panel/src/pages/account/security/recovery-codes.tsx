/** A list of recovery codes, to copy or to download. */

import { useEffect, useState } from "react";
import { CheckIcon, CopyIcon, DownloadIcon } from "../../../design/icons/icons.tsx";
import { twoFactorTexts } from "../../../texts/account/two-factor.ts";
import { useTexts } from "../../../texts/in-both.ts";
import { Button, buttonClass } from "../../../ui/actions/button.tsx";
import styles from "./security.module.css";

interface RecoveryCodesProps {
  codes: readonly string[];
  /** Whose they are, for the file. */
  email: string;
}

export function RecoveryCodes({ codes, email }: RecoveryCodesProps) {
  const texts = useTexts(twoFactorTexts);
  const [isCopied, setCopied] = useState(false);
  const file = useFile(`${texts.fileHead(email, location.host)}\n\n${codes.join("\n")}\n`);
  // The clipboard is missing on a page without HTTPS; there the codes can be downloaded or selected.
  const copy = () =>
    void navigator.clipboard.writeText(codes.join("\n")).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  return (
    <>
      <ul className={styles.codes} aria-label={texts.codes}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={styles.row}>
        {"clipboard" in navigator && (
          <Button icon={isCopied ? <CheckIcon /> : <CopyIcon />} onClick={copy}>
            <span aria-live="polite">{isCopied ? texts.copied : texts.copyAll}</span>
          </Button>
        )}
        <a href={file} download={texts.fileName} className={buttonClass()}>
          <DownloadIcon />
          {texts.download}
        </a>
      </div>
    </>
  );
}

/** Returns the address of a text file that exists as long as the component. */
function useFile(text: string): string | undefined {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [text]);
  return address;
}
