/** Reads what was chosen, and shows that it is read or why it cannot be. */

import type { ReactNode } from "react";
import { integer } from "../../formats/formats.ts";
import { uploadTexts } from "../../texts/upload.ts";
import { useTexts } from "../../texts/in-both.ts";
import { Button } from "../../ui/actions/button.tsx";
import { Skeleton } from "../../ui/marks/skeleton.tsx";
import styles from "./new-upload.module.css";
import { PackFailure } from "./pack-failure.tsx";
import { useChosen, type Chosen } from "./use-package.ts";
import type { UploadSource } from "./upload-source.ts";

interface SourceReadingProps {
  source: UploadSource;
  onOther(): void;
  children(chosen: Extract<Chosen, { kind: "read" }>): ReactNode;
}

export function SourceReading({ source, onOther, children }: SourceReadingProps) {
  const texts = useTexts(uploadTexts);
  const chosen = useChosen(source);
  switch (chosen.kind) {
    case "reading":
      return (
        <div role="status" className={styles.column}>
          <p>{texts.reading(integer(chosen.fileCount))}</p>
          <Skeleton height="16rem" />
        </div>
      );
    case "unusable":
      return (
        <div className={styles.column}>
          <PackFailure problem={chosen.problem} />
          <div>
            <Button onClick={onOther}>{texts.chooseOther}</Button>
          </div>
        </div>
      );
    case "read":
      return children(chosen);
  }
}
