/** Shows how far an upload is, with the way to cancel it, and how it goes on after a lost connection. */

import { bytes } from "../../formats/formats.ts";
import { uploadTexts } from "../../texts/upload.ts";
import { useTexts } from "../../texts/in-both.ts";
import { Button } from "../../ui/actions/button.tsx";
import { Banner } from "../../ui/layout/banner.tsx";
import { Meter } from "../../ui/marks/meter.tsx";
import { Failure } from "../failure.tsx";
import styles from "./package-card.module.css";
import type { Upload } from "./use-upload.ts";

interface SendingProps {
  upload: Upload;
  /** True when a field of the form shows the refusal. */
  isShownElsewhere?: boolean;
}

export function Sending({ upload, isShownElsewhere = false }: SendingProps) {
  const texts = useTexts(uploadTexts);
  const { state } = upload;
  switch (state.kind) {
    case "idle":
    case "sent":
      return null;
    case "sending":
    case "checking": {
      const doneBytes = state.kind === "sending" ? state.doneBytes : state.totalBytes;
      return (
        <div className={styles.body}>
          <Meter
            label={state.kind === "sending" ? texts.sending : texts.checking}
            text={texts.sizeOf(bytes(doneBytes), bytes(state.totalBytes))}
            value={doneBytes}
            max={Math.max(1, state.totalBytes)}
          />
          <div>
            <Button onClick={upload.cancel}>{texts.cancel}</Button>
          </div>
        </div>
      );
    }
    case "lost":
      return (
        <Banner
          tone="warn"
          role="alert"
          title={texts.lostTitle}
          actions={
            <>
              <Button variant="primary" onClick={upload.resume}>
                {texts.resume}
              </Button>
              <Button onClick={upload.cancel}>{texts.cancel}</Button>
            </>
          }
        >
          {texts.lostText}
        </Banner>
      );
    case "refused":
      return isShownElsewhere ? null : (
        <Failure error={state.error} title={texts.refusedTitle} onRetry={upload.resume} />
      );
  }
}
