/** New code, all versions of it with what became of each, and the way back to one of them. */

import { useParams } from "@tanstack/react-router";
import { actionableOf } from "@tijolo/protocol/project";
import type { OperationAnswer } from "@tijolo/protocol/client";
import { lazy, Suspense, useEffect, useState } from "react";
import { addressOf } from "../../api/address.ts";
import { useAction } from "../../api/use-action.ts";
import { refresh, useRead } from "../../api/use-read.ts";
import { DownloadIcon, HistoryIcon } from "../../design/icons/icons.tsx";
import { bytes, dateTime, duration } from "../../formats/formats.ts";
import { useLiveProject } from "../../live/live-store.ts";
import { Failure } from "../../parts/failure.tsx";
import { Page as PageHead } from "../../parts/page.tsx";
import { Reading } from "../../parts/reading.tsx";
import { useTexts } from "../../texts/in-both.ts";
import { projectTexts } from "../../texts/project/project.ts";
import { versionsTexts } from "../../texts/project/versions.ts";
import { Button } from "../../ui/actions/button.tsx";
import { LinkButton } from "../../ui/actions/link-button.tsx";
import { TitledCard } from "../../ui/layout/card.tsx";
import { Empty } from "../../ui/layout/empty.tsx";
import { Badge } from "../../ui/marks/badge.tsx";
import { Skeleton } from "../../ui/marks/skeleton.tsx";
import { KeptFiles } from "./kept-files.tsx";
import styles from "./versions-page.module.css";

const UploadCode = lazy(async () => ({
  default: (await import("../../parts/upload/upload-code.tsx")).UploadCode,
}));
const CompareVersions = lazy(async () => ({
  default: (await import("./compare-versions.tsx")).CompareVersions,
}));
const ConfirmDialog = lazy(async () => ({
  default: (await import("../../ui/overlays/confirm-dialog.tsx")).ConfirmDialog,
}));

type Version = OperationAnswer<"listVersions">["versions"][number];

export function Page() {
  const texts = useTexts(versionsTexts);
  const { projectId } = useParams({ from: "/app/projects/$projectId/versions" });
  const live = useLiveProject(projectId);
  const read = useRead("listVersions", { id: projectId });
  const status = live?.project.status;
  const updatedAt = live?.project.updatedAt;
  useEffect(() => {
    void refresh("listVersions", "listReplacedFiles");
  }, [status, updatedAt]);
  return (
    <PageHead title={texts.title}>
      <TitledCard title={texts.send} description={texts.sendHint}>
        <Suspense fallback={<Skeleton height="6rem" />}>
          <UploadCode projectId={projectId} unable={useWhyNoCode(projectId)} />
        </Suspense>
      </TitledCard>
      <KeptFiles projectId={projectId} />
      <TitledCard title={texts.list}>
        <Reading of={read} skeleton={<Skeleton count={4} height="3.5rem" label={texts.list} />}>
          {({ versions }) =>
            versions.length === 0 ? (
              <Empty sentence={texts.none} />
            ) : (
              <Versions projectId={projectId} versions={versions} />
            )
          }
        </Reading>
      </TitledCard>
    </PageHead>
  );
}

/** The reason why the project takes no code now; undefined when it does. */
function useWhyNoCode(projectId: string): string | undefined {
  const { why } = useTexts(projectTexts);
  const live = useLiveProject(projectId);
  if (live === undefined) return undefined;
  const action = live.action === null ? null : live.action === "stopping" ? "stop" : "start";
  return actionableOf(live.project, action).receiveCode === null ? undefined : why.project_busy;
}

