/** Makes an API key in a dialog: its name, what it may do, the password; then shows it, this once. */

import type { KeyLevel, OperationAnswer, Scope } from "@tijolo/protocol/client";
import { useId, useState } from "react";
import { useAction } from "../api/use-action.ts";
import { keysTexts, scopeTexts } from "../texts/account/keys.ts";
import { useTexts } from "../texts/in-both.ts";
import { Button } from "../ui/actions/button.tsx";
import { CopyText } from "../ui/actions/copy-text.tsx";
import { Checkbox } from "../ui/fields/checkbox.tsx";
import { Field } from "../ui/fields/field.tsx";
import { Radios } from "../ui/fields/radios.tsx";
import { TextInput } from "../ui/fields/text-input.tsx";
import { Dialog } from "../ui/overlays/dialog.tsx";
import { PasswordField } from "./entry/password-field.tsx";
import { fieldError } from "./entry/entry-form.tsx";
import { Failure } from "./failure.tsx";
import styles from "./new-key.module.css";

type MadeKey = OperationAnswer<"createKey">;

interface NewKeyProps {
  onClose: () => void;
  /** Receives the key as soon as it is made. */
  onMade?: (made: MadeKey) => void;
}

export function NewKey({ onClose, onMade }: NewKeyProps) {
  const [made, setMade] = useState<MadeKey | null>(null);
  const keep = (key: MadeKey) => {
    setMade(key);
    onMade?.(key);
  };
  return made === null ? <Choice onClose={onClose} onMade={keep} /> : <Made made={made} onClose={onClose} />;
}

function Choice({ onClose, onMade }: { onClose: () => void; onMade: (made: MadeKey) => void }) {
  const texts = useTexts(keysTexts);
  const extraScopes = useTexts(scopeTexts);
  const create = useAction("createKey", { refreshes: ["listKeys"] });
  const form = useId();
  const [name, setName] = useState("");
  const [level, setLevel] = useState<KeyLevel>("write");
  const [scopes, setScopes] = useState<readonly Scope[]>([]);
  const [password, setPassword] = useState("");
  const toggle = (scope: Scope, isOn: boolean) =>
    setScopes(isOn ? [...scopes, scope] : scopes.filter((other) => other !== scope));
  const levels = ["read", "write"] as const;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={texts.newTitle}
      closeWord={texts.close}
      actions={
        <>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button type="submit" form={form} variant="primary" isBusy={create.isRunning}>
            {texts.create}
          </Button>
        </>
      }
    >
      <form
        id={form}
        noValidate
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          void create.run({ body: { name, level, scopes: [...scopes], password } }, onMade);
        }}
      >
        <Field label={texts.name} hint={texts.nameHint} {...fieldError(create.error, "name")}>
          <TextInput value={name} onValue={setName} maxLength={80} />
        </Field>
        <Radios
          label={texts.level}
          value={level}
          options={levels.map((value) => ({
            value,
            label: texts.levels[value],
            hint: texts.levelHints[value],
          }))}
          onValue={setLevel}
        />
        <fieldset className={styles.scopes}>
          <legend>{texts.more}</legend>
          {(Object.entries(extraScopes) as [Scope, string][]).map(([scope, words]) => (
            <Checkbox
              key={scope}
              label={words}
              checked={scopes.includes(scope)}
              onValue={(isOn) => toggle(scope, isOn)}
            />
          ))}
        </fieldset>
        <PasswordField value={password} onValue={setPassword} {...fieldError(create.error, "password")} />
        {create.error !== null && <Failure error={create.error} title={texts.newTitle} />}
      </form>
    </Dialog>
  );
}

function Made({ made, onClose }: { made: MadeKey; onClose: () => void }) {
  const texts = useTexts(keysTexts);
  const command = `tijolo login --url ${location.origin}`;
  return (
    <Dialog
      isOpen
      isHeld
      onClose={onClose}
      title={texts.madeTitle}
      closeWord={texts.close}
      actions={
        <Button variant="primary" onClick={onClose}>
          {texts.saved}
        </Button>
      }
    >
      <div className={styles.form}>
        <CopyText
          text={made.secret}
          label={texts.madeLabel}
          copyWord={texts.copy}
          copiedWord={texts.copied}
          isBlock
        />
        <p>{texts.tryIt}</p>
        <CopyText
          text={command}
          label={texts.tryIt}
          copyWord={texts.copy}
          copiedWord={texts.copied}
          isBlock
        />
      </div>
    </Dialog>
  );
}
