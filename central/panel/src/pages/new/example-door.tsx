/** Projects that work, to begin with one. */

import { useState } from "react";
import { examples } from "virtual:examples";
import { sourceOfTexts, type UploadSource } from "../../parts/upload/upload-source.ts";
import { Failure } from "../../parts/failure.tsx";
import { newProjectTexts } from "../../texts/new-project.ts";
import { useTexts } from "../../texts/in-both.ts";
import { Button } from "../../ui/actions/button.tsx";
import { TitledCard } from "../../ui/layout/card.tsx";
import styles from "./new-project-page.module.css";

export function ExampleDoor({ onSource }: { onSource(source: UploadSource): void }) {
  const texts = useTexts(newProjectTexts);
  const [loading, setLoading] = useState<string | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const sentences: Record<string, string | undefined> = texts.examples;
  const use = (name: string, load: () => Promise<{ files: Record<string, string> }>) => {
    setLoading(name);
    setError(null);
    load()
      .then(({ files }) => onSource(sourceOfTexts(name, files)))
      .catch((cause: unknown) => setError(cause instanceof Error ? cause : new Error(String(cause))))
      .finally(() => setLoading(null));
  };
  return (
    <TitledCard title={texts.doorExample} description={texts.exampleIntro}>
      {error !== null && <Failure error={error} />}
      <ul className={styles.examples}>
        {Object.entries(examples).map(([name, load]) => (
          <li key={name} className={styles.example}>
            <div>
              <p className={styles.exampleName}>{name}</p>
              <p className={styles.sentence}>{sentences[name] ?? ""}</p>
            </div>
            <div>
              <Button
                size="small"
                isBusy={loading === name}
                aria-label={texts.useExample(name)}
                onClick={() => use(name, load)}
              >
                {texts.use}
              </Button>
            </div>
          </li>
        ))}
      </ul>
    </TitledCard>
  );
}