function Versions({ projectId, versions }: { projectId: string; versions: readonly Version[] }) {
  const [back, setBack] = useState<Version | null>(null);
  const [compared, setCompared] = useState<Version | null>(null);
  const current = versions.find(({ isCurrent }) => isCurrent);
  return (
    <>
      <ol className={styles.versions}>
        {versions.map((version) => (
          <li key={version.number} className={styles.version}>
            <Words version={version} />
            <Actions
              projectId={projectId}
              version={version}
              onBack={() => setBack(version)}
              onCompare={() => setCompared(version)}
            />
          </li>
        ))}
      </ol>
      {compared !== null && current !== undefined && (
        <Suspense>
          <CompareVersions
            projectId={projectId}
            version={compared}
            current={current}
            onClose={() => setCompared(null)}
          />
        </Suspense>
      )}
      {back !== null && (
        <Suspense>
          <Rollback projectId={projectId} version={back} onClose={() => setBack(null)} />
        </Suspense>
      )}
    </>
  );
}

function Words({ version }: { version: Version }) {
  const texts = useTexts(versionsTexts);
  const { number, status, isServing, trigger, rolledBackFrom, by, sizeBytes, createdAt, finishedAt, error } =
    version;
  const tone = status === "failed" ? "bad" : status === "live" ? "ok" : undefined;
  const parts = [
    rolledBackFrom === null ? texts.triggers[trigger] : texts.backTo(rolledBackFrom),
    by.name !== "" && texts.by(by.name),
    dateTime(createdAt),
    bytes(sizeBytes),
    finishedAt !== null && texts.took(duration((Date.parse(finishedAt) - Date.parse(createdAt)) / 1000)),
  ].filter((part) => part !== false);
  return (
    <div className={styles.words}>
      <div className={styles.title}>
        <strong>{texts.version(number)}</strong>
        <Badge {...(tone === undefined ? {} : { tone })}>{texts.statuses[status]}</Badge>
        {isServing && status !== "live" && <Badge tone="ok">{texts.serving}</Badge>}
      </div>
      <div className={styles.soft}>{parts.join(" · ")}</div>
      {error !== null && <div>{error.message}</div>}
    </div>
  );
}

interface ActionsProps {
  projectId: string;
  version: Version;
  onBack: () => void;
  onCompare: () => void;
}

function Actions({ projectId, version, onBack, onCompare }: ActionsProps) {
  const texts = useTexts(versionsTexts);
  const { number, isCurrent, status } = version;
  const whyNot = isCurrent ? texts.isCurrent : status === "installing" ? texts.isInstalling : undefined;
  return (
    <div className={styles.actions}>
      <LinkButton
        size="small"
        icon={<DownloadIcon />}
        href={addressOf("downloadVersion", { id: projectId, number })}
        download=""
        aria-label={`${texts.download}: ${texts.version(number)}`}
      >
        {texts.download}
      </LinkButton>
      <Button
        size="small"
        why={isCurrent ? texts.isCurrent : undefined}
        onClick={onCompare}
        aria-label={`${texts.compare}: ${texts.version(number)}`}
      >
        {texts.compare}
      </Button>
      <Button
        size="small"
        icon={<HistoryIcon />}
        why={whyNot}
        onClick={onBack}
        aria-label={`${texts.rollback}: ${texts.version(number)}`}
      >
        {texts.rollback}
      </Button>
    </div>
  );
}

function Rollback({
  projectId,
  version,
  onClose,
}: {
  projectId: string;
  version: Version;
  onClose: () => void;
}) {
  const texts = useTexts(versionsTexts);
  const rollback = useAction("rollbackProject", { refreshes: ["listVersions"] });
  const { number } = version;
  return (
    <ConfirmDialog
      isOpen
      title={texts.rollbackTitle(number)}
      description={texts.rollbackText}
      confirmWord={texts.rollback}
      cancelWord={texts.cancel}
      closeWord={texts.close}
      isBusy={rollback.isRunning}
      onConfirm={() => void rollback.run({ id: projectId, number }, onClose)}
      onClose={onClose}
    >
      {rollback.error !== null && <Failure error={rollback.error} />}
    </ConfirmDialog>
  );
}
