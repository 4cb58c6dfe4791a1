/** Turns the second step on: the password, then the secret and the recovery codes, then the first code. */

import type { OperationAnswer } from "@tijolo/protocol/client";
import { lazy, Suspense, useId, useState, type FormEvent } from "react";
import { refreshSession } from "../../../api/session.ts";
import { useAction } from "../../../api/use-action.ts";
import { fieldError, isErrorOf } from "../../../parts/entry/field-error.ts";
import { useFocusInvalid } from "../../../parts/entry/use-focus-invalid.ts";
import { Failure } from "../../../parts/failure.tsx";
import { securityTexts } from "../../../texts/account/security.ts";
import { twoFactorTexts } from "../../../texts/account/two-factor.ts";
import { useTexts } from "../../../texts/in-both.ts";
import { Button } from "../../../ui/actions/button.tsx";
import { CopyText } from "../../../ui/actions/copy-text.tsx";
import { Field } from "../../../ui/fields/field.tsx";
import { TextInput } from "../../../ui/fields/text-input.tsx";
import { Skeleton } from "../../../ui/marks/skeleton.tsx";
import { Dialog } from "../../../ui/overlays/dialog.tsx";
import { tell } from "../../../ui/overlays/toast-store.ts";
import { AskPassword } from "./ask-password.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";
import styles from "./security.module.css";

const QrCode = lazy(async () => ({ default: (await import("./qr-code.tsx")).QrCode }));

type SetUp = OperationAnswer<"beginTwoFactor">;

interface TwoFactorSetUpProps {
  email: string;
  onClose: () => void;
}

export function TwoFactorSetUp({ email, onClose }: TwoFactorSetUpProps) {
  const texts = useTexts(twoFactorTexts);
  const { wantsPassword } = useTexts(securityTexts);
  const begin = useAction("beginTwoFactor");
  const [setUp, setSetUp] = useState<SetUp | null>(null);
  if (setUp !== null) return <Confirmation setUp={setUp} email={email} onClose={onClose} />;
  return (
    <AskPassword
      title={texts.setUpTitle}
      text={wantsPassword}
      confirmWord={texts.begin}
      action={begin}
      onPassword={(password) => void begin.run({ body: { password } }, setSetUp)}
      onClose={onClose}
    />
  );
}

function Confirmation({ setUp, email, onClose }: TwoFactorSetUpProps & { setUp: SetUp }) {
  const texts = useTexts(twoFactorTexts);
  const { cancel, close } = useTexts(securityTexts);
  const confirm = useAction("confirmTwoFactor");
  const id = useId();
  const [code, setCode] = useState("");
  const form = useFocusInvalid(confirm.error);
  const send = (event: FormEvent) => {
    event.preventDefault();
    void confirm.run({ body: { code: code.replaceAll(/\s/g, "") } }, () => {
      void refreshSession();
      tell({ tone: "ok", text: texts.turnedOn });
      onClose();
    });
  };
  return (
    <Dialog
      isOpen
      isHeld
      isWide
      onClose={onClose}
      title={texts.setUpTitle}
      closeWord={close}
      actions={
        <>
          <Button onClick={onClose}>{cancel}</Button>
          <Button type="submit" form={id} variant="primary" isBusy={confirm.isRunning}>
            {texts.finish}
          </Button>
        </>
      }
    >
      <div className={styles.setUp}>
        <Secret uri={setUp.uri} />
        <section className={styles.step}>
          <h3>{texts.keep}</h3>
          <p>{texts.keepText}</p>
          <RecoveryCodes codes={setUp.recoveryCodes} email={email} />
        </section>
        <form ref={form} id={id} noValidate className={styles.form} onSubmit={send}>
          <h3 className={styles.text}>{texts.confirm}</h3>
          <Field label={texts.code} hint={texts.codeHint} {...fieldError(confirm.error, "code")}>
            <TextInput
              isMono
              name="code"
              inputMode="numeric"
              autoComplete="one-time-code"
              value={code}
              onValue={setCode}
            />
          </Field>
          {confirm.error !== null && !isErrorOf(confirm.error, "code") && (
            <Failure error={confirm.error} title={texts.setUpTitle} />
          )}
        </form>
      </div>
    </Dialog>
  );
}

function Secret({ uri }: { uri: string }) {
  const texts = useTexts(twoFactorTexts);
  const secret = new URL(uri).searchParams.get("secret") ?? "";
  return (
    <section className={styles.step}>
      <h3>{texts.scan}</h3>
      <Suspense fallback={<Skeleton width="220px" height="220px" label={texts.qrLabel} />}>
        <QrCode text={uri} label={texts.qrLabel} className={styles.qr} />
      </Suspense>
      <p>{texts.orType}</p>
      <CopyText text={secret} label={texts.secret} copyWord={texts.copyAll} copiedWord={texts.copied} />
    </section>
  );
}
