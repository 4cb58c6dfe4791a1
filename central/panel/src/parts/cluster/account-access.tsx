/** Gives an account's person the way in again: a key, a link for the password, no second factor. */

import type { AccountSummary, KeyLevel, OperationAnswer } from "@tijolo/protocol/client";
import { useState } from "react";
import { useAction } from "../../api/use-action.ts";
import { dateTime } from "../../formats/formats.ts";
import { clusterTexts } from "../../texts/cluster/cluster.ts";
import { clusterAccountTexts } from "../../texts/cluster/account.ts";
import { useTexts } from "../../texts/in-both.ts";
import { Button } from "../../ui/actions/button.tsx";
import { Field } from "../../ui/fields/field.tsx";
import { Radios } from "../../ui/fields/radios.tsx";
import { TextInput } from "../../ui/fields/text-input.tsx";
import { TitledCard } from "../../ui/layout/card.tsx";
import { tell } from "../../ui/overlays/toast-store.ts";
import { fieldError } from "../entry/field-error.ts";
import styles from "./account-state.module.css";
import { ChangeDialog, ShownOnce } from "./dialogs.tsx";
import { useWhyNot } from "./role.ts";

interface PartProps {
  account: AccountSummary;
  onClose: () => void;
}

export function AccountAccess({ account }: { account: AccountSummary }) {
  const texts = useTexts(clusterAccountTexts);
  const whyNot = useWhyNot()();
  const [open, setOpen] = useState<"key" | "link" | "two-factor" | null>(null);
  const close = () => setOpen(null);
  return (
    <TitledCard title={texts.access} description={texts.accessText}>
      <div className={styles.buttons}>
        <Button why={whyNot} onClick={() => setOpen("key")}>
          {texts.createKey}
        </Button>
        <Button why={whyNot} onClick={() => setOpen("link")}>
          {texts.passwordLink}
        </Button>
        <Button why={whyNot} onClick={() => setOpen("two-factor")}>
          {texts.endTwoFactor}
        </Button>
      </div>
      {open === "key" && <Key account={account} onClose={close} />}
      {open === "link" && <PasswordLink account={account} onClose={close} />}
      {open === "two-factor" && <TwoFactor account={account} onClose={close} />}
    </TitledCard>
  );
}

function Key({ account, onClose }: PartProps) {
  const texts = useTexts(clusterAccountTexts);
  const create = useAction("createAccountKey");
  const [name, setName] = useState("");
  const [level, setLevel] = useState<KeyLevel>("write");
  const [secret, setSecret] = useState<string | null>(null);
  if (secret !== null)
    return <ShownOnce title={texts.key} label={texts.key} text={secret} onClose={onClose} />;
  const confirm = () =>
    void create.run({ accountId: account.id, body: { name, level, scopes: [] } }, (made) =>
      setSecret(made.secret),
    );
  return (
    <ChangeDialog
      title={texts.createKey}
      description={texts.keyText}
      confirmWord={texts.createKey}
      action={create}
      fields={["name"]}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Field label={texts.keyName} {...fieldError(create.error, "name")}>
        <TextInput value={name} onValue={setName} maxLength={80} autoComplete="off" />
      </Field>
      <Radios
        label={texts.level}
        value={level}
        options={(["read", "write"] as const).map((value) => ({ value, label: texts.levels[value] }))}
        onValue={setLevel}
      />
    </ChangeDialog>
  );
}

type Link = OperationAnswer<"createPasswordLink">["link"];

function PasswordLink({ account, onClose }: PartProps) {
  const texts = useTexts(clusterAccountTexts);
  const words = useTexts(clusterTexts);
  const create = useAction("createPasswordLink");
  const [email, setEmail] = useState("");
  const [link, setLink] = useState<Link | null>(null);
  if (link !== null)
    return (
      <ShownOnce
        title={texts.linkFor(link.email)}
        label={texts.linkFor(link.email)}
        text={link.url}
        onClose={onClose}
      >
        <p>{words.validUntil(dateTime(link.expiresAt))}</p>
      </ShownOnce>
    );
  const body = { accountId: account.id, ...(email.trim() === "" ? {} : { email: email.trim() }) };
  return (
    <ChangeDialog
      title={texts.passwordLink}
      description={texts.passwordLinkText}
      confirmWord={texts.createLink}
      action={create}
      fields={["email"]}
      onConfirm={() => void create.run({ body }, (made) => setLink(made.link))}
      onClose={onClose}
    >
      <Field label={texts.email} hint={texts.emailHint} {...fieldError(create.error, "email")}>
        <TextInput type="email" value={email} onValue={setEmail} maxLength={254} autoComplete="off" />
      </Field>
    </ChangeDialog>
  );
}

function TwoFactor({ account, onClose }: PartProps) {
  const texts = useTexts(clusterAccountTexts);
  const end = useAction("endAccountTwoFactor");
  const confirm = () =>
    void end.run({ accountId: account.id }, ({ wasOn }) => {
      const say = wasOn ? texts.twoFactorEnded : texts.twoFactorWasOff;
      tell({ tone: wasOn ? "ok" : "info", text: say(account.name) });
      onClose();
    });
  return (
    <ChangeDialog
      isDangerous
      title={texts.endTwoFactorTitle(account.name)}
      description={texts.endTwoFactorText}
      confirmWord={texts.endTwoFactor}
      action={end}
      onConfirm={confirm}
      onClose={onClose}
    />
  );
}
