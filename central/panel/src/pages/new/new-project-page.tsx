/** A new project: a folder or a .zip, an example, or the terminal. */

import { useEffect, useState } from "react";
import { ChooseSource } from "../../parts/upload/choose-source.tsx";
import { takeDrop, takeDrops } from "../../parts/upload/drop-store.ts";
import { NewUpload } from "../../parts/upload/new-upload.tsx";
import type { UploadSource } from "../../parts/upload/upload-source.ts";
import { Page as PageFrame } from "../../parts/page.tsx";
import { newProjectTexts } from "../../texts/new-project.ts";
import { useTexts } from "../../texts/in-both.ts";
import { ExampleDoor } from "./example-door.tsx";
import styles from "./new-project-page.module.css";
import { TerminalDoor } from "./terminal-door.tsx";

export function Page() {
  const texts = useTexts(newProjectTexts);
  const [source, setSource] = useState<UploadSource | null>(null);
  useEffect(() => {
    const dropped = takeDrop();
    if (dropped !== null) setSource(dropped);
    return takeDrops(setSource);
  }, []);
  return (
    <PageFrame title={texts.title} intro={texts.intro}>
      {source === null ? (
        <div className={styles.doors}>
          <ChooseSource onSource={setSource} />
          <ExampleDoor onSource={setSource} />
          <TerminalDoor />
        </div>
      ) : (
        <NewUpload source={source} onOther={() => setSource(null)} />
      )}
    </PageFrame>
  );
}
