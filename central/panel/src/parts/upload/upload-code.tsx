/** New code for a project: a folder or a .zip, what of it is sent, the upload, and how it comes up. */

import { useEffect, useMemo, useState } from "react";
import { refresh } from "../../api/use-read.ts";
import { UploadIcon } from "../../design/icons/icons.tsx";
import { uploadTexts } from "../../texts/upload.ts";
import { useTexts } from "../../texts/in-both.ts";
import { Button } from "../../ui/actions/button.tsx";
import { useLeaveGuard } from "../leave-guard.ts";
import { useUnsaved } from "../../api/unsaved.ts";
import { ChooseSource } from "./choose-source.tsx";
import { ComingUp } from "./following/coming-up.tsx";
import { offerOf } from "./dotenv.ts";
import { DotenvOffer, type DotenvChoice } from "./dotenv-offer.tsx";
import { takeDrops } from "./drop-store.ts";
import styles from "./new-upload.module.css";
import { sentenceOf } from "./pack-failure.tsx";
import { PackageCard } from "./package-card.tsx";
import { configOf } from "./project-draft.ts";
import { Sending } from "./sending.tsx";
import { SourceReading } from "./source-reading.tsx";
import { useWhenPacked } from "./use-new-project.ts";
import { usePackage, type Chosen } from "./use-package.ts";
import { mostBytesOf, useRoom } from "./use-room.ts";
import { useUpload, type Project } from "./use-upload.ts";
import type { UploadSource } from "./upload-source.ts";

export interface UploadCodeProps {
  projectId: string;
  /** The reason why the project takes no code now. */
  unable?: string | undefined;
  onSent?: ((project: Project) => void) | undefined;
}

export function UploadCode(props: UploadCodeProps) {
  const [source, setSource] = useState<UploadSource | null>(null);
  useEffect(() => takeDrops(setSource), []);
  const reset = () => setSource(null);
  if (source === null) return <ChooseSource isSmall onSource={setSource} />;
  return (
    <SourceReading source={source} onOther={reset}>
      {(chosen) => <ReadCode {...props} chosen={chosen} onOther={reset} />}
    </SourceReading>
  );
}

type ReadProps = UploadCodeProps & { chosen: Extract<Chosen, { kind: "read" }>; onOther(): void };

function ReadCode({ projectId, unable, onSent, onOther, chosen: { inspection, reader } }: ReadProps) {
  const words = useTexts(uploadTexts);
  const mostBytes = mostBytesOf(useRoom());
  const offer = useMemo(() => (inspection.dotenv === null ? null : offerOf(inspection.dotenv)), [inspection]);
  const [dotenv, setDotenv] = useState<DotenvChoice>({ asVariables: false, asFile: false });
  const [sent, setSent] = useState<Project | null>(null);
  const [beganAt, setBeganAt] = useState(0);
  const pack = usePackage(reader, { config: configOf(inspection), withDotenv: dotenv.asFile, mostBytes });
  const upload = useUpload((project) => {
    void refresh("getProject", "listVersions", "listProjectEvents");
    setSent(project);
    onSent?.(project);
  });
  const sending = useWhenPacked(pack, (blob) => {
    setBeganAt(Date.now());
    upload.send({ projectId, fields: {}, blob });
  });
  useUnsaved(sent === null);
  useLeaveGuard(upload.isUnderWay, "upload");
  if (sent !== null) return <ComingUp sent={sent} beganAt={beganAt} onAgain={onOther} />;
  const why = unable ?? (pack.kind === "unusable" ? sentenceOf(pack.problem, words) : undefined);
  return (
    <div className={styles.column}>
      <PackageCard
        inspection={inspection}
        pack={pack}
        mostBytes={mostBytes}
        onOther={upload.isUnderWay ? undefined : onOther}
      />
      {offer !== null && (
        <DotenvOffer
          isOfFileOnly
          offer={offer}
          inspection={inspection}
          choice={dotenv}
          onChoice={setDotenv}
        />
      )}
      <Sending upload={upload} />
      {!upload.isUnderWay && (
        <div>
          <Button
            variant="primary"
            icon={<UploadIcon />}
            isBusy={sending.isWaiting}
            onClick={sending.ask}
            {...(why === undefined ? {} : { why })}
          >
            {words.send}
          </Button>
        </div>
      )}
    </div>
  );
}
