/** The two ways to a new account: created by an operator, or by who opens an invitation. */

import type { OperationAnswer, PlanName } from "@tijolo/protocol/client";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useAction } from "../../api/use-action.ts";
import { dateTime } from "../../formats/formats.ts";
import { clusterTexts } from "../../texts/cluster/cluster.ts";
import { clusterAccountsTexts } from "../../texts/cluster/accounts.ts";
import { useTexts } from "../../texts/in-both.ts";
import { Field } from "../../ui/fields/field.tsx";
import { TextInput } from "../../ui/fields/text-input.tsx";
import { tell } from "../../ui/overlays/toast-store.ts";
import { fieldError } from "../entry/field-error.ts";
import { ChangeDialog, ShownOnce } from "./dialogs.tsx";
import { PlanField } from "./plan-field.tsx";

export function NewAccount({ onClose }: { onClose: () => void }) {
  const texts = useTexts(clusterAccountsTexts);
  const navigate = useNavigate();
  const create = useAction("createAccount", { refreshes: ["listAccounts"] });
  const [name, setName] = useState("");
  const [plan, setPlan] = useState<PlanName>("Free");
  const confirm = () =>
    void create.run({ body: { name, plan } }, ({ account }) => {
      tell({ tone: "ok", text: texts.created(account.name) });
      void navigate({ to: "/cluster/accounts/$accountId", params: { accountId: account.id } });
    });
  return (
    <ChangeDialog
      title={texts.create}
      description={texts.createText}
      confirmWord={texts.create}
      action={create}
      fields={["name"]}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Field label={texts.name} {...fieldError(create.error, "name")}>
        <TextInput value={name} onValue={setName} maxLength={80} autoComplete="off" />
      </Field>
      <PlanField value={plan} onValue={setPlan} />
    </ChangeDialog>
  );
}

type Invitation = OperationAnswer<"createInvitation">["invitation"];

export function NewInvitation({ onClose }: { onClose: () => void }) {
  const texts = useTexts(clusterAccountsTexts);
  const words = useTexts(clusterTexts);
  const create = useAction("createInvitation");
  const [plan, setPlan] = useState<PlanName>("Free");
  const [made, setMade] = useState<Invitation | null>(null);
  if (made !== null)
    return (
      <ShownOnce title={texts.invitation} label={texts.invitation} text={made.url} onClose={onClose}>
        <p>{words.validUntil(dateTime(made.expiresAt))}</p>
      </ShownOnce>
    );
  return (
    <ChangeDialog
      title={texts.invite}
      description={texts.inviteText}
      confirmWord={texts.invite}
      action={create}
      onConfirm={() => void create.run({ body: { plan } }, ({ invitation }) => setMade(invitation))}
      onClose={onClose}
    >
      <PlanField value={plan} onValue={setPlan} />
    </ChangeDialog>
  );
}
