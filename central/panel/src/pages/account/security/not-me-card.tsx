/** Protects an account that somebody else got into: ends sessions, keys, passkeys and the password. */

import { lazy, Suspense, useState } from "react";
import { useAction } from "../../../api/use-action.ts";
import { useRead } from "../../../api/use-read.ts";
import { Failure } from "../../../parts/failure.tsx";
import { securityTexts } from "../../../texts/account/security.ts";
import { useTexts } from "../../../texts/in-both.ts";
import { Button } from "../../../ui/actions/button.tsx";
import { TitledCard } from "../../../ui/layout/card.tsx";
import styles from "./security.module.css";

const ConfirmDialog = lazy(async () => ({
  default: (await import("../../../ui/overlays/confirm-dialog.tsx")).ConfirmDialog,
}));

export function NotMeCard() {
  const texts = useTexts(securityTexts);
  const hasMail = useRead("getService").data?.hasMail ?? true;
  const protect = useAction("notMe");
  const [isAsking, setAsking] = useState(false);
  const next = hasMail ? texts.notMeMail : texts.notMeNoMail;
  // A new document: nothing that was read for this session stays behind.
  const confirm = () => void protect.run(undefined, () => location.assign("/password/forgot"));
  return (
    <TitledCard title={texts.notMe} isDangerous>
      <p className={styles.text}>{texts.notMeIntro}</p>
      <p className={styles.text}>{next}</p>
      <div className={styles.gap}>
        <Button variant="warning" onClick={() => setAsking(true)}>
          {texts.notMeButton}
        </Button>
      </div>
      {isAsking && (
        <Suspense>
          <ConfirmDialog
            isOpen
            isDangerous
            title={texts.notMeQuestion}
            description={`${texts.notMeIntro} ${next}`}
            confirmWord={texts.notMeButton}
            cancelWord={texts.cancel}
            closeWord={texts.close}
            isBusy={protect.isRunning}
            onConfirm={confirm}
            onClose={() => setAsking(false)}
          >
            {protect.error !== null && <Failure error={protect.error} title={texts.notMe} />}
          </ConfirmDialog>
        </Suspense>
      )}
    </TitledCard>
  );
}
