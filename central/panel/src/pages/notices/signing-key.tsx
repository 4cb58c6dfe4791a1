/** Shows the key that signs a webhook's requests, this once. */

import { channelsTexts } from "../../texts/notices.ts";
import { useTexts } from "../../texts/in-both.ts";
import { Button } from "../../ui/actions/button.tsx";
import { CopyText } from "../../ui/actions/copy-text.tsx";
import { Dialog } from "../../ui/overlays/dialog.tsx";

export function SigningKey({ secret, onClose }: { secret: string; onClose: () => void }) {
  const texts = useTexts(channelsTexts);
  return (
    <Dialog
      isOpen
      isHeld
      onClose={onClose}
      title={texts.keyTitle}
      description={texts.keyText}
      closeWord={texts.close}
      actions={
        <Button variant="primary" onClick={onClose}>
          {texts.kept}
        </Button>
      }
    >
      <CopyText
        text={secret}
        label={texts.keyLabel}
        copyWord={texts.copy}
        copiedWord={texts.copied}
        isBlock
      />
    </Dialog>
  );
}
