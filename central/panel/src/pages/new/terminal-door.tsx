/** The commands that upload from a terminal, with a key that is made here and shown once. */

import { useState, type FormEvent } from "react";
import { useAction } from "../../api/use-action.ts";
import { Failure } from "../../parts/failure.tsx";
import { newProjectTexts } from "../../texts/new-project.ts";
import { useTexts } from "../../texts/in-both.ts";
import { Button } from "../../ui/actions/button.tsx";
import { CopyText } from "../../ui/actions/copy-text.tsx";
import { Field } from "../../ui/fields/field.tsx";
import { PasswordInput } from "../../ui/fields/password-input.tsx";
import { Banner } from "../../ui/layout/banner.tsx";
import { TitledCard } from "../../ui/layout/card.tsx";
import styles from "./new-project-page.module.css";

export function TerminalDoor() {
  const texts = useTexts(newProjectTexts);
  const [secret, setSecret] = useState<string | null>(null);
  const words = { copyWord: texts.copy, copiedWord: texts.copied, isBlock: true };
  return (
    <TitledCard title={texts.doorTerminal} description={texts.terminalIntro}>
      <div className={styles.steps}>
        <div>
          <p className={styles.step}>{texts.terminalStep1}</p>
          {secret === null ? (
            <KeyForm onSecret={setSecret} />
          ) : (
            <Banner tone="warn" role="status" title={texts.keyShownOnce}>
              <CopyText text={secret} label={texts.key} {...words} />
            </Banner>
          )}
        </div>
        <div>
          <p className={styles.step}>{texts.terminalStep2}</p>
          <CopyText text={`tijolo login --url ${location.origin}`} label={texts.terminalStep2} {...words} />
        </div>
        <div>
          <p className={styles.step}>{texts.terminalStep3}</p>
          <CopyText text="tijolo up" label={texts.terminalStep3} {...words} />
        </div>
      </div>
    </TitledCard>
  );
}

function KeyForm({ onSecret }: { onSecret(secret: string): void }) {
  const texts = useTexts(newProjectTexts);
  const [password, setPassword] = useState("");
  const create = useAction("createKey", { refreshes: ["listKeys"] });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const body = {
      name: texts.keyName,
      level: "write" as const,
      scopes: ["projects:settings" as const],
      password,
    };
    void create.run({ body }, ({ secret }) => {
      setPassword("");
      onSecret(secret);
    });
  };
  return (
    <form className={styles.keyForm} onSubmit={submit}>
      <Field label={texts.password}>
        <PasswordInput
          value={password}
          autoComplete="current-password"
          showWord={texts.showPassword}
          hideWord={texts.hidePassword}
          onValue={setPassword}
        />
      </Field>
      <Button type="submit" isBusy={create.isRunning} {...(password === "" ? { why: texts.password } : {})}>
        {texts.makeKey}
      </Button>
      {create.error !== null && <Failure error={create.error} />}
    </form>
  );
}
