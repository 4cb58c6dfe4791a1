/** Adds a passkey: a name and the password, then the browser asks the person where to keep it. */

import { useRef, useState } from "react";
import { useAction } from "../../../api/use-action.ts";
import { fieldError } from "../../../parts/entry/field-error.ts";
import { passkeysTexts } from "../../../texts/account/passkeys.ts";
import { useTexts } from "../../../texts/in-both.ts";
import { Field } from "../../../ui/fields/field.tsx";
import { TextInput } from "../../../ui/fields/text-input.tsx";
import { Banner } from "../../../ui/layout/banner.tsx";
import { tell } from "../../../ui/overlays/toast-store.ts";
import { AskPassword } from "./ask-password.tsx";
import { browserName } from "./browser-name.ts";

type Refusal = "cancelled" | "isThere";

export function NewPasskey({ onClose }: { onClose: () => void }) {
  const texts = useTexts(passkeysTexts);
  const begin = useAction("beginPasskey");
  const add = useAction("addPasskey", { refreshes: ["listPasskeys"] });
  const [name, setName] = useState(() => browserName(navigator.userAgent).system ?? texts.aName);
  const [isAsking, setAsking] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const isOpen = useRef(true);
  const make = async (password: string) => {
    if (isAsking) return;
    setRefusal(null);
    add.clear();
    let options: object | undefined;
    await begin.run({ body: { password } }, (answer) => (options = answer.options));
    if (options === undefined) return;
    setAsking(true);
    const credential = await createPasskey(options).finally(() => setAsking(false));
    if (!isOpen.current) return;
    if (typeof credential === "string") return setRefusal(credential);
    await add.run(
      { body: { name: name.trim() || texts.aName, credential: credential.toJSON() as never } },
      ({ passkey }) => {
        tell({ tone: "ok", text: texts.added(passkey.name) });
        onClose();
      },
    );
  };
  return (
    <AskPassword
      title={texts.addTitle}
      text={texts.addText}
      confirmWord={texts.addDo}
      action={{
        isRunning: begin.isRunning || add.isRunning || isAsking,
        error: begin.error ?? add.error,
      }}
      fields={["name"]}
      onPassword={(password) => void make(password)}
      onClose={() => {
        isOpen.current = false;
        onClose();
      }}
    >
      {refusal !== null && (
        <Banner tone="warn" role="alert" title={texts.notMade}>
          {texts[refusal]}
        </Banner>
      )}
      <Field label={texts.name} hint={texts.nameHint} {...fieldError(add.error, "name")}>
        <TextInput value={name} onValue={setName} maxLength={80} autoComplete="off" />
      </Field>
    </AskPassword>
  );
}

/** Asks the browser for a new passkey; resolves with why there is none when the person or the device refuses. */
async function createPasskey(options: object): Promise<PublicKeyCredential | Refusal> {
  try {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options as never);
    const credential = await navigator.credentials.create({ publicKey });
    return credential instanceof PublicKeyCredential ? credential : "cancelled";
  } catch (cause) {
    return cause instanceof DOMException && cause.name === "InvalidStateError" ? "isThere" : "cancelled";
  }
}
