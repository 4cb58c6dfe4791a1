/** Asks for what holds for the visits to a site and is typed, not switched: it is saved by a button. */

import type { OperationAnswer } from "@tijolo/protocol/client";
import { useState } from "react";
import { settingsTexts } from "../../texts/project/settings.ts";
import { useTexts } from "../../texts/in-both.ts";
import { Button } from "../../ui/actions/button.tsx";
import { Field } from "../../ui/fields/field.tsx";
import { NumberInput } from "../../ui/fields/number-input.tsx";
import { TextInput } from "../../ui/fields/text-input.tsx";
import styles from "./settings.module.css";

type SiteSettings = OperationAnswer<"getSiteSettings">["siteSettings"];

export interface VisitFieldsProps {
  settings: SiteSettings;
  isBusy: boolean;
  /** Name of the field that the server refused; null when it refused none. */
  refused: string | null;
  onSave: (settings: SiteSettings) => void;
}

export function VisitFields({ settings, isBusy, refused, onSave }: VisitFieldsProps) {
  const texts = useTexts(settingsTexts);
  const [path, setPath] = useState(settings.healthPath ?? "");
  const [drainSeconds, setDrainSeconds] = useState(settings.drainSeconds);
  const hasPath = settings.protocol === "http1";
  const wanted = { ...settings, healthPath: hasPath && path !== "" ? path : null, drainSeconds };
  const isDirty = wanted.healthPath !== settings.healthPath || wanted.drainSeconds !== settings.drainSeconds;
  return (
    <form
      className={styles.fields}
      onSubmit={(event) => {
        event.preventDefault();
        if (isDirty) onSave(wanted);
      }}
    >
      {hasPath && (
        <Field
          label={texts.healthPath}
          hint={texts.healthPathHint}
          error={refused === "healthPath" && texts.healthPathError}
        >
          <TextInput
            isMono
            maxLength={256}
            placeholder="/health"
            autoComplete="off"
            value={path}
            onValue={setPath}
          />
        </Field>
      )}
      <Field
        label={texts.drainSeconds}
        hint={texts.drainSecondsHint}
        error={refused === "drainSeconds" && texts.drainSecondsError}
      >
        <NumberInput unit="s" min={0} max={300} value={drainSeconds} onValue={setDrainSeconds} />
      </Field>
      <div>
        <Button type="submit" isBusy={isBusy} why={isDirty ? undefined : texts.nothing}>
          {texts.saveVisits}
        </Button>
      </div>
    </form>
  );
}
