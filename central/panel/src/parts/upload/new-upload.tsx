/** A new project from what was chosen: the card, the upload, and how it comes up. */

import { ApiError } from "@tijolo/protocol/client";
import { UploadIcon } from "../../design/icons/icons.tsx";
import { newProjectTexts } from "../../texts/new-project.ts";
import { uploadTexts } from "../../texts/upload.ts";
import { useTexts } from "../../texts/in-both.ts";
import { Button } from "../../ui/actions/button.tsx";
import { Banner } from "../../ui/layout/banner.tsx";
import { FormFoot } from "../form-foot.tsx";
import { ComingUp } from "./following/coming-up.tsx";
import { DotenvOffer } from "./dotenv-offer.tsx";
import styles from "./new-upload.module.css";
import { PackageCard } from "./package-card.tsx";
import { Sending } from "./sending.tsx";
import { fieldOf, problemText, SettingsCard } from "./settings-card.tsx";
import { SourceReading } from "./source-reading.tsx";
import { useNewProject } from "./use-new-project.ts";
import type { Chosen } from "./use-package.ts";
import type { UploadSource } from "./upload-source.ts";

interface NewUploadProps {
  source: UploadSource;
  /** Goes back to the choice of folder, .zip or example. */
  onOther(): void;
}

export function NewUpload({ source, onOther }: NewUploadProps) {
  return (
    <SourceReading source={source} onOther={onOther}>
      {(chosen) => <ReadUpload chosen={chosen} onOther={onOther} />}
    </SourceReading>
  );
}

type ReadProps = Pick<NewUploadProps, "onOther"> & { chosen: Extract<Chosen, { kind: "read" }> };

function ReadUpload({ chosen, onOther }: ReadProps) {
  const words = useTexts(uploadTexts);
  const { inspection } = chosen;
  const made = useNewProject(chosen);
  const { upload, why, sent } = made;
  if (sent !== null)
    return (
      <div className={styles.column}>
        <ComingUp
          sent={sent.project}
          beganAt={sent.beganAt}
          variables={sent.variables}
          onAgain={made.again}
        />
      </div>
    );
  const error = upload.state.kind === "refused" ? upload.state.error : null;
  const errorField = error instanceof ApiError ? fieldOf(error) : null;
  const { draft, change, room, problems, offer } = made;
  return (
    <form
      className={styles.column}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        made.send();
      }}
    >
      <Hindrances broken={made.broken} problems={problems} />
      <PackageCard
        inspection={inspection}
        pack={made.pack}
        mostBytes={made.mostBytes}
        onOther={upload.isUnderWay ? undefined : onOther}
      />
      <SettingsCard
        {...{ draft, inspection, room, problems, error }}
        onChange={change}
        isFixed={upload.isUnderWay}
      />
      {offer !== null && (
        <DotenvOffer offer={offer} inspection={inspection} choice={made.dotenv} onChoice={made.setDotenv} />
      )}
      <Sending upload={upload} isShownElsewhere={errorField !== null} />
      {!upload.isUnderWay && (
        <FormFoot>
          <Button
            type="submit"
            variant="primary"
            icon={<UploadIcon />}
            isBusy={made.isWaiting}
            {...(why === undefined ? {} : { why })}
          >
            {words.send}
          </Button>
        </FormFoot>
      )}
    </form>
  );
}

/** What no field of the card mends. */
function Hindrances({ broken, problems }: Pick<ReturnType<typeof useNewProject>, "broken" | "problems">) {
  const texts = useTexts(newProjectTexts);
  return (
    <>
      {broken !== null && (
        <Banner tone="bad" title={texts.svcJsonBroken}>
          {texts.svcJsonBrokenText(broken)}
        </Banner>
      )}
      {problems
        .filter(({ field }) => field === null)
        .map((problem) => (
          <Banner key={problem.code} tone="warn" title={problemText(problem, texts)} />
        ))}
    </>
  );
}
