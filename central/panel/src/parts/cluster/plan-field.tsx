/** Chooses one of the plans that the cluster has. */

import type { PlanName } from "@tijolo/protocol/client";
import { useRead } from "../../api/use-read.ts";
import { clusterAccountsTexts } from "../../texts/cluster/accounts.ts";
import { useTexts } from "../../texts/in-both.ts";
import { Field } from "../../ui/fields/field.tsx";
import { Select } from "../../ui/fields/select.tsx";

interface PlanFieldProps {
  value: PlanName;
  onValue: (plan: PlanName) => void;
}

export function PlanField({ value, onValue }: PlanFieldProps) {
  const texts = useTexts(clusterAccountsTexts);
  const names = useRead("listPlans").data?.plans.map(({ name }) => name) ?? [];
  const all = names.includes(value) ? names : [value, ...names];
  return (
    <Field label={texts.plan}>
      <Select value={value} options={all.map((name) => ({ value: name, label: name }))} onValue={onValue} />
    </Field>
  );
}
