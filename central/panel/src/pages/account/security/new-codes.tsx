/** Shows recovery codes that were renewed, this once. */

import { securityTexts } from "../../../texts/account/security.ts";
import { twoFactorTexts } from "../../../texts/account/two-factor.ts";
import { useTexts } from "../../../texts/in-both.ts";
import { Button } from "../../../ui/actions/button.tsx";
import { Dialog } from "../../../ui/overlays/dialog.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";

interface NewCodesProps {
  codes: readonly string[];
  email: string;
  onClose: () => void;
}

export function NewCodes({ codes, email, onClose }: NewCodesProps) {
  const { close } = useTexts(securityTexts);
  const texts = useTexts(twoFactorTexts);
  return (
    <Dialog
      isOpen
      isHeld
      onClose={onClose}
      title={texts.renewedTitle}
      description={texts.keepText}
      closeWord={close}
      actions={
        <Button variant="primary" onClick={onClose}>
          {texts.kept}
        </Button>
      }
    >
      <RecoveryCodes codes={codes} email={email} />
    </Dialog>
  );
}
