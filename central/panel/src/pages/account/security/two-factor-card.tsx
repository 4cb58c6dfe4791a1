/** Turns the second step of the sign-in on and off, and renews its recovery codes. */

import { lazy, Suspense, useState } from "react";
import { refreshSession } from "../../../api/session.ts";
import { useAction } from "../../../api/use-action.ts";
import { twoFactorTexts } from "../../../texts/account/two-factor.ts";
import { useTexts } from "../../../texts/in-both.ts";
import { Button } from "../../../ui/actions/button.tsx";
import { TitledCard } from "../../../ui/layout/card.tsx";
import { Badge } from "../../../ui/marks/badge.tsx";
import { tell } from "../../../ui/overlays/toast-store.ts";
import styles from "./security.module.css";

const AskPassword = lazy(async () => ({ default: (await import("./ask-password.tsx")).AskPassword }));
const TwoFactorSetUp = lazy(async () => ({
  default: (await import("./two-factor-set-up.tsx")).TwoFactorSetUp,
}));
const NewCodes = lazy(async () => ({ default: (await import("./new-codes.tsx")).NewCodes }));

interface TwoFactorCardProps {
  isOn: boolean;
  email: string;
}

export function TwoFactorCard({ isOn, email }: TwoFactorCardProps) {
  const texts = useTexts(twoFactorTexts);
  const [open, setOpen] = useState<"on" | "off" | "renew" | null>(null);
  const close = () => setOpen(null);
  return (
    <TitledCard
      title={texts.title}
      description={texts.intro}
      actions={<Badge tone={isOn ? "ok" : "neutral"}>{isOn ? texts.on : texts.off}</Badge>}
    >
      <div className={styles.row}>
        {isOn ? (
          <>
            <Button onClick={() => setOpen("renew")}>{texts.renew}</Button>
            <Button variant="warning" onClick={() => setOpen("off")}>
              {texts.turnOff}
            </Button>
          </>
        ) : (
          <Button variant="primary" onClick={() => setOpen("on")}>
            {texts.turnOn}
          </Button>
        )}
      </div>
      <Suspense>
        {open === "on" && <TwoFactorSetUp email={email} onClose={close} />}
        {open === "off" && <TurnOff onClose={close} />}
        {open === "renew" && <Renew email={email} onClose={close} />}
      </Suspense>
    </TitledCard>
  );
}

function TurnOff({ onClose }: { onClose: () => void }) {
  const texts = useTexts(twoFactorTexts);
  const end = useAction("endTwoFactor");
  const turnOff = (password: string) =>
    void end.run({ body: { password } }, () => {
      void refreshSession();
      tell({ tone: "ok", text: texts.turnedOff });
      onClose();
    });
  return (
    <AskPassword
      title={texts.turnOffTitle}
      text={texts.turnOffText}
      confirmWord={texts.turnOff}
      isDangerous
      action={end}
      onPassword={turnOff}
      onClose={onClose}
    />
  );
}

function Renew({ email, onClose }: { email: string; onClose: () => void }) {
  const texts = useTexts(twoFactorTexts);
  const renew = useAction("renewRecoveryCodes");
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  if (codes !== null) return <NewCodes codes={codes} email={email} onClose={onClose} />;
  return (
    <AskPassword
      title={texts.renewTitle}
      text={texts.renewText}
      confirmWord={texts.renewDo}
      action={renew}
      onPassword={(password) =>
        void renew.run({ body: { password } }, ({ recoveryCodes }) => setCodes(recoveryCodes))
      }
      onClose={onClose}
    />
  );
}
