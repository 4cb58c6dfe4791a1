/** Makes somebody an operator: a person who has an account, or whoever holds a token. */

import type { OperatorRole } from "@tijolo/protocol/client";
import { useState } from "react";
import { useAction } from "../../api/use-action.ts";
import { clusterTexts } from "../../texts/cluster/cluster.ts";
import { clusterOperatorsTexts } from "../../texts/cluster/operators.ts";
import { useTexts } from "../../texts/in-both.ts";
import { Field } from "../../ui/fields/field.tsx";
import { NumberInput } from "../../ui/fields/number-input.tsx";
import { Radios } from "../../ui/fields/radios.tsx";
import { TextInput } from "../../ui/fields/text-input.tsx";
import { tell } from "../../ui/overlays/toast-store.ts";
import { fieldError } from "../entry/field-error.ts";
import { ChangeDialog, ShownOnce } from "./dialogs.tsx";
import { roles, useWhyNot } from "./role.ts";

const dayMs = 86_400_000;

export function NewOperatorPerson({ onClose }: { onClose: () => void }) {
  const texts = useTexts(clusterOperatorsTexts);
  const add = useAction("addOperatorPerson", { refreshes: ["listOperators"] });
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<OperatorRole>("operator");
  const confirm = () =>
    void add.run({ body: { email: email.trim(), role } }, ({ operator }) => {
      tell({ tone: "ok", text: texts.personAdded(operator.name) });
      onClose();
    });
  return (
    <ChangeDialog
      title={texts.addPerson}
      description={texts.addPersonText}
      confirmWord={texts.addPerson}
      action={add}
      fields={["email"]}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Field label={texts.email} {...fieldError(add.error, "email")}>
        <TextInput type="email" value={email} onValue={setEmail} maxLength={254} autoComplete="off" />
      </Field>
      <RoleChoice value={role} onValue={setRole} />
    </ChangeDialog>
  );
}

export function NewOperatorToken({ onClose }: { onClose: () => void }) {
  const texts = useTexts(clusterOperatorsTexts);
  const add = useAction("addOperator", { refreshes: ["listOperators"] });
  const [name, setName] = useState("");
  const [role, setRole] = useState<OperatorRole>("operator");
  const [days, setDays] = useState<number | null>(null);
  const [token, setToken] = useState<string | null>(null);
  if (token !== null)
    return <ShownOnce title={texts.tokenTitle} label={texts.token} text={token} onClose={onClose} />;
  const body = { name, role, ...(days === null ? {} : { expiresInMs: Math.round(days * dayMs) }) };
  return (
    <ChangeDialog
      title={texts.addToken}
      description={texts.addTokenText}
      confirmWord={texts.addToken}
      action={add}
      fields={["name", "expiresInMs"]}
      onConfirm={() => void add.run({ body }, (made) => setToken(made.token))}
      onClose={onClose}
    >
      <Field label={texts.tokenName} {...fieldError(add.error, "name")}>
        <TextInput value={name} onValue={setName} maxLength={80} autoComplete="off" />
      </Field>
      <RoleChoice value={role} onValue={setRole} />
      <Field label={texts.days} hint={texts.daysHint} {...fieldError(add.error, "expiresInMs")}>
        <NumberInput value={days} onValue={setDays} min={1} />
      </Field>
    </ChangeDialog>
  );
}

interface RoleChoiceProps {
  value: OperatorRole;
  onValue: (role: OperatorRole) => void;
}

function RoleChoice({ value, onValue }: RoleChoiceProps) {
  const texts = useTexts(clusterOperatorsTexts);
  const words = useTexts(clusterTexts);
  const whyNot = useWhyNot();
  return (
    <Radios
      label={texts.role}
      value={value}
      options={roles.map((role) => {
        const why = role === "owner" ? whyNot("owner") : undefined;
        return {
          value: role,
          label: words.roles[role],
          hint: words.roleHints[role],
          ...(why === undefined ? {} : { why }),
        };
      })}
      onValue={onValue}
    />
  );
}
