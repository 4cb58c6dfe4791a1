/** Files that the program had changed and an upload replaced: kept for a while, and brought back from here. */

import type { ReplacedFiles } from "@tijolo/protocol/client";
import { lazy, Suspense, useState } from "react";
import { useAction } from "../../api/use-action.ts";
import { useRead } from "../../api/use-read.ts";
import { dateTime } from "../../formats/formats.ts";
import { Failure } from "../../parts/failure.tsx";
import { useTexts } from "../../texts/in-both.ts";
import { versionsTexts } from "../../texts/project/versions.ts";
import { Button } from "../../ui/actions/button.tsx";
import { TitledCard } from "../../ui/layout/card.tsx";
import { tell } from "../../ui/overlays/toast-store.ts";
import styles from "./versions-page.module.css";

const ConfirmDialog = lazy(async () => ({
  default: (await import("../../ui/overlays/confirm-dialog.tsx")).ConfirmDialog,
}));

/** Paths that are shown of one version. */
const shownPaths = 8;

export function KeptFiles({ projectId }: { projectId: string }) {
  const texts = useTexts(versionsTexts);
  const { data } = useRead("listReplacedFiles", { id: projectId });
  const [restored, setRestored] = useState<ReplacedFiles | null>(null);
  if (data === undefined || data.replaced.length === 0) return null;
  return (
    <TitledCard title={texts.kept} description={texts.keptHint}>
      <ul className={styles.versions}>
        {data.replaced.map((files) => (
          <li key={files.version} className={styles.version}>
            <div className={styles.words}>
              <div>{texts.keptOf(files.count, files.version, dateTime(files.keptUntil))}</div>
              <div className={styles.soft}>
                {files.paths.slice(0, shownPaths).join(", ")}
                {files.count > shownPaths && ` ${texts.more(files.count - shownPaths)}`}
              </div>
            </div>
            <Button
              size="small"
              why={files.isRestoring ? texts.isRestoring : undefined}
              onClick={() => setRestored(files)}
            >
              {texts.restore}
            </Button>
          </li>
        ))}
      </ul>
      {restored !== null && (
        <Suspense>
          <Restore projectId={projectId} files={restored} onClose={() => setRestored(null)} />
        </Suspense>
      )}
    </TitledCard>
  );
}

interface RestoreProps {
  projectId: string;
  files: ReplacedFiles;
  onClose: () => void;
}

function Restore({ projectId, files, onClose }: RestoreProps) {
  const texts = useTexts(versionsTexts);
  const restore = useAction("restoreReplacedFiles", { refreshes: ["listReplacedFiles"] });
  const send = () =>
    restore.run({ id: projectId, version: files.version, body: {} }, () => {
      tell({ tone: "ok", text: texts.restored });
      onClose();
    });
  return (
    <ConfirmDialog
      isOpen
      title={texts.restoreTitle}
      description={texts.restoreText}
      confirmWord={texts.restore}
      cancelWord={texts.cancel}
      closeWord={texts.close}
      isBusy={restore.isRunning}
      onConfirm={() => void send()}
      onClose={onClose}
    >
      {restore.error !== null && <Failure error={restore.error} />}
    </ConfirmDialog>
  );
}
